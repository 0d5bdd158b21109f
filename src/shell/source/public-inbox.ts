import { createInterface } from 'node:readline';
import { mailSizeCap } from '../../core/mail/index.js';
import { Failure } from '../config/index.js';
import { startGit } from './git-process.js';
import type { SourceMail } from './source-mail.js';

/**
 * The mails of a public-inbox repository, oldest first: v2 has each as the file `m` of a commit, v1 as a file named by the
 * hash of its Message-ID (public-inbox-v1-format(5), public-inbox-v2-format(5)). Two git processes in all, whatever the size.
 */
export async function* readInbox(
  path: string,
  onBytes: (count: number) => void,
  range = 'HEAD',
): AsyncGenerator<SourceMail> {
  const log = startGit(path, [
    'log',
    '--reverse',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--diff-filter=AM',
    '--format=%H',
    range,
    '--',
  ]);
  log.child.stdin.end();
  const batch = startGit(path, ['cat-file', '--batch']);
  const blobs = batchReader(batch.child.stdout);
  let count = 0;
  try {
    let commit = '';
    for await (const line of createInterface({ input: log.child.stdout })) {
      if (/^[0-9a-f]{40,64}$/.test(line)) commit = line;
      const blob = mailBlob(line);
      if (blob === undefined) continue;
      batch.child.stdin.write(`${blob}\n`);
      const bytes = await blobs.next();
      if (bytes.done === true) break;
      onBytes(bytes.value.length);
      count++;
      yield { bytes: bytes.value, source: { path, commit } };
    }
    await log.ended;
    batch.child.stdin.end();
    await batch.ended;
  } finally {
    log.child.kill();
    batch.child.kill();
  }
  if (count === 0 && range === 'HEAD') throw new Failure('not-mail', `${path}: no mail in this repository`);
}

/** The blob of `:000000 100644 <old> <new> A<TAB>path` where the path is a mail's. */
function mailBlob(line: string): string | undefined {
  const found = /^:\d{6} \d{6} [0-9a-f]{40,64} ([0-9a-f]{40,64}) [AM]\t(.*)$/.exec(line);
  if (found === null) return undefined;
  return found[2] === 'm' || /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(found[2] ?? '') ? found[1] : undefined;
}

/** Reads `<oid> blob <size>`, the content and a line end, again and again; content over the cap is cut. */
async function* batchReader(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  let held: Buffer = Buffer.alloc(0);
  let need: number | undefined;
  let cut = 0;
  for await (const chunk of stream) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, Buffer.from(chunk)]);
    for (;;) {
      if (need === undefined) {
        const end = held.indexOf(10);
        if (end < 0) break;
        const size = /^\S+ blob (\d+)$/.exec(held.toString('latin1', 0, end))?.[1];
        held = held.subarray(end + 1);
        if (size === undefined) {
          yield Buffer.alloc(0);
          continue;
        }
        need = Number(size);
        cut = 0;
      }
      if (held.length > mailSizeCap + 4096 && held.length < need + 1 - cut) {
        cut += held.length - mailSizeCap - 1;
        held = Buffer.from(held.subarray(0, mailSizeCap + 1));
        break;
      }
      if (held.length < need + 1 - cut) break;
      yield Buffer.from(held.subarray(0, Math.min(need - cut, mailSizeCap + 1)));
      held = held.subarray(need + 1 - cut);
      need = undefined;
    }
  }
}

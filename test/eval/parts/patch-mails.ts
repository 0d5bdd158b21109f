/** The mails of ../shared, as the patch scores read them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sharedFolder as besideCheckout } from '../../support/shared.js';

// A worktree of ours has the folder elsewhere.
const sharedFolder = process.env.REVEILLE_SHARED ?? besideCheckout;

export type CorpusMail = { readonly set: string; readonly name: string; readonly bytes: Buffer };

/** Names fall into two halves by a hash: one is read when we look for faults, both are scored. */
export function halfOf(name: string): 'even' | 'odd' {
  let hash = 5381;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 33) + name.charCodeAt(at)) >>> 0;
  return hash % 2 === 0 ? 'even' : 'odd';
}

/** Every mail of the folders below ../shared/corpus. */
export function* folderMails(): Iterable<CorpusMail> {
  for (const set of ['mail', 'delay/patches', 'negatives', 'checkpatch/patches']) {
    const folder = join(sharedFolder, 'corpus', set);
    for (const path of filesBelow(folder)) yield { set, name: relative(folder, path), bytes: readFileSync(path) };
  }
}

/** The mails of the archives, in their order. */
export function* archiveMails(): Iterable<CorpusMail> {
  const folder = join(sharedFolder, 'corpus', 'archives');
  for (const name of readdirSync(folder)
    .filter((n) => n.endsWith('.mbox.gz'))
    .sort()) {
    let nth = 0;
    for (const bytes of splitMboxrd(gunzipSync(readFileSync(join(folder, name))))) {
      yield { set: 'archive', name: `${name}:${nth++}`, bytes };
    }
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

function* splitMboxrd(mbox: Buffer): Iterable<Buffer> {
  let from = 0;
  while (from < mbox.length) {
    const found = mbox.indexOf('\n\nFrom ', from);
    const end = found === -1 ? mbox.length : found + 1;
    const mail = mbox.subarray(mbox.indexOf('\n', from) + 1, end);
    yield Buffer.from(mail.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1');
    from = found === -1 ? mbox.length : found + 2;
  }
}

import { attachedMboxes, splitMbox } from '../../core/mail/index.js';
import { Failure } from '../config/index.js';
import { findInputs, type Input } from './find-inputs.js';
import { readGitRange } from './git-range.js';
import { readInbox } from './public-inbox.js';
import { readFileMails, readStreamMails } from './read-stream.js';
import type { SourceMail } from './source-mail.js';

export type OpenOptions = {
  /** Told of every input that gives no mail or cannot be read; the others are still done. */
  readonly onProblem: (problem: Failure) => void;
  /** Bytes read so far and in all; the total is absent where it cannot be known. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
  /** Commit ranges not yet sent, as `git format-patch` takes them, of the repository in `repository`. */
  readonly ranges?: readonly string[];
  readonly repository?: string;
  readonly stdin?: NodeJS.ReadableStream;
};

/**
 * The mails of files, directories, Maildirs, public-inbox repositories, standard input (`-`) and git ranges, in the order
 * named and sorted by name below that; one at a time.
 */
export async function* openSources(paths: readonly string[], options: OpenOptions): AsyncGenerator<SourceMail> {
  const inputs: Input[] = [];
  for (const path of paths) inputs.push(...(await findInputs(path, options.onProblem)));
  for (const range of options.ranges ?? []) inputs.push({ kind: 'range', path: range, size: undefined });
  const total = inputs.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  let done = 0;
  const onBytes = (count: number): void => {
    done += count;
    options.onProgress?.(done, total);
  };
  for (const input of inputs) {
    try {
      for await (const mail of readInput(input, options, onBytes)) {
        yield mail;
        yield* attachedMails(mail);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      options.onProblem(error);
    }
  }
}

function readInput(input: Input, options: OpenOptions, onBytes: (count: number) => void): AsyncGenerator<SourceMail> {
  switch (input.kind) {
    case 'file':
      return readFileMails(input, onBytes);
    case 'stdin':
      return readStreamMails(options.stdin ?? process.stdin, { path: '-', strict: true }, onBytes);
    case 'inbox':
      return readInbox(input.path, onBytes);
    case 'range':
      return readGitRange(input.path, options.repository ?? '.', onBytes);
    default:
      return input.kind satisfies never;
  }
}

/** Mails of mboxes attached to a mail, as b4 and archives send them on. */
async function* attachedMails(mail: SourceMail): AsyncGenerator<SourceMail> {
  const bytes = Buffer.from(mail.bytes.buffer, mail.bytes.byteOffset, mail.bytes.length);
  if (!bytes.includes('.mbox') && !bytes.includes('application/mbox')) return;
  for (const [index, mbox] of (await attachedMboxes(mail.bytes)).entries()) {
    const splitter = splitMbox();
    for (const inner of [...splitter.push(mbox), ...splitter.end()]) {
      yield { bytes: inner.bytes, source: { ...mail.source, offset: inner.offset, attached: index + 1 } };
    }
  }
}

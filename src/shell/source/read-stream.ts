import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isMboxSeparator, looksLikeDiff, looksLikeMail, mailSizeCap, splitMbox } from '../../core/mail/index.js';
import { Failure } from '../config/index.js';
import { unreadable, type Input } from './find-inputs.js';
import type { SourceMail } from './source-mail.js';

type Origin = {
  readonly path: string;
  /** Whether input that is no mail is worth a word: named by the user, or by its name a mail. */
  readonly strict: boolean;
};

// Enough of a file to tell what it is.
const peekSize = 64 * 1024;
const mailName = /\.(?:eml|patch|diff|mbox|mbx|msg)(?:\.gz)?$/i;

/** The mails of one file: an mbox, a single mail or a bare diff, each also gzipped. */
export async function* readFileMails(input: Input, onBytes: (count: number) => void): AsyncGenerator<SourceMail> {
  const origin = { path: input.path, strict: input.named === true || mailName.test(input.path) };
  yield* readStreamMails(createReadStream(input.path, { highWaterMark: 256 * 1024 }), origin, onBytes);
}

/** The mails of a stream, as those of a file; it is closed when the reader stops early. */
export async function* readStreamMails(
  stream: NodeJS.ReadableStream,
  origin: Origin,
  onBytes: (count: number) => void,
): AsyncGenerator<SourceMail> {
  const chunks = inflated(counted(stream, onBytes));
  try {
    const first = await peek(chunks);
    if (isMbox(first)) yield* mboxMails(first, chunks, origin.path);
    else yield* singleMail(first, chunks, origin);
  } catch (error) {
    throw unreadable(origin.path, error);
  }
}

type Chunks = AsyncGenerator<Buffer>;

async function* counted(stream: NodeJS.ReadableStream, onBytes: (count: number) => void): Chunks {
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    onBytes(bytes.length);
    yield bytes;
  }
}

/** Inflates what begins with gzip's magic number (RFC 1952 section 2.3.1). */
async function* inflated(chunks: Chunks): Chunks {
  const first = await chunks.next();
  if (first.done === true) return;
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield first.value;
    yield* chunks;
    return;
  }
  async function* all(): Chunks {
    yield first.value as Buffer; // not done, so there is a value
    yield* chunks;
  }
  const gunzip = createGunzip();
  // The error comes out of the loop below as well; the callback only keeps it from being thrown twice.
  pipeline(all, gunzip, () => undefined);
  for await (const chunk of gunzip) yield Buffer.from(chunk);
}

async function peek(chunks: Chunks): Promise<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  while (held.length < peekSize) {
    const next = await chunks.next();
    if (next.done === true) break;
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
  }
  return held;
}

function isMbox(first: Buffer): boolean {
  const text = first.toString('latin1', 0, 2048).trimStart();
  return isMboxSeparator(text.slice(0, Math.max(text.indexOf('\n'), 0)).trimEnd());
}

async function* mboxMails(first: Buffer, chunks: Chunks, path: string): AsyncGenerator<SourceMail> {
  const splitter = splitMbox();
  for (const { bytes, offset } of splitter.push(first)) yield { bytes, source: { path, offset } };
  for await (const chunk of chunks) {
    for (const { bytes, offset } of splitter.push(chunk)) yield { bytes, source: { path, offset } };
  }
  for (const { bytes, offset } of splitter.end()) yield { bytes, source: { path, offset } };
}

async function* singleMail(first: Buffer, chunks: Chunks, { path, strict }: Origin): AsyncGenerator<SourceMail> {
  const diff = !looksLikeMail(first) && looksLikeDiff(first);
  if (!diff && !looksLikeMail(first)) {
    if (strict)
      throw new Failure(
        'not-mail',
        `${path === '-' ? 'standard input' : path}: ${first.length === 0 ? 'empty' : 'no mail and no patch'}`,
      );
    return;
  }
  const pieces = [...(diff ? [Buffer.from('Subject:\n\n')] : []), first];
  let size = first.length;
  while (size <= mailSizeCap) {
    const next = await chunks.next();
    if (next.done === true) break;
    pieces.push(next.value);
    size += next.value.length;
  }
  await chunks.return(undefined);
  yield { bytes: Buffer.concat(pieces), source: { path } };
}

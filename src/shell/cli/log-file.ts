import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readBootLogs, readEvidence, type BootLog } from '../../core/evidence/index.js';
import { looksLikeMail, parseMessage } from '../../core/mail/index.js';
import { Failure, unxz } from '../config/index.js';

/** What was found in a file: its logs, or its numbers (one a line) where it holds nothing else. */
export type LogFile = {
  readonly path: string;
  readonly logs: readonly BootLog[];
  readonly numbers?: readonly Measured[];
};

/** A number of a file with its unit, where it has one. */
export type Measured = { readonly value: number; readonly unit?: string };

const sizeCap = 256 * 1024 * 1024;

/** Reads a boot log, a mail with logs in it, or a file of numbers; gzip and xz are unpacked (xz by the program of that name). */
export async function readLogFile(path: string): Promise<LogFile> {
  const bytes = await unpack(path, await readBytes(path));
  if (looksLikeMail(bytes)) {
    const logs = readEvidence(await parseMessage(bytes, unxz)).logs;
    if (logs.length > 0) return { path, logs };
  }
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n');
  const numbers = readNumbers(text);
  if (numbers !== undefined) return { path, logs: [], numbers };
  // Prose with logs of both sides in it, saved without its header.
  const labelled = readBootLogs(text, 'mail');
  if (labelled.some((l) => l.label === 'before') && labelled.some((l) => l.label === 'after'))
    return { path, logs: labelled };
  return { path, logs: readBootLogs(text, 'file') };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    if (path !== '-') return await readFile(path);
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  } catch (error) {
    throw new Failure('unreadable', `${path}: cannot be read`, error);
  }
}

async function unpack(path: string, bytes: Buffer): Promise<Buffer> {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return await promisify(gunzip)(bytes, { maxOutputLength: sizeCap });
    if (!bytes.subarray(0, 6).equals(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]))) return bytes;
    const unpacked = await unxz(bytes, sizeCap);
    if (unpacked === undefined) throw new Error('xz is missing, or the file is damaged or too large');
    return Buffer.from(unpacked);
  } catch (error) {
    throw new Failure('unreadable', `${path}: cannot be unpacked`, error);
  }
}

/** A file of nothing but numbers (and comments): the first column of each line. */
function readNumbers(text: string): Measured[] | undefined {
  const found: Measured[] = [];
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#')) continue;
    const m = /^(-?(?:\d{1,15}(?:\.\d{1,12})?|\.\d{1,12}))\s?(ns|us|ms|s)?(?:[\s,;]|$)/.exec(bare);
    if (!m) return undefined;
    found.push({ value: Number(m[1]), ...(m[2] === undefined ? {} : { unit: m[2] }) });
  }
  return found.length > 0 ? found : undefined;
}

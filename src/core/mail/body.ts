import { gunzipSync } from 'node:zlib';
import { decodeText } from './charset.js';
import { readFlowed } from './flowed.js';
import { countHunks } from './hunk-count.js';
import type { Attachment, Problem } from './message.js';
import type { MimePart, MimeTree } from './mime-parts.js';
import { readNestedMail } from './nested-mail.js';

/** Text, attachments and problems of a mail's body. */
export type Body = {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly problems: readonly Problem[];
};

// Attached logs are a few hundred kilobytes; more, in one or in all together, is a bomb or of no use.
const inflateCap = 8 * 1024 * 1024;

/** Unpacks xz, which takes a program: undefined where there is none or it fails. Never more than `most` bytes. */
export type Unxz = (bytes: Uint8Array, most: number) => Promise<Uint8Array | undefined>;

/** Puts the text of a mail together: the inline text parts in order, then attached patches and nested mails with a diff. */
export async function assembleText(tree: MimeTree, rawBody: Uint8Array, depth = 0, unxz?: Unxz): Promise<Body> {
  const problems: Problem[] = [];
  if (tree.failed !== undefined) {
    problems.push({ kind: 'mime', text: `the MIME structure cannot be read (${tree.failed}): read as plain text` });
    return { text: decodeText(rawBody, undefined).text, attachments: [], problems };
  }
  const texts = tree.parts.filter(isInlineText).map((part) => textOf(part, problems));
  if (texts.length === 0) problems.push(...withoutText(tree));
  let inflated = 0;
  const attachments: { readonly attachment: Attachment; readonly at?: number }[] = [];
  for (const part of tree.parts) {
    if (isInlineText(part)) continue;
    const read = await readAttachment(part, depth, inflateCap - inflated, unxz);
    if (isGzip(part) || isXz(part)) inflated += read.text?.length ?? inflateCap / 8;
    problems.push(...read.problems);
    const appended = read.text !== undefined && read.appended && tree.rootType !== 'multipart/report';
    attachments.push({ attachment: read.attachment, ...(appended ? { at: texts.length } : {}) });
    if (appended && read.text !== undefined) texts.push(read.text);
  }
  const { text, lines } = joinTexts(texts);
  return {
    text,
    attachments: attachments.map(({ attachment, at }) => placed(attachment, at === undefined ? undefined : lines[at])),
    problems,
  };
}

function placed(attachment: Attachment, mailLine: number | undefined): Attachment {
  return mailLine === undefined ? attachment : { ...attachment, mailLine };
}

function isInlineText(part: MimePart): boolean {
  return part.type === 'text/plain' && part.disposition !== 'attachment' && !isMbox(part);
}

function textOf(part: MimePart, problems: Problem[]): string {
  const { text, guessed } = decodeText(part.bytes, part.params['charset']);
  if (guessed !== undefined) problems.push({ kind: 'charset', text: guessed });
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (part.params['format']?.trim().toLowerCase() !== 'flowed') return clean;
  return readFlowed(clean, part.params['delsp']?.trim().toLowerCase() === 'yes').text;
}

function withoutText(tree: MimeTree): Problem[] {
  const types = tree.parts.map((part) => part.type);
  if (types.includes('text/html'))
    return [{ kind: 'html-only', text: 'the mail has no plain text, only HTML: no patch is read from it' }];
  if (tree.rootType === 'multipart/encrypted') return [{ kind: 'encrypted', text: 'the mail is encrypted' }];
  return tree.parts.length === 0
    ? []
    : [{ kind: 'no-text', text: `the mail has no plain text, only ${[...new Set(types)].join(', ')}` }];
}

type ReadAttachment = {
  readonly attachment: Attachment;
  readonly text?: string;
  readonly appended: boolean;
  readonly problems: readonly Problem[];
};

async function readAttachment(
  part: MimePart,
  depth: number,
  budget: number,
  unxz: Unxz | undefined,
): Promise<ReadAttachment> {
  const problems: Problem[] = [];
  const base = { type: part.type, size: part.bytes.length, ...(part.name === undefined ? {} : { name: part.name }) };
  if (part.type === 'message/rfc822' || part.type === 'message/global') {
    const nested = await readNestedMail(part.bytes, depth + 1, unxz);
    return { attachment: { ...base, text: nested }, text: nested, appended: countHunks(nested).closed > 0, problems };
  }
  if (!mayBeText(part)) return { attachment: base, appended: false, problems };
  const bytes = isGzip(part)
    ? inflate(part, budget, problems)
    : isXz(part)
      ? await unpackXz(part, budget, problems, unxz)
      : part.bytes;
  if (bytes === undefined || bytes.subarray(0, 65536).includes(0))
    return { attachment: base, appended: false, problems };
  const text = textOf({ ...part, bytes }, problems);
  const appended = !isMbox(part) && (isPatchName(part) || countHunks(text).closed > 0);
  return { attachment: { ...base, text }, text, appended, problems };
}

function mayBeText(part: MimePart): boolean {
  if (part.type === 'text/html' || part.type === 'text/calendar') return false;
  if (part.type.startsWith('text/') || isGzip(part) || isXz(part) || isPatchName(part)) return true;
  if (/\.(?:txt|log|dmesg|conf|config|csv|mbox|mbx)$/i.test(part.name ?? '')) return true;
  return part.type === 'application/octet-stream' || part.type === 'application/mbox';
}

function isPatchName(part: MimePart): boolean {
  if (/^(?:text|application)\/(?:x-)?(?:patch|diff)$/.test(part.type)) return true;
  return /\.(?:patch|diff)(?:\.txt|\.gz|\.xz)?$/i.test(part.name ?? '');
}

/** An attached mbox is a source of its own: attachedMboxes gives its mails. */
function isMbox({ type, name }: MimePart): boolean {
  return type === 'application/mbox' || /\.(?:mbox|mbx)(?:\.gz)?$/i.test(name ?? '');
}

function isGzip(part: MimePart): boolean {
  return part.bytes[0] === 0x1f && part.bytes[1] === 0x8b && part.bytes[2] === 8;
}

/** The magic bytes of the xz file format, version 1.2.1, section 2.1.1.1. */
function isXz({ bytes }: MimePart): boolean {
  return [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00].every((byte, i) => bytes[i] === byte);
}

async function unpackXz(
  part: MimePart,
  budget: number,
  problems: Problem[],
  unxz: Unxz | undefined,
): Promise<Uint8Array | undefined> {
  const bytes = await unxz?.(part.bytes, Math.max(1, budget));
  if (bytes === undefined) problems.push({ kind: 'attachment', text: `${part.name ?? part.type} cannot be unpacked` });
  return bytes;
}

function inflate(part: MimePart, budget: number, problems: Problem[]): Uint8Array | undefined {
  try {
    return gunzipSync(part.bytes, { maxOutputLength: Math.max(1, budget) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    problems.push({ kind: 'attachment', text: `${part.name ?? part.type} cannot be inflated: ${error.message}` });
    return undefined;
  }
}

/** Joins texts so that each begins on a line of its own; `lines` are the 1-based lines on which they begin. */
function joinTexts(texts: readonly string[]): { readonly text: string; readonly lines: readonly number[] } {
  const pieces: string[] = [];
  const lines: number[] = [];
  let line = 1;
  let open = false;
  for (const next of texts) {
    if (open) {
      pieces.push('\n');
      line++;
    }
    lines.push(line);
    pieces.push(next);
    for (let at = next.indexOf('\n'); at >= 0; at = next.indexOf('\n', at + 1)) line++;
    open = next === '' ? open : !next.endsWith('\n');
  }
  return { text: pieces.join(''), lines };
}

import { decodeText } from './charset.js';
import type { HeaderField } from './message.js';

/** Where a mail's header ends, and its fields; `start` skips blank lines and an mbox separator above the first field. */
export type Head = {
  readonly fields: readonly HeaderField[];
  /** The values of each field, in order, by its name in lower case. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly start: number;
  readonly bodyStart: number;
};

// RFC 5322 knows no limit; a megabyte of header is no mail that a person wrote.
const headCap = 1024 * 1024;
const lf = 10;

/** Reads the header block of a mail without touching its body (RFC 5322 section 2.2, unfolded, not decoded). */
export function scanHead(bytes: Uint8Array): Head {
  const start = skipSeparator(bytes, skipBlank(bytes));
  const end = headEnd(bytes, start);
  const fields: { name: string; parts: string[] }[] = [];
  const block = startsDiff(bytes, start)
    ? ''
    : decodeText(bytes.subarray(start, Math.min(end, start + headCap)), undefined).text;
  for (const line of block.split('\n')) {
    const last = fields.at(-1);
    if ((line.startsWith(' ') || line.startsWith('\t')) && last !== undefined) {
      last.parts.push(line);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (colon <= 0 || !isFieldName(name)) continue;
    fields.push({ name: name.toLowerCase(), parts: [line.slice(colon + 1)] });
  }
  const unfolded = fields.map(({ name, parts }) => ({ name, value: parts.join('').trim() }));
  return {
    fields: unfolded,
    values: byName(unfolded),
    start,
    // Without one field there is no header, and all of it is text.
    bodyStart: unfolded.length === 0 ? start : skipEmptyLine(bytes, end),
  };
}

/** The values of one field, in order; `name` in lower case. */
export function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map((field) => field.value);
}

function byName(fields: readonly HeaderField[]): Map<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of fields) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

function isFieldName(name: string): boolean {
  return /^[!-9;-~]+$/.test(name);
}

function skipBlank(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 32 || bytes[at] === 9)) at++;
  return at;
}

// A bare diff has no header, though a line such as `default:` in its first hunk looks like a field.
function startsDiff(bytes: Uint8Array, from: number): boolean {
  return /^(?:--- |diff |@@ -)/.test(Buffer.from(bytes.subarray(from, from + 5)).toString('latin1'));
}

/** `From ` of an mbox, `>From ` of a badly forwarded one. */
function skipSeparator(bytes: Uint8Array, from: number): number {
  const first = Buffer.from(bytes.subarray(from, from + 6)).toString('latin1');
  if (!first.startsWith('From ') && !first.startsWith('>From ')) return from;
  const end = bytes.indexOf(lf, from);
  return end < 0 ? bytes.length : end + 1;
}

function headEnd(bytes: Uint8Array, from: number): number {
  let line = from;
  while (line < bytes.length) {
    if (bytes[line] === lf || (bytes[line] === 13 && bytes[line + 1] === lf)) return line;
    const next = bytes.indexOf(lf, line);
    if (next < 0) return bytes.length;
    line = next + 1;
  }
  return bytes.length;
}

function skipEmptyLine(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 13) return Math.min(at + 2, bytes.length);
  return Math.min(at + 1, bytes.length);
}

import { decodeText } from './charset.js';
import { scanHead } from './head.js';
import { countHunks } from './hunk-count.js';

const known = new Set([
  'from',
  'subject',
  'date',
  'message-id',
  'received',
  'return-path',
  'delivered-to',
  'to',
  'mime-version',
]);

/** Whether bytes begin as a mail does: an mbox separator or a field, and a field that every mail has. The start of a file will do. */
export function looksLikeMail(bytes: Uint8Array): boolean {
  const head = scanHead(bytes.subarray(0, 256 * 1024));
  const first = decodeText(bytes.subarray(head.start, head.start + 200), undefined).text;
  if (!/^[A-Za-z][A-Za-z0-9-]*[ \t]*:/.test(first)) return false;
  return head.fields.some(({ name }) => known.has(name));
}

/** Whether bytes are a diff without a mail around it: a hunk, and no NUL before it. */
export function looksLikeDiff(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 256 * 1024);
  return !start.includes(0) && countHunks(decodeText(start, undefined).text).begun > 0;
}

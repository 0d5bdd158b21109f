import { assembleText } from './body.js';
import { cleanLine } from './address.js';
import { scanHead, valuesOf } from './head.js';
import { readMimeParts } from './mime-parts.js';

// A mail in a mail in a mail is somebody's forward of a forward; deeper is an attack.
const deepest = 3;

/** An attached mail as text in the form of an attached patch file: separator, From, Date and Subject, blank line, body. */
export async function readNestedMail(bytes: Uint8Array, depth: number): Promise<string> {
  if (depth > deepest) return '';
  const head = scanHead(bytes);
  const tree = await readMimeParts(bytes.subarray(head.start));
  const body = await assembleText(tree, bytes.subarray(head.bodyStart), depth);
  const field = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${name}: ${cleanLine(value)}`];
  const lines = [
    'From mboxrd@z Thu Jan  1 00:00:00 1970',
    ...field('From', valuesOf(head.fields, 'from')[0]),
    ...field('Date', valuesOf(head.fields, 'date')[0]),
    ...field('Subject', tree.subject ?? valuesOf(head.fields, 'subject')[0]),
    '',
    body.text,
  ];
  return lines.join('\n');
}

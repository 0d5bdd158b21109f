import { assembleText, type Unxz } from './body.js';
import { cleanLine } from './address.js';
import { decodeWords } from './encoded-words.js';
import { scanHead } from './head.js';
import { readMimeParts } from './mime-parts.js';

// A mail in a mail in a mail is somebody's forward of a forward; deeper is an attack.
const deepest = 3;

/** An attached mail as text in the form of an attached patch file: separator, From, Date and Subject, blank line, body. */
export async function readNestedMail(bytes: Uint8Array, depth: number, unxz?: Unxz): Promise<string> {
  if (depth > deepest) return '';
  const head = scanHead(bytes);
  const rawBody = bytes.subarray(head.bodyStart);
  const tree = await readMimeParts(head, rawBody);
  const body = await assembleText(tree, rawBody, depth, unxz);
  const field = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${name}: ${cleanLine(value)}`];
  const lines = [
    'From mboxrd@z Thu Jan  1 00:00:00 1970',
    ...field('From', head.values.get('from')?.[0]),
    ...field('Date', head.values.get('date')?.[0]),
    ...field('Subject', head.values.get('subject')?.slice(0, 1).map(decodeWords)[0]),
    '',
    body.text,
  ];
  return lines.join('\n');
}

import addressparser from 'nodemailer/lib/addressparser';
import { decodeWords } from './encoded-words.js';
import type { Address } from './message.js';

// A header of this length holds thousands of addresses; the rest is not read.
const longest = 64 * 1024;

/** The addresses of a header value: groups flattened, names decoded and free of control characters, what is no address left out. */
export function parseAddresses(values: readonly string[]): Address[] {
  const found: Address[] = [];
  for (const value of values) {
    for (const { name, address } of parseValue(value.slice(0, longest))) {
      if (address === undefined || !isAddress(address)) continue;
      found.push({ name: cleanLine(name), address });
    }
  }
  return found;
}

/** Whether a text is `local@domain` and can go into a header and an envelope as it is. */
export function isAddress(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || text.length > 320 || at !== text.lastIndexOf('@')) return false;
  return at < text.length - 1 && /^[^\s<>()[\]\\,;:"\u0000-\u001f\u007f]+$/.test(text);
}

/** Equal as list software compares them: without regard to case. */
export function sameAddress(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A text as one line: controls and line ends become one blank each run, ends trimmed. */
export function cleanLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}

/**
 * The common form, `Name <local@host>, local@host`, taken apart without the library: a list's mails name twenty people each.
 * Undefined where there is anything that RFC 5322 section 3.4 gives a meaning beyond that.
 */
function plainList(value: string): readonly Parsed[] | undefined {
  if (/["();:\\[\]=]/.test(value)) return undefined;
  const found: Parsed[] = [];
  for (const piece of value.split(',')) {
    const text = piece.trim();
    const open = text.indexOf('<');
    const address = open < 0 ? text : text.slice(open + 1, -1).trim();
    if (open >= 0 && !text.endsWith('>')) return undefined;
    if (!isAddress(address) || /[^\u0021-\u007e]/.test(address)) return undefined;
    found.push({ name: open < 0 ? '' : text.slice(0, open).trim(), address });
  }
  return found;
}

type Parsed = { readonly name: string; readonly address?: string };

function parseValue(value: string): readonly Parsed[] {
  const plain = plainList(value);
  if (plain !== undefined) return plain;
  return addressparser(value, { flatten: true }).map(({ name, address }) => ({
    name: decodeWords(name),
    ...(address === '' || address.includes('=?') ? {} : { address }),
  }));
}

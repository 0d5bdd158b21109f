import { countHunks } from './hunk-count.js';

/**
 * The text of a format=flowed part as its author wrote the diff (RFC 3676 section 4.4): some mailers stuff a blank before
 * lines that begin with one, others only say so. The reading whose hunks close is the right one. Lines are never joined.
 */
export function readFlowed(text: string): { readonly text: string; readonly stuffed: boolean } {
  const plain = countHunks(text);
  if (plain.begun === 0) return { text, stuffed: false };
  const bare = text.replaceAll('\n ', '\n');
  const unstuffed = countHunks(text.startsWith(' ') ? bare.slice(1) : bare);
  // A stuffed context line still looks like one, so on a tie the text without stuffing is right; taking a blank from
  // lines that were never stuffed breaks their hunks.
  const stuffed = unstuffed.begun >= plain.begun && unstuffed.closed >= plain.closed && unstuffed.closed > 0;
  if (!stuffed) return { text, stuffed: false };
  return { text: text.startsWith(' ') ? bare.slice(1) : bare, stuffed: true };
}

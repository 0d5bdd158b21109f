import { decodeText } from './charset.js';

// RFC 2047 section 2; a language may stand behind the charset (RFC 2231 section 5).
const word = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?]*)\?=/gi;

/**
 * A header's text with its encoded words decoded (RFC 2047). Blanks between two words go; a character that was cut in two by words of one
 * charset is put together again. What is no encoded word stays.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  let out = '';
  let at = 0;
  let open: { charset: string; bytes: Uint8Array[] } | undefined;
  const close = (): void => {
    if (open !== undefined) out += decodeText(Buffer.concat(open.bytes), open.charset).text;
    open = undefined;
  };
  for (const found of text.matchAll(word)) {
    const between = text.slice(at, found.index);
    at = found.index + found[0].length;
    const charset = (found[1] ?? '').toLowerCase();
    const bytes = /b/i.test(found[2] ?? '') ? Buffer.from(found[3] ?? '', 'base64') : fromQ(found[3] ?? '');
    const goesOn = open !== undefined && between.trim() === '';
    // A word of ISO 2022 begins and ends in ASCII (RFC 1468), and two changes of the set at once are an error to the decoder.
    if (!goesOn || open?.charset !== charset || charset.startsWith('iso-2022')) close();
    if (!goesOn) out += between;
    open ??= { charset, bytes: [] };
    open.bytes.push(bytes);
  }
  close();
  return out + text.slice(at);
}

/** RFC 2047 section 4.2. */
function fromQ(text: string): Uint8Array {
  const plain = text.replaceAll('_', ' ');
  const escaped = plain.replace(/=(?![0-9a-f]{2})/gi, '=3D');
  const bytes: Uint8Array[] = [];
  let at = 0;
  for (const { 0: run, index } of escaped.matchAll(/(?:=[0-9a-f]{2})+/gi)) {
    bytes.push(Buffer.from(escaped.slice(at, index), 'utf8'), Buffer.from(run.replaceAll('=', ''), 'hex'));
    at = index + run.length;
  }
  bytes.push(Buffer.from(escaped.slice(at), 'utf8'));
  return Buffer.concat(bytes);
}

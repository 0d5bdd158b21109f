import type { Address } from '../mail/index.js';

/** Reads the one address of an in-body From line: `Name <addr>`, `addr (Name)` or a bare one (RFC 5322 section 3.4). */
export function parseInBodyAddress(text: string): Address | undefined {
  const line = text.slice(0, 1000).trim();
  const open = line.lastIndexOf('<');
  if (open !== -1) {
    const close = line.indexOf('>', open);
    const address = line.slice(open + 1, close === -1 ? undefined : close).trim();
    return address.includes('@') ? { name: unquoteName(line.slice(0, open)), address } : undefined;
  }
  const comment = /^([^\s@]+@[^\s@]+)\s*(?:\(([^()]*)\))?$/.exec(line);
  return comment === null ? undefined : { name: (comment[2] ?? '').trim(), address: comment[1] ?? '' };
}

function unquoteName(text: string): string {
  const name = decodeWords(text.trim());
  return name.startsWith('"') && name.endsWith('"') && name.length > 1
    ? name.slice(1, -1).replace(/\\(.)/g, '$1')
    : name;
}

/** Decodes encoded words (RFC 2047) in an in-body header; what cannot be decoded stays. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  const joined = text.replace(/\?=\s+=\?/g, '?==?');
  return joined.replace(
    /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=/gi,
    (whole, charset, how, encoded) => {
      const bytes = /b/i.test(String(how)) ? fromBase64(String(encoded)) : fromQ(String(encoded));
      try {
        return bytes === undefined ? String(whole) : new TextDecoder(String(charset)).decode(bytes);
      } catch (error) {
        if (error instanceof RangeError) return String(whole); // a charset that nobody knows
        throw error;
      }
    },
  );
}

function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replace(/=+$/, '')), (c) => c.charCodeAt(0));
}

function fromQ(text: string): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const spaced = text.replaceAll('_', ' ');
  for (let at = 0; at < spaced.length; at++) {
    const hex = /^=([0-9a-f]{2})/i.exec(spaced.slice(at, at + 3));
    if (hex === null) bytes.push(...encoder.encode(spaced[at] ?? ''));
    else bytes.push(Number.parseInt(hex[1] ?? '', 16));
    if (hex !== null) at += 2;
  }
  return Uint8Array.from(bytes);
}

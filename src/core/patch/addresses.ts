import { decodeWords, type Address } from '../mail/index.js';

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

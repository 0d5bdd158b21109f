const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Reads a C-quoted name as git writes it (quote.c): octal bytes are UTF-8. Gives the name and where it ended. */
export function unquote(text: string, from: number): { name: string; end: number } | undefined {
  if (text[from] !== '"') return undefined;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let at = from + 1; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '"') return { name: new TextDecoder().decode(Uint8Array.from(bytes)), end: at + 1 };
    if (c !== '\\') {
      const point = String.fromCodePoint(text.codePointAt(at) ?? 0);
      bytes.push(...encoder.encode(point));
      at += point.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4));
    const simple = escapes[text[at + 1] ?? ''];
    if (octal !== null) bytes.push(Number.parseInt(octal[0], 8));
    else if (simple !== undefined) bytes.push(simple);
    else return undefined;
    at += octal === null ? 1 : 3;
  }
  return undefined;
}

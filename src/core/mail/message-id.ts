// Longer ones are attacks or accidents: RFC 5322 section 2.1.1 ends a line at 998.
const longest = 900;

/** Every `<left@right>` of a header value, in order, each once; scanned, since hostile values make a pattern quadratic. */
export function messageIds(value: string): string[] {
  const found = new Set<string>();
  let open = value.indexOf('<');
  while (open >= 0) {
    const end = idEnd(value, open + 1);
    if (value[end] === '>' && end - open < longest && isMessageId(value.slice(open, end + 1)))
      found.add(value.slice(open, end + 1));
    open = value.indexOf('<', Math.max(end, open + 1));
  }
  return [...found];
}

/** Whether a text is one message-id and nothing else: `<`, something, `@`, something, `>`; no blank, bracket or control. */
export function isMessageId(text: string): boolean {
  if (text.length > longest || !text.startsWith('<') || !text.endsWith('>')) return false;
  const inner = text.slice(1, -1);
  const at = inner.indexOf('@');
  return at > 0 && inner.lastIndexOf('@') < inner.length - 1 && /^[^<>\s\u0000-\u001f\u007f]+$/.test(inner);
}

function idEnd(value: string, from: number): number {
  for (let at = from; at < value.length; at++) {
    const c = value.charCodeAt(at);
    if (c === 60 || c === 62 || c <= 32 || c === 127) return at;
  }
  return value.length;
}

/** The identifier of a List-Id field, lower case, without phrase and brackets (RFC 2919 section 3); none if it holds no such. */
export function parseListId(value: string): string[] {
  const text = value.slice(-2000);
  const open = text.lastIndexOf('<');
  const close = text.indexOf('>', open);
  const inner = (open >= 0 ? text.slice(open + 1, close < 0 ? undefined : close) : text).trim().toLowerCase();
  return /^[^\s<>@"(),:;]+$/.test(inner) && inner.includes('.') ? [inner] : [];
}

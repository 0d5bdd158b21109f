/** Markup that was written by us: everything of strangers in it has been escaped. */
export type Markup = { readonly html: string };

export type MarkupValue = string | number | Markup | readonly MarkupValue[] | undefined;

/** HTML with values in it: text is escaped, markup and lists of both stand as they are, `undefined` is nothing. */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  let html = strings[0] ?? '';
  for (const [at, value] of values.entries()) html += htmlOf(value) + (strings[at + 1] ?? '');
  return { html };
}

function htmlOf(value: MarkupValue): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeHtml(value);
  if ('html' in value) return value.html;
  return value.map(htmlOf).join('');
}

/** Text as it may stand in markup and in quoted attributes. Controls and signs that turn the writing direction are shown, not obeyed. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

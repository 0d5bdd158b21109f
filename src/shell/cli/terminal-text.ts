/** Log text as a terminal may show it: control characters of a stranger's log would act on it. */
export function plain(text: string, width = 200): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
  return clean.length > width ? `${clean.slice(0, width - 1)}…` : clean;
}

/** `text` in a column of `width`, cut where it is too long. */
export function column(text: string, width: number): string {
  return plain(text, width).padEnd(width);
}

/** `text` at the right of a column. */
export function right(text: string, width: number): string {
  return text.padStart(width);
}

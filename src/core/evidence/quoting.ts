/** A line without its mail quoting (`>`, `>>`, `|`) and indentation. `depth` counts the quote marks. */
export type Unquoted = { readonly text: string; readonly depth: number };

export const nothing: Unquoted = { text: '', depth: 0 };

/** Strips `> `, `>> `, `| ` and blanks from the start of a line, however mixed. */
export function unquote(line: string): Unquoted {
  let at = 0;
  let depth = 0;
  while (at < line.length) {
    const c = line.charCodeAt(at);
    if (c === 0x3e || c === 0x7c) depth++;
    else if (c !== 0x20 && c !== 0x09 && c !== 0xa0) break;
    at++;
  }
  let end = line.length;
  while (end > at && (line.charCodeAt(end - 1) <= 0x20 || line.charCodeAt(end - 1) === 0xa0)) end--;
  return { text: line.slice(at, end), depth };
}

/** A line that stands for lines left out: `...`, `[...]`, `[snip]`, `<snip>`. */
export function isElision(text: string): boolean {
  return /^(?:[[<(]{0,2} ?(?:\.{2,20}|\u2026|(?:\w{1,10} ){0,2}snip\w{0,4}(?: \w{1,10}){0,2}|cut)[.\s]{0,4}[\])>]{0,2}|[-=~]{2,10} ?(?:>8|8<|snip) ?[-=~]{0,10})$/i.test(
    text,
  );
}

/** Width of our own text; quoted lines and code stay as they are (RFC 5322 section 2.1.1 allows 78, lists like 72). */
export const replyWidth = 72;

/** Breaks a paragraph at blanks so that no line is longer than the width; a longer word stays whole. */
export function wrap(paragraph: string, width = replyWidth): string[] {
  const lines: string[] = [];
  let line = '';
  // A number and its unit are one word.
  const bound = paragraph.replace(/(\d) (ms|us|ns|s|%)(?![\w])/g, '$1\u00a0$2');
  for (const word of bound.split(/[ \t\n]+/)) {
    if (word === '') continue;
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((l) => l.replaceAll('\u00a0', ' '));
}

/** Rows as columns, left aligned, two blanks apart; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
}

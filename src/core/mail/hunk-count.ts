const hunkStart = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;

/** How many hunks a text begins, how many of them close by their own counts. */
export type HunkCount = { readonly begun: number; readonly closed: number };

/** Counts the hunks of a text (unified diff); in linear time on any text. */
export function countHunks(text: string): HunkCount {
  let begun = 0;
  let closed = 0;
  let old = 0;
  let fresh = 0;
  for (const line of lines(text)) {
    if (old > 0 || fresh > 0) {
      const c = line[0];
      if (c === '\\') continue;
      if (c === ' ' || c === undefined || c === '-') old--;
      if (c === ' ' || c === undefined || c === '+') fresh--;
      if (c !== undefined && c !== ' ' && c !== '-' && c !== '+') old = -1;
      if (old === 0 && fresh === 0) closed++;
      if (old >= 0 && fresh >= 0) continue;
      old = 0;
      fresh = 0;
    }
    const found = line.startsWith('@@ -') ? hunkStart.exec(line) : null;
    if (found === null) continue;
    begun++;
    old = found[1] === undefined ? 1 : Number(found[1]);
    fresh = found[2] === undefined ? 1 : Number(found[2]);
  }
  return { begun, closed };
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    yield text.slice(start, end);
    start = end + 1;
  }
}

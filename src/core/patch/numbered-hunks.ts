import parseDiff from 'parse-diff';
import type { Hunk, HunkLine } from './patch.js';
import type { RawHunk, RawLine } from './hunk.js';

/** One file's hunks with every line numbered, and how many lines it adds and removes. */
export type NumberedHunks = { readonly hunks: readonly Hunk[]; readonly added: number; readonly removed: number };

/**
 * Lets parse-diff number a file's closed hunks. It sees neutral names, counted headers and nothing but hunk lines: what it
 * reads wrongly in whole mails (facts: swallowed signatures, phantom files, quadratic headers) cannot reach it.
 */
export function numberHunks(raw: readonly RawHunk[]): NumberedHunks {
  if (raw.length === 0) return { hunks: [], added: 0, removed: 0 };
  const [file] = parseDiff(neutralDiff(raw));
  const chunks = file?.chunks ?? [];
  const hunks = raw.map((hunk, at) => {
    const changes = chunks[at]?.changes ?? [];
    const { oldStart, oldCount, newStart, newCount, section } = hunk;
    const lines = hunk.lines.map((line, nth) => numberLine(line, changes[nth]));
    return { oldStart, oldCount, newStart, newCount, section, mailLine: hunk.headerAt + 1, lines };
  });
  return { hunks, added: file?.additions ?? 0, removed: file?.deletions ?? 0 };
}

function neutralDiff(raw: readonly RawHunk[]): string {
  const out = ['--- a/x', '+++ b/x'];
  for (const hunk of raw) {
    out.push(`@@ -${hunk.oldStart},${hunk.oldCount} +${hunk.newStart},${hunk.newCount} @@`);
    for (const line of hunk.lines) out.push(line.sign + line.text);
  }
  return out.join('\n');
}

function numberLine(line: RawLine, change: parseDiff.Change | undefined): HunkLine {
  if (change === undefined) throw new Error('parse-diff gave fewer lines than the hunk has');
  const rest = { text: line.text, mailLine: line.at + 1, ...(line.noNewline ? { noNewline: true as const } : {}) };
  switch (change.type) {
    case 'normal':
      return { kind: 'context', oldNumber: change.ln1, newNumber: change.ln2, ...rest };
    case 'add':
      return { kind: 'added', newNumber: change.ln, ...rest };
    case 'del':
      return { kind: 'removed', oldNumber: change.ln, ...rest };
    default:
      return change satisfies never;
  }
}

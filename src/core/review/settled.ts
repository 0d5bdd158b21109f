import type { Patch } from '../patch/index.js';
import type { Finding } from '../rules/index.js';
import type { Reading } from './reading.js';

const mostLines = 400;

/** Short names of the lines that the patches take away, to see whether they settle a nit of an earlier patch. */
export function removedMarks(patches: readonly Patch[]): string[] {
  const marks = new Set<string>();
  for (const { path, hunks } of patches.flatMap((patch) => patch.files)) {
    for (const { kind, text } of hunks.flatMap((hunk) => hunk.lines)) {
      if (kind === 'removed' && text.trim().length > 3) marks.add(markOf(path, text));
      if (marks.size >= mostLines) return [...marks];
    }
  }
  return [...marks];
}

/** Whether a later patch takes away the added line that a finding is about. */
export function isSettled({ nit, file, quote }: Finding, later: readonly Reading[]): boolean {
  if (!nit || file === undefined || quote === undefined || !quote.startsWith('+')) return false;
  const mark = markOf(file, quote.slice(1));
  return later.some(({ removed = [] }) => removed.includes(mark));
}

// FNV-1a, 32 bits: a wrong match hides one nit.
function markOf(file: string, text: string): string {
  let hash = 0x811c9dc5;
  for (const char of `${file}\n${text.trimEnd()}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

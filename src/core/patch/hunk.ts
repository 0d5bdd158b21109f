import type { Problem } from '../mail/index.js';

/** A hunk cut out of the mail by its own counts; `at` are indexes of its lines in the mail's lines. */
export type RawHunk = {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly section: string;
  readonly headerAt: number;
  readonly lines: readonly RawLine[];
};

export type RawLine = { readonly sign: ' ' | '+' | '-'; readonly text: string; readonly at: number; noNewline?: true };

export type HunkCut =
  | { readonly ok: true; readonly hunk: RawHunk; readonly next: number; readonly problem?: Problem }
  | { readonly ok: false; readonly problem: Problem; readonly next: number };

/** Header lines are looked at only this far: longer ones are nobody's hunk. */
export const longestHeader = 8192;

const header = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(.*)$/s;

/** Whether a line could open a hunk of a unified diff. */
export function isHunkHeader(line: string): boolean {
  return line.startsWith('@@ -') && header.test(line.slice(0, longestHeader));
}

/**
 * Cuts the hunk whose header is at `from` by its own counts, as git does (apply.c, parse_fragment); an empty line is an
 * empty context line whose blank a mailer ate. A hunk that does not close gives a problem and where to go on.
 */
export function cutHunk(lines: readonly string[], from: number, end: number): HunkCut {
  const match = header.exec((lines[from] ?? '').slice(0, longestHeader));
  if (match === null) return { ok: false, problem: problemAt('bad-hunk-header', from, lines), next: from + 1 };
  const [oldCount, newCount] = [Number(match[2] ?? 1), Number(match[4] ?? 1)];
  let oldLeft = oldCount;
  let newLeft = newCount;
  const cut: RawLine[] = [];
  const rest = wrappedSection(lines, from, end);
  let at = from + (rest === undefined ? 1 : 2);
  for (; oldLeft > 0 || newLeft > 0; at++) {
    const line = at < end ? (lines[at] ?? '') : undefined;
    const sign = line === undefined ? undefined : signOf(line);
    if (line === undefined || sign === undefined) return notClosed(lines, from, at, end);
    if (sign === '\\') {
      markNoNewline(cut);
      continue;
    }
    if ((sign !== '+' && oldLeft === 0) || (sign !== '-' && newLeft === 0)) return overrun(lines, from, at);
    if (sign !== '+') oldLeft--;
    if (sign !== '-') newLeft--;
    cut.push({ sign, text: line.slice(1), at });
  }
  if (at < end && signOf(lines[at] ?? '') === '\\') {
    markNoNewline(cut);
    at++;
  }
  if (cut.length === 0) return { ok: false, problem: problemAt('empty-hunk', from, lines), next: from + 1 };
  const hunk = {
    oldStart: Number(match[1]),
    oldCount,
    newStart: Number(match[3]),
    newCount,
    section: `${match[5] ?? ''}${rest ?? ''}`.replace(/^ /, '').replace(/\r$/, ''),
    headerAt: from,
    lines: cut,
  };
  // The hunk is whole, but git will not apply it.
  return rest === undefined
    ? { ok: true, hunk, next: at }
    : { ok: true, hunk, next: at, problem: problemAt('wrapped-header', from + 1, lines) };
}

/** Mailers that wrap at 72 columns break long hunk headers before their last words; no line of the hunk is lost by it. */
function wrappedSection(lines: readonly string[], from: number, end: number): string | undefined {
  const [above, line] = [lines[from] ?? '', lines[from + 1] ?? ''];
  const isWrapped = above.length > 40 && from + 2 < end && line.length < 100 && /^[^\s+\-\\@]/.test(line);
  if (!isWrapped || /^(?:diff |Index: |From |_{10})/.test(line) || signOf(lines[from + 2] ?? '') === undefined)
    return undefined;
  return line;
}

/** A problem at an index of the mail's lines, with the line itself (cut short) as its text. */
export function problemAt(kind: string, at: number, lines: readonly string[]): Problem {
  return { kind, mailLine: at + 1, text: (lines[at] ?? '').slice(0, 200) };
}

function signOf(line: string): ' ' | '+' | '-' | '\\' | undefined {
  const c = line[0];
  if (c === undefined) return ' ';
  if (c === ' ' || c === '+' || c === '-') return c;
  if (c === '\r' && line.length === 1) return ' ';
  // "\ No newline at end of file", in whatever language: git asks for a backslash, a blank and twelve characters.
  return line.startsWith('\\ ') && line.length >= 11 ? '\\' : undefined;
}

function markNoNewline(cut: readonly RawLine[]): void {
  const last = cut.at(-1);
  if (last !== undefined) last.noNewline = true;
}

function notClosed(lines: readonly string[], from: number, at: number, end: number): HunkCut {
  if (at >= end) return { ok: false, problem: problemAt('truncated-hunk', from, lines), next: at };
  const line = lines[at] ?? '';
  const before = at - 1 > from ? (lines[at - 1] ?? '') : '';
  // Without "diff" lines the next file's two header lines look like a removed and an added line.
  const swallowed =
    line.startsWith('@@ -') && before.startsWith('+++ ') && at - 2 > from && (lines[at - 2] ?? '').startsWith('--- ');
  const stops = /^(?:@@ |diff |Index: |From |_{10})/.test(line) || /^-- ?\r?$/.test(before);
  if (stops) return { ok: false, problem: problemAt('truncated-hunk', from, lines), next: swallowed ? at - 2 : at };
  return { ok: false, problem: problemAt('wrapped-line', at, lines), next: at };
}

/** More lines of one side than the header counts: the counts lie, or lines of the other side are lost. */
function overrun(lines: readonly string[], from: number, at: number): HunkCut {
  const swallowed =
    (lines[at] ?? '').startsWith('+++ ') && at - 1 > from && (lines[at - 1] ?? '').startsWith('--- ') ? 1 : 0;
  return { ok: false, problem: problemAt('hunk-count', from, lines), next: at - swallowed };
}

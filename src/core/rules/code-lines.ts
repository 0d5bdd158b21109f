import type { Hunk, HunkLine, Patch, PatchFile } from '../patch/index.js';

/** Stands for each character of a comment in `CodeLine.code`: no C token, and no blank either. */
export const commentMark = '\u001c';

/** One line of a hunk as code: strings emptied to X, comments to `commentMark`, so that rules see only code. */
export type CodeLine = {
  readonly file: PatchFile;
  readonly hunk: Hunk;
  readonly line: HunkLine;
  /** Index in the hunk. */
  readonly at: number;
  readonly raw: string;
  readonly code: string;
};

const kept = new WeakMap<Patch, readonly CodeLine[]>();

/** Every added line of the patch, in order. */
export function addedLines(patch: Patch): readonly CodeLine[] {
  const known = kept.get(patch);
  if (known !== undefined) return known;
  const found: CodeLine[] = [];
  for (const file of patch.files) {
    for (const hunk of file.hunks) {
      const codes = isCode(file.path) ? codesOf(hunk) : undefined;
      for (const [at, line] of hunk.lines.entries()) {
        if (line.kind !== 'added') continue;
        found.push({ file, hunk, line, at, raw: line.text, code: codes?.[at] ?? line.text });
      }
    }
  }
  kept.set(patch, found);
  return found;
}

const byEnding = new WeakMap<Patch, Map<string, readonly CodeLine[]>>();

/** Added lines in files with one of these endings, such as `c`. */
export function addedIn(patch: Patch, ...endings: readonly string[]): readonly CodeLine[] {
  const found = byEnding.get(patch) ?? new Map<string, readonly CodeLine[]>();
  byEnding.set(patch, found);
  const key = endings.join();
  const known = found.get(key);
  if (known !== undefined) return known;
  const lines = addedLines(patch).filter(({ file }) => endings.includes(ending(file.path)));
  found.set(key, lines);
  return lines;
}

/** Endings of the files that are held to the kernel's line length and to a newline at their end. */
export const sources = ['h', 'c', 'rs', 's', 'S', 'sh', 'dts', 'dtsi'] as const;

/** What stands after the last dot of a path, as written. */
export function ending(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isCode(path: string): boolean {
  return ['c', 'h', 'rs', 'S', 's', 'dts', 'dtsi', 'pl', 'sh'].includes(ending(path));
}

const codesKept = new WeakMap<Hunk, readonly string[]>();

/** The code of every line of a hunk, removed lines included (each side keeps its own comment state). */
export function codesOf(hunk: Hunk): readonly string[] {
  const known = codesKept.get(hunk);
  if (known !== undefined) return known;
  const start = startsInComment(hunk.lines);
  let open = start;
  let oldOpen = start;
  const codes: string[] = [];
  for (const { kind, text } of hunk.lines) {
    const made = blank(text, kind === 'removed' ? oldOpen : open);
    codes.push(made.code);
    if (kind !== 'removed') open = made.open;
    if (kind !== 'added') oldOpen = made.open;
  }
  codesKept.set(hunk, codes);
  return codes;
}

// A hunk may begin in the middle of a comment: its first comment mark closes one, or it looks like a comment's line.
function startsInComment(lines: readonly HunkLine[]): boolean {
  for (const { kind, text } of lines) {
    if (kind === 'removed') continue;
    const edge = firstEdge(text);
    if (edge !== undefined) return edge === '*/';
  }
  return /^\s*(?:\*\*+| \*)(?:\s|$)/.test(lines[0]?.text ?? '');
}

function firstEdge(text: string): string | undefined {
  if (!text.includes('/')) return undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = closingQuote(text, at);
    else if (char === '*' && text[at + 1] === '/') return '*/';
    else if (char === '/' && text[at + 1] === '*') return '/*';
    else if (char === '/' && text[at + 1] === '/') return undefined;
  }
  return undefined;
}

function blank(text: string, wasOpen: boolean): { code: string; open: boolean } {
  let from = 0;
  let code = '';
  if (wasOpen) {
    const end = text.indexOf('*/');
    if (end === -1) return { code: masked(text, commentMark), open: true };
    from = end + 2;
    code = masked(text.slice(0, from), commentMark);
  }
  for (let at = nextMark(text, from); at !== -1; at = nextMark(text, from)) {
    code += text.slice(from, at);
    if (text[at] !== '/') {
      const end = closingQuote(text, at);
      code += text.charAt(at) + masked(text.slice(at + 1, end), 'X') + text.charAt(end);
      from = end + 1;
    } else if (text[at + 1] === '/') {
      return { code: code + commentMark.repeat(text.length - at), open: false };
    } else {
      const end = text.indexOf('*/', at + 2);
      if (end === -1) return { code: code + masked(text.slice(at), commentMark), open: true };
      from = end + 2;
      code += masked(text.slice(at, from), commentMark);
    }
  }
  return { code: code + text.slice(from), open: false };
}

/** Where the next string, character or comment begins. */
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"' || char === "'") return at;
    if (char === '/' && (text[at + 1] === '*' || text[at + 1] === '/')) return at;
  }
  return -1;
}

/** Where the string or character ends that begins at `open`; the line's length where it does not. */
function closingQuote(text: string, open: number): number {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

// Tabs stay: they carry the columns.
function masked(text: string, mark: string): string {
  return text.includes('\t') ? text.replace(/[^\t]/g, mark) : mark.repeat(text.length);
}

/** Index in the hunk of the line above (-1) or below (1) on the new side. */
export function newSideIndex(line: CodeLine, step: 1 | -1): number | undefined {
  for (let at = line.at + step; at >= 0 && at < line.hunk.lines.length; at += step) {
    if (line.hunk.lines[at]?.kind !== 'removed') return at;
  }
  return undefined;
}

/** The line above (-1) or below (1) on the new side of the same hunk. */
export function newSideNeighbour(line: CodeLine, step: 1 | -1): HunkLine | undefined {
  const at = newSideIndex(line, step);
  return at === undefined ? undefined : line.hunk.lines[at];
}

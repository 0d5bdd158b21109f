import type { Problem } from '../mail/index.js';
import { readFileHeader, type FileHeader } from './file-header.js';
import { cutHunk, isHunkHeader, problemAt, type RawHunk } from './hunk.js';
import {
  isAnsweredHead,
  isForwardMark,
  isScissorsLine,
  isSeparator,
  readMailBlock,
  type InBodyHeaders,
} from './mail-block.js';
import { parseSubject } from './subject.js';

/** One file's header and the hunks that closed. */
export type FileDraft = { readonly header: FileHeader; readonly hunks: RawHunk[] };

/** One patch as stretches of the mail's lines: [from, to) of the log, the notes and what stands after the first diff. */
export type PatchDraft = {
  headers: InBodyHeaders;
  log: [number, number];
  notes: [number, number];
  tail: [number, number];
  readonly files: FileDraft[];
  readonly problems: Problem[];
  /** Damage in what looked like a diff but was not taken for one: told only if the mail holds no patch. */
  readonly suspects: Problem[];
};

export type PatchText = { readonly lines: readonly string[]; readonly from: number; readonly end: number };

export type ReadOptions = {
  /** Text below "Original Message" of a reply is a quote without marks: it holds no patch of this mail. */
  readonly isReply: boolean;
  /** A diff whose hunks do not close is one nevertheless: the mail says that it is a patch, and no better diff is in it. */
  readonly isTrusting: boolean;
};

type State = PatchText &
  ReadOptions & {
    draft: PatchDraft;
    part: 'log' | 'notes' | 'diff';
    open: FileDraft | undefined;
    closing: { from: number; at?: number } | undefined;
  };

// A damaged file is followed by a whole one within so many lines, or the damage is a quote.
const farthestNext = 300;

/**
 * Reads the patches in a stretch of mail text by git mailinfo's rules: in-body headers, scissors, `---`, patch breaks. A
 * head of a whole mail (git format-patch, forwarded) begins the next patch.
 */
export function readPatchText(text: PatchText, options: ReadOptions): PatchDraft[] {
  const drafts: PatchDraft[] = [];
  const state: State = {
    ...text,
    ...options,
    draft: newDraft(text.from),
    part: 'log',
    open: undefined,
    closing: undefined,
  };
  let at = skipHeaders(state, text.from);
  while (at < text.end) {
    const next = readHead(state, at);
    if (next === 'stop') break;
    if (next !== undefined) {
      close(state, at);
      drafts.push(state.draft);
      state.draft = newDraft(next.next);
      state.draft.headers = next.headers;
      state.part = 'log';
      state.open = undefined;
      at = skipHeaders(state, next.next);
      continue;
    }
    at = state.part === 'diff' ? readDiffLine(state, at) : readTextLine(state, at);
  }
  close(state, at);
  drafts.push(state.draft);
  return drafts;
}

function newDraft(from: number): PatchDraft {
  return {
    headers: {},
    log: [from, from],
    notes: [from, from],
    tail: [from, from],
    files: [],
    problems: [],
    suspects: [],
  };
}

function close(state: State, at: number): void {
  const { draft, part } = state;
  if (part === 'log') draft.log[1] = at;
  if (part === 'notes') draft.notes[1] = at;
  if (part === 'diff') draft.tail[1] = at;
}

/** In-body From, Subject and Date above the log, as git reads them; gives the index where the log begins. */
function skipHeaders(state: State, from: number): number {
  const { lines, end, draft } = state;
  let at = from;
  while (at < end && (lines[at] ?? '').trim() === '') at++;
  const block = readMailBlock(lines, at, end);
  if (block !== undefined && !isAnsweredHead(lines, at, end)) {
    draft.headers = { ...draft.headers, ...block.headers };
    at = block.next;
  } else {
    at = readLooseHeaders(state, at);
  }
  while (at < end && (lines[at] ?? '').trim() === '') at++;
  draft.log = [at, at];
  return at;
}

/** Single fields: a From alone is the usual case (20 % of patches); they end at the first line that is none. */
function readLooseHeaders(state: State, from: number): number {
  const { lines, end, draft } = state;
  let at = from;
  let current: keyof InBodyHeaders | undefined;
  for (; at < end; at++) {
    const line = (lines[at] ?? '').slice(0, 2000).replace(/\r$/, '');
    if (current !== undefined && /^[ \t]/.test(line)) {
      draft.headers = { ...draft.headers, [current]: `${draft.headers[current] ?? ''} ${line.trim()}` };
      continue;
    }
    const match = /^(from|subject|date):[ \t]+(\S.*)$/i.exec(line);
    const name = match?.[1]?.toLowerCase() as keyof InBodyHeaders | undefined;
    if (match === null || name === undefined || draft.headers[name] !== undefined) break;
    draft.headers = { ...draft.headers, [name]: match[2] ?? '' };
    current = name;
  }
  return at;
}

type Head = { readonly headers: InBodyHeaders; readonly next: number };

/** The head of another whole mail at `at`, outside hunks; 'stop' where a reply's unmarked quote begins. */
function readHead(state: State, at: number): Head | 'stop' | undefined {
  const { lines, end } = state;
  const line = lines[at] ?? '';
  if (state.isReply && isForwardMark(line)) return 'stop';
  if (isSeparator(line)) {
    const block = readMailBlock(lines, at, end);
    return block === undefined ? undefined : { headers: block.headers, next: block.next };
  }
  if (!/^[A-Z][A-Za-z-]{1,30}: /.test(line.slice(0, 40)) || (at > 0 && !endsParagraph(lines[at - 1] ?? ''))) {
    return undefined;
  }
  const block = readMailBlock(lines, at, end);
  if (block === undefined) return undefined;
  if (isAnsweredHead(lines, at, end)) return state.isReply ? 'stop' : block;
  return parseSubject(block.headers.subject ?? '').isPatch ? block : undefined;
}

function endsParagraph(line: string): boolean {
  return line.trim() === '' || isForwardMark(line) || /^[-_=*]{3,}\s*$/.test(line.slice(0, 200));
}

function readTextLine(state: State, at: number): number {
  const { lines, draft } = state;
  const line = lines[at] ?? '';
  if (isScissorsLine(line)) {
    state.draft = newDraft(at + 1);
    state.draft.suspects.push(...draft.suspects);
    state.part = 'log';
    return skipHeaders(state, at + 1);
  }
  const begun = beginDiff(state, at);
  if (begun !== undefined) return begun;
  if (state.part === 'log' && /^---\s*$/.test(line.slice(0, 200))) {
    close(state, at);
    draft.notes = [at + 1, at + 1];
    state.part = 'notes';
  }
  return at + 1;
}

/** Opens the first file where a diff begins. In a log it must prove itself: people quote diffs there. */
function beginDiff(state: State, at: number): number | undefined {
  const { lines, end, draft } = state;
  const header = readFileHeader(lines, at, end);
  if (header === undefined) return undefined;
  const first =
    header.next < end && isHunkHeader(lines[header.next] ?? '') ? cutHunk(lines, header.next, end) : undefined;
  const isProven = header.isFirm || first?.ok === true || (first !== undefined && goesOn(state, header.next + 1));
  const isTold = header.form !== 'plain' && state.part === 'notes';
  if (!isProven && !isTold && !(state.isTrusting && header.form !== 'combined')) {
    if (first?.ok === false && header.form === 'git') draft.suspects.push(first.problem);
    return undefined;
  }
  const top = topOfHeader(state, at);
  close(state, top);
  state.part = 'diff';
  draft.tail = [at, at];
  if (draft.notes[0] < draft.log[1]) draft.notes = [top, top];
  return openFile(state, header);
}

// Index, =====, RCS file, retrieving revision; a wrapped `diff --git` with its second name, index and modes.
const longestTop = 8;
const topLine =
  /^(?:Index: |={20,}|RCS file: |retrieving revision |index [\da-f]{4,}\.\.|diff -|[a-z]\/\S+\s*$|(?:new|old|deleted) )/;

/** Where the lines begin that belong to a file's header though it was read without them: CVS heads, a wrapped `diff` line. */
function topOfHeader({ lines, draft, part }: State, at: number): number {
  const first = part === 'notes' ? draft.notes[0] : draft.log[0];
  let top = at;
  for (let above = at - 1; above >= Math.max(first, at - longestTop); above--) {
    const line = (lines[above] ?? '').slice(0, 400);
    if (!topLine.test(line)) break;
    if (line.startsWith('diff -') || line.startsWith('Index: ')) top = above;
  }
  return top;
}

/**
 * Whether a diff goes on behind a hunk that did not close: another hunk closes soon, and hardly anything between is no line
 * of a diff. Which hunk closes next is looked for once and remembered, so that all looks are one reading of the text.
 */
function goesOn(state: State, from: number): boolean {
  const { lines } = state;
  const next = nextClosedHunk(state, from);
  if (next === undefined || next - from > farthestNext) return false;
  let others = 0;
  for (let at = from; at < next; at++) {
    const line = lines[at] ?? '';
    if (/^---\s*$/.test(line.slice(0, 200))) return false;
    if (!/^(?:[ +\-\\@]|diff --git |index |$)/.test(line)) others++;
  }
  return others * 3 <= next - from || others <= 2;
}

function nextClosedHunk(state: State, from: number): number | undefined {
  const { lines, end } = state;
  const known = state.closing;
  if (known !== undefined && known.from <= from && (known.at === undefined || known.at >= from)) return known.at;
  let at = from;
  while (at < end && !(isHunkHeader(lines[at] ?? '') && cutHunk(lines, at, end).ok)) at++;
  state.closing = { from, ...(at < end ? { at } : {}) };
  return state.closing.at;
}

function openFile(state: State, header: FileHeader): number {
  state.open = undefined;
  if (header.form === 'combined') {
    state.draft.problems.push(problemAt('combined-diff', header.at, state.lines));
    return header.next;
  }
  state.open = { header, hunks: [] };
  state.draft.files.push(state.open);
  return header.next;
}

function readDiffLine(state: State, at: number): number {
  const { lines, end, draft } = state;
  const line = lines[at] ?? '';
  const header = readFileHeader(lines, at, end);
  if (header !== undefined) return openFile(state, header);
  if (line.startsWith('@@ -')) {
    const cut = cutHunk(lines, at, end);
    if (cut.problem !== undefined) draft.problems.push(cut.problem);
    if (!cut.ok) return cut.next;
    if (state.open !== undefined) state.open.hunks.push(cut.hunk);
    else draft.problems.push(problemAt('hunk-without-file', at, lines));
    return cut.next;
  }
  if (/^-- ?\r?$/.test(line)) state.open = undefined;
  else if (isLeftOver(state, at)) draft.problems.push(problemAt('lines-after-hunk', at, lines));
  return at + 1;
}

/** A changed line right after a hunk that closed: the hunk's counts are too small, or lines were put in by hand. */
function isLeftOver(state: State, at: number): boolean {
  const last = state.open?.hunks.at(-1)?.lines.at(-1);
  return last !== undefined && last.at === at - 1 && /^(?:\+(?!\+\+ )|-(?!-))/.test(state.lines[at] ?? '');
}

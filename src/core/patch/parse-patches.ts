import { decodeWords, type Message, type Problem } from '../mail/index.js';
import { parseInBodyAddress } from './addresses.js';
import { numberHunks } from './numbered-hunks.js';
import { readPatchText, type FileDraft, type PatchDraft, type PatchText } from './patch-text.js';
import type { Patch, PatchFile, Prose } from './patch.js';
import { parseSubject, type Subject } from './subject.js';
import { readTrailers } from './trailers.js';

/** The patches of a mail, and what is wrong with diffs that belong to none of them. */
export type ParsedPatches = { readonly patches: readonly Patch[]; readonly problems: readonly Problem[] };

/**
 * Finds the patches in a mail: any text gives a value, in time linear in its length. Every text part that was attached is
 * read on its own; a bare diff attached to a mail takes the mail's text as its commit message.
 */
export function parsePatches(message: Message): ParsedPatches {
  const subject = parseSubject(message.subject);
  const careful = readAll(message, subject, false);
  const isFound = careful.drafts.some((draft) => draft.files.length > 0);
  const mayTrust = !isFound && subject.isPatch && !subject.isReply;
  const { lines, drafts } = mayTrust ? readAll(message, subject, true) : careful;
  const patches: Patch[] = [];
  const problems: Problem[] = [];
  for (const draft of drafts) {
    if (draft.files.length > 0) patches.push(finish(lines, draft, message, subject));
    else problems.push(...draft.problems);
  }
  if (patches.length === 0) problems.push(...drafts.flatMap((draft) => draft.suspects));
  return { patches, problems };
}

type Draft = PatchDraft & { prose?: Prose };

function readAll(message: Message, subject: Subject, isTrusting: boolean): { lines: string[]; drafts: Draft[] } {
  const lines = message.text.split('\n');
  const options = { isReply: subject.isReply, isTrusting };
  const drafts: Draft[] = [];
  let body: Prose | undefined;
  for (const stretch of stretchesOf(message, lines)) {
    const found: Draft[] = readPatchText(stretch, options);
    const first = found[0];
    if (body === undefined) {
      body = first === undefined ? { lines: [], mailLine: 1 } : withoutFooter(proseOf(lines, first.log));
    } else if (first !== undefined && first.headers.subject === undefined && isBare(lines, first)) {
      first.prose = body;
    }
    drafts.push(...found);
  }
  return { lines, drafts };
}

/** A mail's text without what Mailman puts below it: a line of 47 underscores and a few lines on the list. */
function withoutFooter({ lines, mailLine }: Prose): Prose {
  const at = lines.findLastIndex((line) => /^_{47}\s*$/.test(line.slice(0, 100)));
  return at < 0 || lines.length - at > 6 ? { lines, mailLine } : { lines: proseOf(lines, [0, at]).lines, mailLine };
}

function isBare(lines: readonly string[], draft: PatchDraft): boolean {
  return lines.slice(draft.log[0], draft.log[1]).every((line) => line.trim() === '');
}

/** The inline text and each attached text as stretches of lines; a stretch with CR at every line end loses them. */
function stretchesOf(message: Message, lines: string[]): PatchText[] {
  const starts = message.attachments
    .flatMap((part) => (part.mailLine === undefined ? [] : [part.mailLine - 1]))
    .filter((start) => start > 0 && start < lines.length)
    .sort((a, b) => a - b);
  const bounds = [0, ...new Set(starts), lines.length];
  return bounds.slice(1).map((end, at) => {
    const from = bounds[at] ?? 0;
    stripReturns(lines, from, end);
    return { lines, from, end: end === lines.length && lines[end - 1] === '' ? end - 1 : end };
  });
}

function stripReturns(lines: string[], from: number, end: number): void {
  const last = lines[end - 1] === '' ? end - 1 : end;
  for (let at = from; at < last; at++) if (!(lines[at] ?? '').endsWith('\r')) return;
  for (let at = from; at < last; at++) lines[at] = (lines[at] ?? '').slice(0, -1);
}

function finish(lines: readonly string[], draft: Draft, message: Message, mail: Subject): Patch {
  const inBody = draft.headers.subject === undefined ? undefined : parseSubject(decodeWords(draft.headers.subject));
  const subject = inBody?.isPatch ? inBody : mail;
  const log = draft.prose ?? proseOf(lines, draft.log);
  const notes = proseOf(lines, draft.notes);
  const tail = afterDiff(lines, draft);
  const inBodyFrom = draft.headers.from === undefined ? undefined : parseInBodyAddress(draft.headers.from);
  const author = inBodyFrom ?? message.from;
  const changeId = findMark(changeIdLine, [notes.lines, tail, log.lines]);
  const baseCommit = findMark(baseCommitLine, [notes.lines, tail, log.lines]);
  return {
    title: inBody?.title ?? mail.title,
    prefix: subject.prefix,
    tags: subject.tags,
    version: subject.version,
    ...(subject.index === undefined ? {} : { index: subject.index }),
    ...(subject.total === undefined ? {} : { total: subject.total }),
    ...(author === undefined ? {} : { author }),
    log,
    trailers: readTrailers(log),
    notes,
    files: draft.files.map(finishFile),
    ...(changeId === undefined ? {} : { changeId }),
    ...(baseCommit === undefined ? {} : { baseCommit }),
    problems: draft.problems,
  };
}

function finishFile({ header, hunks: raw }: FileDraft): PatchFile {
  const { path, oldPath, status, oldMode, newMode, binary } = header;
  const { hunks, added, removed } = numberHunks(raw);
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    status,
    ...(oldMode === undefined ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    binary,
    added,
    removed,
    mailLine: header.at + 1,
    hunks,
  };
}

/** The lines of a stretch without the empty ones around them. */
export function proseOf(lines: readonly string[], [from, to]: readonly [number, number]): Prose {
  let first = from;
  let last = to;
  while (first < last && (lines[first] ?? '').trim() === '') first++;
  while (last > first && (lines[last - 1] ?? '').trim() === '') last--;
  return { lines: lines.slice(first, last), mailLine: first + 1 };
}

/** What stands below the last hunk: signature, base-commit and change-id of git format-patch and b4. */
function afterDiff(lines: readonly string[], draft: PatchDraft): readonly string[] {
  const file = draft.files.at(-1);
  const last = file?.hunks.at(-1)?.lines.at(-1)?.at ?? (file?.header.next ?? draft.tail[0]) - 1;
  return lines.slice(last + 1, draft.tail[1]);
}

export const changeIdLine = /^\s{0,4}change-id:\s{1,8}(\S{6,200})\s*$/i;
const baseCommitLine = /^\s{0,4}base-commit:\s{1,8}([0-9a-f]{7,64})\b/i;

/** The value of the first line that matches, looked for in the stretches in order. */
export function findMark(pattern: RegExp, stretches: readonly (readonly string[])[]): string | undefined {
  for (const lines of stretches) {
    for (const line of lines) {
      const match = line.length < 400 ? pattern.exec(line) : null;
      if (match !== null) return match[1];
    }
  }
  return undefined;
}

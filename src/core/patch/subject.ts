import { isForwardSubject, isReplySubject, stripReplyPrefixes } from '../mail/index.js';

/** What the subject line of a mail says about the patch in it. */
export type Subject = {
  /** Without reply prefixes and leading brackets, white space collapsed. */
  readonly title: string;
  /** What stood in the brackets, list tags left out: `PATCH v2 net-next 3/7`. */
  readonly prefix: string;
  /** Words of the prefix other than PATCH, vN and n/m. */
  readonly tags: readonly string[];
  /** Tags that a list's software put before the patch bracket: `Intel-wired-lan`. */
  readonly listTags: readonly string[];
  /** 1 where none is said. A partial reroll `v5.1` is 5.1. */
  readonly version: number;
  readonly index?: number;
  readonly total?: number;
  /** The brackets announce a patch or a cover letter. */
  readonly isPatch: boolean;
  readonly isReply: boolean;
  readonly isForward: boolean;
  readonly isResend: boolean;
  readonly isRfc: boolean;
};

type Marks = {
  tags: string[];
  version?: number;
  dotted?: number;
  index?: number;
  total?: number;
  hasPatch: boolean;
  hasPull: boolean;
};

const longest = 2000;
const mostGroups = 16;
// One word in front of the patch bracket is the list's own tag unless it is one of these.
const ownWords =
  /^(?:rfc|rft|resend|repost|wip|net|net-next|bpf|bpf-next|tip|next|v\d.*|stable|for-?next|security|review|draft|urgent)$/i;

// A mail's subject is asked about by several that read it.
let last: { readonly subject: string; readonly read: Subject } | undefined;

/** Reads a decoded, unfolded subject line: reply prefixes, brackets, version and n/m, which count only inside brackets. */
export function parseSubject(subject: string): Subject {
  if (last?.subject !== subject) last = { subject, read: readSubject(subject) };
  return last.read;
}

function readSubject(subject: string): Subject {
  let rest = collapse(subject.slice(0, longest));
  const isReply = isReplySubject(rest);
  const isForward = !isReply && isForwardSubject(rest);
  const groups: string[] = [];
  for (;;) {
    rest = stripReplyPrefixes(rest);
    const end = rest.startsWith('[') && groups.length < mostGroups ? rest.indexOf(']') : -1;
    if (end === -1) break;
    groups.push(collapse(rest.slice(1, end)));
    rest = rest.slice(end + 1).trimStart();
  }
  return { ...readGroups(groups), title: rest, isReply, isForward };
}

function readGroups(groups: readonly string[]): Omit<Subject, 'title' | 'isReply' | 'isForward'> {
  const patchAt = groups.findIndex((group) => speaksOfPatch(readMarks([group])));
  const listTags = groups.filter((group, at) => at < patchAt && !group.includes(' ') && !ownWords.test(group));
  const own = groups.filter((group) => !listTags.includes(group));
  const marks = readMarks(own);
  const version = marks.version ?? marks.dotted ?? 1;
  return {
    prefix: own.join(' '),
    tags: marks.tags,
    listTags,
    version,
    ...(marks.index !== undefined && marks.total !== undefined ? { index: marks.index, total: marks.total } : {}),
    isPatch: speaksOfPatch(marks),
    isResend: marks.tags.some((tag) => /^(?:resend|repost|resent)$/i.test(tag)),
    isRfc: marks.tags.some((tag) => /^rfc$/i.test(tag)),
  };
}

function speaksOfPatch(marks: Marks): boolean {
  if (marks.hasPull) return false;
  return marks.hasPatch || marks.index !== undefined || marks.version !== undefined;
}

function readMarks(groups: readonly string[]): Marks {
  const marks: Marks = { tags: [], hasPatch: false, hasPull: false };
  for (const group of groups) {
    const words = wordsOf(group);
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? '';
      // `1 of 3`
      if (/^\d{1,4}$/.test(word) && /^of$/i.test(words[at + 1] ?? '') && /^\d{1,4}$/.test(words[at + 2] ?? '')) {
        setNumbers(marks, word, words[at + 2] ?? '');
        at += 2;
        continue;
      }
      // `version 3`
      if (/^(?:version|ver|rev)$/i.test(word) && /^\d{1,3}$/.test(words[at + 1] ?? '')) {
        marks.version ??= Number(words[at + 1]);
        at += 1;
        continue;
      }
      readWord(marks, word, words[at - 1] ?? '');
    }
  }
  if (marks.version !== undefined && marks.dotted !== undefined) marks.tags.push(`v${marks.dotted}`);
  return marks;
}

/** Splits at blanks and commas; glued words (`PATCHv2`, `PATCH1/8`, `RFC/PATCH`, `v4-1/3`) come apart. */
function wordsOf(group: string): string[] {
  const words: string[] = [];
  for (const token of group.replace(/(\d) ?\/ ?(\d)/g, '$1/$2').split(/[\s,;:|&]+/)) {
    let rest = token;
    for (;;) {
      const glued = /^(?:(patch(?:es|set)?|rfc|rft|resend|repost)(?=[-_/v\d])|(v\d{1,3})(?=[-_/]\d))[-_/]?/i.exec(rest);
      if (glued === null) break;
      words.push(glued[1] ?? glued[2] ?? '');
      rest = rest.slice(glued[0].length);
    }
    if (rest !== '') words.push(rest);
  }
  return words;
}

function readWord(marks: Marks, word: string, before: string): void {
  const numbers = /^(\d{1,4})\/(\d{1,4})$/.exec(word);
  const plain = /^v\.?(\d{1,3})$/i.exec(word);
  // Two digits after the point are a kernel's version (v4.19), as is anything after "for"; v5.1 is a partial reroll.
  const dotted = /^(?:for|to|on|stable|linux|queue|backport)$/i.test(before) ? null : /^v(\d{1,2}\.\d)$/i.exec(word);
  if (numbers !== null) setNumbers(marks, numbers[1] ?? '', numbers[2] ?? '');
  else if (plain !== null && marks.version === undefined) marks.version = Number(plain[1]);
  else if (dotted !== null && marks.dotted === undefined) marks.dotted = Number(dotted[1]);
  else if (/^patch(?:es|set)?$/i.test(word)) marks.hasPatch = true;
  else marks.tags.push(word);
  if (/^pull$/i.test(word)) marks.hasPull = true;
}

function setNumbers(marks: Marks, index: string, total: string): void {
  if (marks.index !== undefined || Number(total) === 0) return;
  marks.index = Number(index);
  marks.total = Number(total);
}

function collapse(text: string): string {
  return text.replace(/[\s\0]+/g, ' ').trim();
}

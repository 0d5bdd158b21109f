import type { PatchFile } from './patch.js';
import { readGitNames, readName, saysNoFile, stripOne, stripPrefixes, type NamePair } from './file-names.js';
import { isHunkHeader, longestHeader } from './hunk.js';

/** What stands above the hunks of one file. `next` is the index of the first line after it. */
export type FileHeader = {
  readonly form: 'git' | 'plain' | 'combined';
  readonly path: string;
  readonly oldPath?: string;
  readonly status: PatchFile['status'];
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly binary: boolean;
  /** It says something even without a hunk: a rename, a mode, a new empty file, a binary. */
  readonly isFirm: boolean;
  readonly at: number;
  readonly next: number;
};

type Fields = {
  oldMode?: string;
  newMode?: string;
  added?: true;
  deleted?: true;
  renameFrom?: string;
  renameTo?: string;
  copyFrom?: string;
  copyTo?: string;
  minus?: string;
  plus?: string;
  binary?: true;
};

// Between `diff -u`, `Index:` or a CVS head and the `---` line: "=====", "RCS file:", "retrieving revision", a blank.
const farthestNames = 8;

/** Reads the header of a file's diff if one stands at `at`: git's own, or GNU, quilt, svn and CVS forms without it. */
export function readFileHeader(lines: readonly string[], at: number, end: number): FileHeader | undefined {
  const line = lines[at] ?? '';
  if (line.startsWith('diff --git ')) return readGitHeader(lines, at, end);
  if (line.startsWith('diff --cc ') || line.startsWith('diff --combined ')) return readCombined(lines, at);
  if (line.startsWith('--- ')) return readPlain(lines, at, at, end);
  if (!line.startsWith('diff -') && !line.startsWith('Index: ')) return undefined;
  for (let below = at + 1; below < Math.min(end, at + farthestNames); below++) {
    const candidate = lines[below] ?? '';
    if (candidate.startsWith('--- ')) return readPlain(lines, at, below, end);
    if (candidate.startsWith('diff -') || candidate.startsWith('Index: ')) return undefined;
  }
  return undefined;
}

function readGitHeader(lines: readonly string[], at: number, end: number): FileHeader | undefined {
  const first = lines[at] ?? '';
  if (first.length > longestHeader) return undefined;
  const fields: Fields = {};
  let next = at + 1;
  while (next < end && readExtended(fields, lines[next] ?? '')) next++;
  if (/^GIT binary patch\r?$/.test(lines[next] ?? '') && next < end) {
    fields.binary = true;
    next = skipBinary(lines, next + 1, end);
  } else if (/^(?:Binary )?files .* differ\r?$/i.test((lines[next] ?? '').slice(0, longestHeader)) && next < end) {
    fields.binary = true;
    next++;
  }
  const names = namesOf(fields, readGitNames(first.slice('diff --git '.length)));
  const path = (fields.deleted ? names.old : names.new) ?? names.new ?? names.old;
  if (path === undefined || path === '') return undefined;
  const status = statusOf(fields);
  const moved = status === 'renamed' || status === 'copied';
  return {
    form: 'git',
    path,
    ...(moved && names.old !== undefined ? { oldPath: names.old } : {}),
    status,
    ...(fields.oldMode === undefined ? {} : { oldMode: fields.oldMode }),
    ...(fields.newMode === undefined ? {} : { newMode: fields.newMode }),
    binary: fields.binary === true,
    isFirm: status !== 'modified' || fields.binary === true,
    at,
    next,
  };
}

/** One extended header line (git apply.c, parse_git_diff_header); false when the line is none. */
function readExtended(fields: Fields, line: string): boolean {
  if (line.length > longestHeader) return false;
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const mode = /^(old|new|new file|deleted file) mode (\d{1,8})$/.exec(text);
  if (mode !== null) {
    const value = mode[2] ?? '';
    if (mode[1] === 'old' || mode[1] === 'deleted file') fields.oldMode = value;
    else fields.newMode = value;
    if (mode[1] === 'new file') fields.added = true;
    if (mode[1] === 'deleted file') fields.deleted = true;
    return true;
  }
  const move = /^(rename|copy) (from|to|old|new) (.+)$/.exec(text);
  if (move !== null) {
    const name = readWholeName(move[3] ?? '');
    const isSource = move[2] === 'from' || move[2] === 'old';
    if (move[1] === 'rename') fields[isSource ? 'renameFrom' : 'renameTo'] = name;
    else fields[isSource ? 'copyFrom' : 'copyTo'] = name;
    return true;
  }
  if (/^(?:dis)?similarity index \d{1,3}%$/.test(text)) return true;
  const index = /^index [\da-f]{1,64}\.\.[\da-f]{1,64}(?: (\d{1,8}))?$/i.exec(text);
  if (index !== null) {
    if (index[1] !== undefined && !fields.added && !fields.deleted) fields.oldMode = fields.newMode = index[1];
    return true;
  }
  if (text.startsWith('--- ') && fields.minus === undefined && fields.plus === undefined) {
    fields.minus = text.slice(4);
    return true;
  }
  if (text.startsWith('+++ ') && fields.minus !== undefined && fields.plus === undefined) {
    fields.plus = text.slice(4);
    return true;
  }
  return false;
}

function readWholeName(text: string): string {
  return text.startsWith('"') ? (readName(text) ?? text) : text;
}

function namesOf(fields: Fields, first: NamePair | undefined): NamePair {
  const old = fields.renameFrom ?? fields.copyFrom;
  const fresh = fields.renameTo ?? fields.copyTo;
  if (old !== undefined && fresh !== undefined) return { old, new: fresh };
  if (first !== undefined && first.old === first.new) return first;
  const minus = fields.minus === undefined || saysNoFile(fields.minus) ? undefined : readName(fields.minus);
  const plus = fields.plus === undefined || saysNoFile(fields.plus) ? undefined : readName(fields.plus);
  if (minus !== undefined && plus !== undefined) return stripPrefixes(minus, plus, 'git');
  if (plus !== undefined) return { new: stripOne(plus) };
  if (minus !== undefined) return { old: stripOne(minus) };
  return first ?? {};
}

function statusOf(fields: Fields): PatchFile['status'] {
  if (fields.added) return 'added';
  if (fields.deleted) return 'deleted';
  if (fields.renameTo !== undefined) return 'renamed';
  if (fields.copyTo !== undefined) return 'copied';
  const changesMode = fields.oldMode !== undefined && fields.newMode !== undefined && fields.oldMode !== fields.newMode;
  return changesMode && fields.minus === undefined && !fields.binary ? 'mode' : 'modified';
}

/** `literal N` and `delta N` blocks of base85 lines, each ended by an empty line. */
function skipBinary(lines: readonly string[], from: number, end: number): number {
  let at = from;
  while (at < end && /^(?:literal|delta) \d{1,12}\r?$/.test(lines[at] ?? '')) {
    at++;
    while (at < end && /^[A-Za-z][!-~]{5,70}\r?$/.test(lines[at] ?? '')) at++;
    while (at < end && /^\r?$/.test(lines[at] ?? '')) at++;
  }
  return at;
}

function readCombined(lines: readonly string[], at: number): FileHeader {
  const line = (lines[at] ?? '').slice(0, longestHeader);
  const path = readName(line.slice(line.indexOf(' ', 5) + 1)) ?? '';
  return { form: 'combined', path, status: 'modified', binary: false, isFirm: false, at, next: at + 1 };
}

function readPlain(lines: readonly string[], at: number, namesAt: number, end: number): FileHeader | undefined {
  const [minusLine, plusLine] = [lines[namesAt] ?? '', lines[namesAt + 1] ?? ''];
  if (namesAt + 2 >= end || !plusLine.startsWith('+++ ') || !isHunkHeader(lines[namesAt + 2] ?? '')) return undefined;
  if (minusLine.length > longestHeader || plusLine.length > longestHeader) return undefined;
  const [minus, plus] = [minusLine.slice(4), plusLine.slice(4)];
  const [old, fresh] = [readName(minus), readName(plus)];
  if (old === undefined || fresh === undefined) return undefined;
  const [added, deleted] = [saysNoFile(minus), saysNoFile(plus)];
  const pair = old === '/dev/null' || fresh === '/dev/null' ? {} : stripPrefixes(old, fresh, 'plain');
  const path = deleted ? (pair.old ?? stripOne(old)) : withoutBackup(pair.old, pair.new ?? stripOne(fresh));
  if (path === '' || path === '/dev/null') return undefined;
  const status = added ? 'added' : deleted ? 'deleted' : 'modified';
  return { form: 'plain', path, status, binary: false, isFirm: false, at, next: namesAt + 2 };
}

/** Of x.c and x.c.orig, x.c~ or x.c-orig the shorter is the file, whichever side it is on (git apply.c, find_name_traditional). */
function withoutBackup(old: string | undefined, fresh: string): string {
  return old !== undefined && old !== '' && fresh.startsWith(old) ? old : fresh;
}

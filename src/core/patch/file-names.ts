import { unquote } from './unquote.js';

export type NamePair = { readonly old?: string; readonly new?: string };

const lettered = /^[abciow12]\//;
// Roots of unpacked trees in GNU and quilt diffs: linux-2.6.orig/, linux-5.4/, a.old/, new/.
const treeRoot = /^(?:linux[^/]*|new|old|orig|[^/]*\.orig|[^/]*\.old|[^/]*[-.]\d[^/]*|\.)\//;

/** Reads the two names of `diff --git X Y`, prefixes taken off; blanks in names are told apart by the names being equal. */
export function readGitNames(rest: string): NamePair | undefined {
  const line = rest.replace(/\s+$/, '');
  const first = unquote(line, 0);
  if (first !== undefined) {
    const second = readName(line.slice(first.end).trimStart());
    return second === undefined ? undefined : stripPrefixes(first.name, second, 'git');
  }
  const quotedAt = line.indexOf(' "');
  if (quotedAt > 0) {
    const second = unquote(line, quotedAt + 1);
    if (second !== undefined) return stripPrefixes(line.slice(0, quotedAt), second.name, 'git');
  }
  const middle = (line.length - 1) / 2;
  if (Number.isInteger(middle) && /\s/.test(line[middle] ?? '')) {
    const [old, fresh] = [line.slice(0, middle), line.slice(middle + 1)];
    if (old === fresh || withoutFirst(old) === withoutFirst(fresh)) return stripPrefixes(old, fresh, 'git');
  }
  const cut = line.includes(' b/') ? line.lastIndexOf(' b/') : line.lastIndexOf(' ');
  return cut <= 0 ? undefined : stripPrefixes(line.slice(0, cut), line.slice(cut + 1), 'git');
}

/** Reads the name after `--- ` or `+++ `: quoted, or up to a tab or a time stamp. */
export function readName(text: string): string | undefined {
  const quoted = unquote(text, 0);
  if (quoted !== undefined) return quoted.name;
  const tab = text.indexOf('\t');
  const line = tab === -1 ? text : text.slice(0, tab);
  const stamp = / +(?:\(revision \d+\)|\(working copy\)|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/.exec(line);
  const name = (stamp === null ? line : line.slice(0, stamp.index)).replace(/[\r ]+$/, '');
  return name === '' ? undefined : name;
}

/** Whether the line after `--- ` or `+++ ` says that there is no file: /dev/null, or the epoch of GNU diff -N. */
export function saysNoFile(text: string): boolean {
  return /^\/dev\/null\s*$/.test(text) || /[\t ](?:1970-01-01|1969-12-31) \d\d:\d\d:\d\d/.test(text);
}

/**
 * Takes the prefixes off a pair of names: a/ b/, the mnemonic letters, tree roots of GNU and quilt diffs. Equal names are
 * a diff without prefixes, and stay.
 */
export function stripPrefixes(old: string, fresh: string, form: 'git' | 'plain'): NamePair {
  if (old === fresh) {
    const name = form === 'plain' && /^(?:[ab]|\.)\//.test(old) ? withoutFirst(old) : old;
    return { old: name, new: name };
  }
  const [oldRest, newRest] = [withoutFirst(old), withoutFirst(fresh)];
  if (oldRest === newRest && oldRest !== '') return { old: oldRest, new: newRest };
  return { old: stripOne(old), new: stripOne(fresh) };
}

/** Takes the prefix off a name that stands alone. */
export function stripOne(name: string): string {
  return lettered.test(name) || treeRoot.test(name) ? withoutFirst(name) : name;
}

function withoutFirst(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? '' : name.slice(slash + 1);
}

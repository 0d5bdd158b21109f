import { addedIn, codesOf } from './code-lines.js';
import type { Patch } from '../patch/index.js';

export type DelayCall = {
  readonly name: string;
  readonly args: readonly string[];
  /** What stands between the brackets, as it stands. */
  readonly inner: string;
  /** The call on one line. */
  readonly text: string;
  /** The call ends its statement: a semicolon follows. */
  readonly statement: boolean;
  readonly where: { readonly file: string; readonly line?: number; readonly mailLine: number };
};

const reach = 4;
const kept = new WeakMap<Patch, Map<string, readonly DelayCall[]>>();

/** Calls of `name` that begin on an added line of C, also where the arguments go on in the next lines. */
export function callsIn(patch: Patch, name: string): readonly DelayCall[] {
  const byName = kept.get(patch) ?? new Map<string, readonly DelayCall[]>();
  kept.set(patch, byName);
  const known = byName.get(name);
  if (known !== undefined) return known;
  const found: DelayCall[] = [];
  for (const { code, hunk, at, line, file } of addedIn(patch, 'h', 'c')) {
    if (!code.includes(name)) continue;
    const rest = [code];
    for (let next = at + 1; next < hunk.lines.length && rest.length < reach; next++) {
      if (hunk.lines[next]?.kind !== 'removed') rest.push(codesOf(hunk)[next] ?? '');
    }
    const { newNumber, mailLine } = line;
    const where = { file: file.path, ...(newNumber === undefined ? {} : { line: newNumber }), mailLine };
    for (const call of callsOn(rest, name)) found.push({ ...call, where });
  }
  byName.set(name, found);
  return found;
}

function* callsOn(lines: readonly string[], name: string): Iterable<Omit<DelayCall, 'where'>> {
  const first = lines[0] ?? '';
  const all = lines.join(' ');
  for (let from = first.indexOf(name); from !== -1; from = first.indexOf(name, from + name.length)) {
    if (/\w/.test(first[from - 1] ?? ' ')) continue;
    const open = /^\s*\(/.exec(all.slice(from + name.length));
    if (open === null) continue;
    const start = from + name.length + open[0].length;
    const end = closing(all, start);
    if (end === -1) continue;
    const inner = all.slice(start, end);
    const args = splitArgs(inner);
    const text = `${name}(${args.join(', ')})`;
    yield { name, args, inner, text, statement: all[end + 1] === ';' };
  }
}

function closing(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
    else if (text[at] === ';') return -1;
  }
  return -1;
}

function splitArgs(inner: string): string[] {
  const args: string[] = [];
  let depth = 0;
  let arg = '';
  for (const char of inner) {
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    if (char === ',' && depth === 0) {
      args.push(arg);
      arg = '';
    } else arg += char;
  }
  return [...args, arg].map((one) => one.replace(/\s+/g, ' ').trim());
}

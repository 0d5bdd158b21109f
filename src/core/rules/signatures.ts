import type { LogLine } from './log-lines.js';

/** A line such as `Reviewed-by: A B <a@example.org>`, kept with its spelling. */
export type Signature = LogLine & {
  readonly indent: string;
  /** As written, without the colon. */
  readonly tag: string;
  readonly gap: string;
  readonly value: string;
};

/** The signature and Cc lines among `lines`. */
export function signaturesOf(lines: readonly LogLine[]): Signature[] {
  const found: Signature[] = [];
  for (const line of lines) {
    const match = /^(\s*)([a-z][\w-]*-by|to|cc):(\s*)(\S.*)?$/i.exec(line.text);
    if (match === null) continue;
    const [, indent = '', tag = '', gap = '', value = ''] = match;
    found.push({ ...line, indent, tag, gap, value: value.trimEnd() });
  }
  return found;
}

export type Person = {
  readonly name: string;
  readonly address: string;
  /** What stands in round brackets in or beside the name. */
  readonly comment: string;
  /** What follows the address. */
  readonly tail: string;
};

/** Reads `Name (comment) <address> tail` or a bare address; nothing where it is neither. */
export function parsePerson(value: string): Person | undefined {
  const angled = /^([^<]*)<([^\s<>]+@[^\s<>]+)>(.*)$/.exec(value);
  if (angled !== null) {
    const [, before = '', address = '', tail = ''] = angled;
    return { ...nameOf(before), address, tail: tail.trim() };
  }
  const bare = /^([^\s<>"]+@[^\s<>]+)(.*)$/.exec(value.trim());
  if (bare === null) return undefined;
  const [, address = '', tail = ''] = bare;
  return { name: '', comment: '', address, tail: tail.trim() };
}

function nameOf(text: string): { name: string; comment: string } {
  const comment = /\(([^()]*)\)/.exec(text)?.[1] ?? '';
  const name = text
    .replace(/\([^()]*\)/, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { name: name.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'), comment };
}

/** The address without its `+detail`, in lower case. */
export function plainAddress(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, '@');
}

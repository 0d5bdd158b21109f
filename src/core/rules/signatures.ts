import type { LogLine } from './log-lines.js';

/** A line such as `Reviewed-by: A B <a@example.org>`, kept with its spelling. */
export type Signature = LogLine & {
  readonly indent: string;
  /** As written, without the colon. */
  readonly tag: string;
  readonly gap: string;
  readonly value: string;
};

const kept = new WeakMap<readonly LogLine[], readonly Signature[]>();

/** The signature and Cc lines among `lines`: whatever ends in `by:`. */
export function signaturesOf(lines: readonly LogLine[]): readonly Signature[] {
  const known = kept.get(lines);
  if (known !== undefined) return known;
  const found: Signature[] = [];
  for (const line of lines) {
    if (!line.text.includes(':')) continue;
    const match = /^(\s*)([\w-]+by|to|cc):(\s*)(\S.*)?$/i.exec(line.text);
    if (match === null) continue;
    const [, indent = '', tag = '', gap = '', value = ''] = match;
    found.push({ ...line, indent, tag, gap, value: value.trimEnd() });
  }
  kept.set(lines, found);
  return found;
}

/** The stable list named after another address. */
export const stableTail = /^stable@(?:vger\.)?kernel\.org$/i;

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
  // Where a line names several people, the last one counts.
  const close = value.lastIndexOf('>');
  const open = close === -1 ? -1 : value.lastIndexOf('<', close);
  if (open !== -1) {
    const address = value.slice(open + 1, close);
    if (!isAddress(address)) return undefined;
    return { ...nameOf(value.slice(0, open)), address, tail: value.slice(close + 1).trim() };
  }
  const text = value.trim();
  const end = text.search(/\s/);
  const address = end === -1 ? text : text.slice(0, end);
  if (!isAddress(address)) return undefined;
  return { name: '', comment: '', address, tail: end === -1 ? '' : text.slice(end).trim() };
}

function isAddress(text: string): boolean {
  return /^[^\s<>"]+$/.test(text) && text.indexOf('@') > 0 && !text.endsWith('@');
}

function nameOf(text: string): { name: string; comment: string } {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(.)/g, '$1');
  const comment = /\(([^()]*)\)/.exec(bare)?.[1] ?? '';
  const name = bare
    .replace(/\([^()]*\)/, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { name, comment };
}

/** The address without its `+detail`, in lower case. */
export function plainAddress(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*@/, '@');
}

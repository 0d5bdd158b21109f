import { target, textOf } from './calls.js';
import type { Token } from './lexer.js';

/** An assignment, an initialiser (`.delay = 5`, `int n = 3`) or an enum constant. */
export type Assign = {
  /** Left side: `retry`, `hba->delay_us`, `.startup_delay`. */
  readonly target: string;
  readonly operator: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** A declaration with a type before it, as text. */
  readonly type?: string;
  readonly constant?: true;
};

const OPERATORS = new Set(['=', '+=', '-=', '*=', '/=', '<<=', '>>=']);

/** Every assignment of the text in order, those in heads of loops and conditions too. */
export function findAssigns(tokens: readonly Token[]): Assign[] {
  const found: Assign[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'punct' || !OPERATORS.has(token.text)) continue;
    const left = target(tokens, i);
    if (left === undefined) continue;
    const to = endOfValue(tokens, i + 1);
    const value = textOf(tokens, i + 1, to);
    const last = tokens[to - 1] ?? token;
    const first = firstOfTarget(tokens, i, left);
    const type = declaredType(tokens, first);
    found.push({
      target: left,
      operator: token.text,
      value,
      start: tokens[first]?.start ?? token.start,
      end: last.end,
      line: tokens[first]?.line ?? token.line,
      endLine: last.line,
      ...(type === undefined ? {} : { type }),
      ...(type !== undefined && /\bconst\b/.test(type) ? { constant: true as const } : {}),
    });
  }
  return found;
}

function endOfValue(tokens: readonly Token[], from: number): number {
  let depth = 0;
  let i = from;
  for (; i < tokens.length; i++) {
    const text = tokens[i]?.text ?? '';
    if (tokens[i]?.kind === 'directive') break;
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && (text === ';' || text === ',')) break;
  }
  return i;
}

function firstOfTarget(tokens: readonly Token[], equals: number, left: string): number {
  let i = equals - 1;
  let seen = '';
  const wanted = left.replace(/\s+/g, '');
  while (i > 0) {
    seen = (tokens[i]?.text ?? '') + seen;
    if (seen.length >= wanted.length) break;
    i--;
  }
  return Math.max(i, 0);
}

function declaredType(tokens: readonly Token[], first: number): string | undefined {
  let from = first - 1;
  while (from >= 0) {
    const token = tokens[from];
    if (token === undefined || !(token.kind === 'name' || token.text === '*')) break;
    from--;
  }
  const text = textOf(tokens, from + 1, first).trim();
  return text === '' || /^(?:return|else|do|case|goto)\b/.test(text) ? undefined : text;
}

/** An enum constant with its value, counted on from the last written one. */
export type EnumConstant = { readonly name: string; readonly value: string; readonly line: number };

/** Constants of every `enum { ... }` in the text. */
export function findEnums(tokens: readonly Token[]): EnumConstant[] {
  const found: EnumConstant[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]?.text !== 'enum') continue;
    let at = i + 1;
    if (tokens[at]?.kind === 'name') at++;
    if (tokens[at]?.text !== '{') continue;
    at++;
    let last = '-1';
    while (at < tokens.length && tokens[at]?.text !== '}') {
      const name = tokens[at];
      const to = endOfValue(tokens, at);
      if (name?.kind === 'name') {
        last = tokens[at + 1]?.text === '=' ? textOf(tokens, at + 2, to) : `(${last}) + 1`;
        if (last.length > 400) break;
        found.push({ name: name.text, value: last, line: name.line });
      }
      at = Math.max(to, at) + 1;
    }
    i = at;
  }
  return found;
}

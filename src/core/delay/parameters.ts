import { findCalls, functionAt, textOf, tokenise, type Token } from '../csource/index.js';
import type { Side } from './side.js';

/** A function's parameters by name, in order. */
type Signature = { readonly name: string; readonly parameters: readonly string[] };

const MOST_FUNCTIONS = 400;

/** The calls of a mail's own functions that can be seen: what they are given, and who makes them. */
export type CallsSeen = {
  /** `function parameter` to the texts of that argument. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** Function to the functions that call it. */
  readonly callers: ReadonlyMap<string, readonly string[]>;
  /** Function to the names of its parameters. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
};

/** Calls of functions whose definition, or the hunk's section line, can be seen. */
export function callsSeen(sides: readonly Side[]): CallsSeen {
  const signatures = new Map<string, readonly string[]>();
  for (const side of sides) {
    for (const s of signaturesOf(side)) if (signatures.size < MOST_FUNCTIONS) signatures.set(s.name, s.parameters);
  }
  const given = new Map<string, string[]>();
  const callers = new Map<string, string[]>();
  if (signatures.size === 0) return { given, callers, parameters: signatures };
  for (const side of sides) {
    for (const call of findCalls(side.fragment.tokens, (name) => signatures.has(name))) {
      const caller = functionAt(side.fragment, call.start);
      if (caller !== undefined && caller !== call.name) add(callers, call.name, caller);
      const parameters = signatures.get(call.name) ?? [];
      if (call.cut || parameters.length !== call.args.length) continue;
      for (const [i, parameter] of parameters.entries()) add(given, `${call.name} ${parameter}`, call.args[i] ?? '');
    }
  }
  return { given, callers, parameters: signatures };
}

function add(map: Map<string, string[]>, key: string, text: string): void {
  const known = map.get(key) ?? [];
  if (!known.includes(text) && known.length < 20) map.set(key, [...known, text]);
}

function signaturesOf(side: Side): Signature[] {
  const found: Signature[] = [];
  const section = side.section === '' ? undefined : signature(tokenise(side.section));
  if (section !== undefined) found.push(section);
  const { tokens } = side.fragment;
  let at = 0;
  for (const block of side.fragment.blocks()) {
    if (block.kind !== 'function') continue;
    // Blocks and tokens both stand in order.
    while (at < tokens.length && (tokens[at]?.start ?? 0) < block.start) at++;
    const read = signature(tokens.slice(at, at + 120));
    if (read !== undefined) found.push(read);
  }
  return found;
}

/** The name before the first bracket, and the last word of each parameter. */
function signature(tokens: readonly Token[]): Signature | undefined {
  const open = tokens.findIndex((t) => t.text === '(');
  const name = tokens[open - 1];
  if (open < 1 || name?.kind !== 'name') return undefined;
  const parameters: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < tokens.length; i++) {
    const text = tokens[i]?.text;
    if (text === '(') depth++;
    if ((text === ',' && depth === 1) || (text === ')' && depth === 1)) {
      const last = /(\w+) ?(?:\[\w*\])?$/.exec(textOf(tokens, from, i))?.[1];
      if (last === undefined) return undefined;
      parameters.push(last);
      from = i + 1;
    }
    if (text === ')' && --depth === 0) return { name: name.text, parameters };
  }
  return undefined;
}

import { textOf, type Token } from '../csource/index.js';
import type { Hunk, PatchFile } from '../patch/index.js';
import type { ArgumentUnit } from './catalogue.js';
import { inUnit } from './quantity.js';
import { declaredIn } from './records.js';
import { lookupAt, type Scope } from './scope.js';
import { functionOf, isTouched, placeOf, type Side } from './side.js';
import { noProbes, questionOf, type Site } from './site.js';
import { evaluate } from './value.js';
import { isTimeName, unitOfName } from './words.js';

/** One brace that is open: what its elements are. */
type Frame = {
  /** Record that it is, or that its elements are. */
  readonly type: string | undefined;
  /** Variable that it initialises. */
  readonly name: string | undefined;
  /** Its elements are of the type, not its members. */
  readonly isArray: boolean;
  readonly from: number;
  index: number;
  /** The token that the element begins at. */
  element: number;
};

/** What a table must have for a time to be in it: the record that it is of, a name for a time, or a field that is. */
const SIGNS =
  /\breg_sequence\b|\bREG_SEQ\(|\b\w*(?:delay|wait|sleep|settle|timeout|backoff|poll|interval|debounce|_[mun]s\b|_[mu]secs?\b)\w*\s*(?:(?:\[\w*\]\s*)+=|;)|DELAY\w*\(/i;

/** A changed line that is a row of numbers, in a file whose hunks show that a time may stand in a table. */
export function isTable(hunk: Hunk, file: PatchFile): boolean {
  return hunk.lines.some((l) => l.kind !== 'context' && isRow(l.text.slice(0, 300))) && hasSigns(file);
}

/** Numbers between commas: a line of code has a semicolon or assigns something. */
function isRow(text: string): boolean {
  const open = text.indexOf('= {');
  let body = open >= 0 ? text.slice(open + 3) : text.replace(/^\s*\[\w+\]\s*=/, '');
  body = body.trimEnd();
  if (body.endsWith('};')) body = body.slice(0, -2);
  return /\d/.test(body) && !/[;=]/.test(body);
}

const signs = new WeakMap<PatchFile, boolean>();

function hasSigns(file: PatchFile): boolean {
  const known = signs.get(file);
  if (known !== undefined) return known;
  const has = file.hunks.some(
    (h) => SIGNS.test(h.section.slice(0, 300)) || h.lines.some((l) => SIGNS.test(l.text.slice(0, 300))),
  );
  signs.set(file, has);
  return has;
}

/**
 * Times that stand in tables without a name of their own: rows of a record whose fields are in sight, a list of numbers that is
 * named for a time, and macros such as `TOY_DELAY(20)`. `fields` are the fields of records in order.
 */
export function tableSites(side: Side, fields: () => ReadonlyMap<string, readonly string[]>, scope: Scope): Site[] {
  const hunk = side.file.hunks[side.hunk];
  if (hunk === undefined || !isTable(hunk, side.file)) return [];
  const tokens = side.fragment.tokens.filter((t) => t.kind !== 'directive');
  const found: Site[] = [];
  const stack: Frame[] = [];
  const first = frameOfSection(side, tokens);
  if (first !== undefined) stack.push(first);
  for (const [i, token] of tokens.entries()) {
    const top = stack.at(-1);
    if (found.length >= 500) break;
    if (token.text === '{') stack.push(opened(tokens, i, top));
    else if (token.text === '}' || token.text === ',') {
      if (top !== undefined) element(i, top);
      if (token.text === ',') {
        if (top !== undefined) Object.assign(top, { index: top.index + 1, element: i + 1 });
        continue;
      }
      stack.pop();
      if (top?.isArray === true && top.type === undefined) list(i, top);
    } else if (token.text === '(') {
      // A macro's arguments are none of the table's elements.
      if (top !== undefined && tokens[i - 1]?.kind === 'name') macro(i, top);
      stack.push({ type: undefined, name: undefined, isArray: false, from: i, index: 0, element: i + 1 });
    } else if (token.text === ')' || token.text === ';') stack.pop();
  }
  const open = stack.find((f) => f.from < 0 && f.isArray && f.type === undefined);
  if (open !== undefined) list(tokens.length, open);
  return found;

  /** `0x11, 0x00, 120`: the element that ends at a token, where the field of its place is named for a time. */
  function element(to: number, frame: Frame): void {
    if (frame.isArray || frame.type === undefined) return;
    const field = fields().get(frame.type)?.[frame.index];
    if (field === undefined || !isTimeName(field) || to - frame.element !== 1) return;
    push(
      {
        from: frame.element,
        to,
        text: `${field} ${textOf(tokens, frame.element, to)}`,
        target: `${frame.name ?? ''}.${field}`,
      },
      unitOfName(field),
    );
  }

  /** `static const int toy_backoff_ms[] = { 1, 2, 5 }`: all of it is one entry. */
  function list(close: number, frame: Frame): void {
    const name = frame.name ?? '';
    const unit = unitOfName(name);
    if (!isTimeName(name) || close - frame.from > 400) return;
    push(
      {
        from: frame.from + 1,
        to: close,
        text: `${name}[] = { ${textOf(tokens, frame.from + 1, close)} }`,
        target: name,
      },
      unit,
    );
  }

  /** `TOY_DELAY(20)`, `REG_SEQ(0x11, 0x01, 500)` as an element of a table. */
  function macro(open: number, frame: Frame): void {
    const name = tokens[open - 1]?.text ?? '';
    let close = open + 1;
    while (close < Math.min(tokens.length, open + 40) && tokens[close]?.text !== ')') close++;
    const args = textOf(tokens, open + 1, close).split(', ');
    const isSequence = name === 'REG_SEQ' && args.length === 3;
    const isDelay = /(?:^|_)[UM]?(?:DELAY|SLEEP)(?:_|$)/.test(name) && args.length === 1;
    if ((!isSequence && !isDelay) || frame.element !== open - 1) return;
    if (tokens[close]?.text !== ')' || functionOf(side, tokens[open]?.start ?? 0) !== undefined) return;
    const last = tokens[close - 1];
    if (last === undefined || close - open < 2) return;
    const panel = /^drivers\/(?:gpu\/drm\/panel|video\/fbdev)\//.test(side.file.path) ? 'ms' : undefined;
    const unit = isSequence ? 'us' : (unitOfName(name) ?? panel);
    const shown = isSequence ? `${name}(..., ${last.text})` : `${name}(${args[0] ?? ''})`;
    push(
      {
        from: close - 1,
        to: close,
        text: shown,
        target: isSequence ? `${name}(${args.slice(0, 2).join(', ')})` : name,
      },
      unit,
    );
  }

  function push(part: Part, unit: ArgumentUnit | undefined): void {
    const [from, last] = [tokens[part.from], tokens[part.to - 1]];
    if (from === undefined || last === undefined) return;
    const lookup = lookupAt(scope, side, from.start);
    const numbers = withoutPlaces(tokens.slice(part.from, part.to));
    if (numbers.length === 0 || numbers.some((t) => t.kind !== 'number' && t.kind !== 'name')) return;
    const evaluated = numbers.map((t) => evaluate(t.text, lookup));
    // Of a list there is no one time to tell.
    const [only] = evaluated;
    const span =
      unit === undefined || only?.value === undefined || evaluated.length > 1 ? undefined : inUnit(only.value, unit);
    found.push({
      side,
      kind: 'constant',
      wait: {
        text: part.text.slice(0, 120),
        ...(span === undefined ? {} : { span }),
        resolved: span === undefined ? 'no' : (only?.resolved ?? 'no'),
        unknown: [...new Set(evaluated.flatMap((e) => e.unknown))],
        ...(unit === undefined || numbers.length > 1 ? {} : questionOf([numbers[0]?.text ?? ''], evaluated, unit)),
      },
      via: evaluated.flatMap((e) => e.via),
      place: placeOf(side, from.start),
      offset: from.start,
      line: from.line,
      endLine: last.line,
      touched: isTouched(side, from.line, last.line),
      target: part.target,
      source: 'assign',
      probes: noProbes,
    });
  }
}

/** `[TOY_FAST] = 10, [TOY_SLOW] = 50` without what says where they go. */
function withoutPlaces(tokens: readonly Token[]): Token[] {
  return tokens.filter((t, i) => {
    if (t.text === ',' || t.text === '=' || t.text === '[' || t.text === ']') return false;
    return !(tokens[i - 1]?.text === '[' && tokens[i + 1]?.text === ']');
  });
}

type Part = { readonly from: number; readonly to: number; readonly text: string; readonly target: string };

/** The table that a hunk starts in, by its section line. */
function frameOfSection(side: Side, tokens: readonly Token[]): Frame | undefined {
  if (side.fragment.startsIn !== undefined) return undefined;
  let head = side.section.slice(0, 300).trimEnd();
  if (head.endsWith('{')) head = head.slice(0, -1).trimEnd();
  if (!head.endsWith('=') || tokens[0] === undefined) return undefined;
  head = head.slice(0, -1).trimEnd();
  const isArray = head.endsWith(']');
  const name = /(\w+)$/.exec(isArray ? head.slice(0, head.indexOf('[')).trimEnd() : head)?.[1];
  return { type: declaredIn(side.section), name, isArray, from: -1, index: 0, element: 0 };
}

function opened(tokens: readonly Token[], at: number, top: Frame | undefined): Frame {
  const base = { from: at, index: 0, element: at + 1 };
  const before = tokens[at - 1]?.text;
  if (before === '=') {
    // `[TOY] = {` in a table of records is one of them.
    if (tokens[at - 2]?.text === ']' && top?.isArray === true && tokens[top.element]?.text === '[')
      return { ...base, type: top.type, name: top.name, isArray: false };
    let from = at - 2;
    while (from > 0 && at - from < 24 && !/^[;{},]$/.test(tokens[from]?.text ?? '')) from--;
    const head = tokens.slice(from, at - 1);
    const struct = head.findIndex((t) => t.text === 'struct');
    const isArray = head.at(-1)?.text === ']';
    const bracket = head.findIndex((t) => t.text === '[');
    const name = head[(bracket < 0 ? head.length : bracket) - 1]?.text;
    return { ...base, type: struct < 0 ? undefined : head[struct + 1]?.text, name, isArray };
  }
  if (before === ',' || before === '{' || before === undefined) {
    if (top?.isArray === true) return { ...base, type: top.type, name: top.name, isArray: false };
    if (top === undefined) return { ...base, type: undefined, name: undefined, isArray: false };
  }
  return { ...base, type: undefined, name: undefined, isArray: false };
}

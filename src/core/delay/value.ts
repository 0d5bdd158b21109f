import { tokenise, type Token } from '../csource/index.js';
import { apply, least, most, parseNumber, roundedUp, span, type Quantity } from './quantity.js';
import { ADD, CONSTANTS, FROM_TIME, NOW, SAME, TO_TIME } from './units.js';

/** A name's meaning: text to evaluate, with parameters for a macro that takes some. */
export type Meaning = {
  readonly text: string;
  readonly params?: readonly string[];
  /** `header`: as the kernel's headers had it in the version that we know; a tree at hand knows better. */
  readonly from: 'define' | 'local' | 'tree' | 'header';
  /** The texts of a variable that is set to one of several. */
  readonly choices?: readonly string[];
};

/** Looks a name up where the expression stands. */
export type Lookup = (name: string) => Meaning | undefined;

export type Evaluated = {
  readonly value?: Quantity;
  readonly resolved: 'literal' | 'define' | 'tree' | 'no';
  /** Names that nothing explains. */
  readonly unknown: readonly string[];
  /** Names that something explained. */
  readonly via: readonly string[];
  /** What those names were explained by. */
  readonly known: Readonly<Record<string, string>>;
  /** What a kernel tree may know better. */
  readonly assumed: Readonly<Record<string, string>>;
};

const MAX_DEPTH = 24;
const MAX_STEPS = 4000;

/** What an expression comes to, as far as the patch tells. Bounded in depth and in steps. */
export function evaluate(text: string, lookup: Lookup): Evaluated {
  const state: State = { unknown: new Set(), via: new Map(), assumed: new Map(), tree: false, steps: 0 };
  const value = evaluateText(text, lookup, state, 0);
  const settled = value !== undefined && state.unknown.size === 0;
  return {
    ...(value === undefined ? {} : { value }),
    resolved: !settled ? 'no' : state.tree ? 'tree' : state.via.size > 0 ? 'define' : 'literal',
    unknown: [...state.unknown],
    via: [...state.via.keys()],
    known: Object.fromEntries([...state.via].filter(([name]) => !state.assumed.has(name))),
    assumed: Object.fromEntries(state.assumed),
  };
}

/** What a kernel tree may know better; empty where it is nothing. */
export function assumedIn(evaluated: readonly Evaluated[]): { assumed?: Evaluated['assumed'] } {
  const assumed = Object.assign({}, ...evaluated.map((e) => e.assumed)) as Record<string, string>;
  return Object.keys(assumed).length === 0 ? {} : { assumed };
}

/**
 * What an expression comes to when every unknown name is given a number of its own: two expressions that agree under two
 * such choices mean the same, whatever the names are worth.
 */
export function probe(text: string, lookup: Lookup, salt: number): Quantity | undefined {
  // What a structure holds may differ from device to device, whatever one line puts into it.
  const probing: Lookup = (name) =>
    (/->|\./.test(name) ? undefined : lookup(name)) ?? { text: String(numberFor(name, salt)), from: 'local' };
  return evaluate(text, probing).value;
}

function numberFor(name: string, salt: number): number {
  let hash = 2166136261 ^ salt;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  const n = hash >>> 0;
  if (salt === 3) return 2 + (n % 7);
  return (1009 + (n % 9973) * 7) * (salt === 4 ? 9973 : 1);
}

type State = {
  unknown: Set<string>;
  readonly via: Map<string, string>;
  readonly assumed: Map<string, string>;
  tree: boolean;
  steps: number;
};

type Cursor = {
  readonly tokens: readonly Token[];
  at: number;
  readonly lookup: Lookup;
  readonly state: State;
  depth: number;
};

function evaluateText(text: string, lookup: Lookup, state: State, depth: number): Quantity | undefined {
  if (depth > MAX_DEPTH || text.length > 4000) return undefined;
  const tokens = tokenise(text).filter((t) => t.kind !== 'directive');
  if (tokens.length === 0) return undefined;
  const cursor: Cursor = { tokens, at: 0, lookup, state, depth };
  const value = ternary(cursor);
  return cursor.at >= tokens.length ? value : undefined;
}

function peek(c: Cursor): string {
  return c.tokens[c.at]?.text ?? '';
}

function ternary(c: Cursor): Quantity | undefined {
  const condition = binary(c, 0);
  if (peek(c) !== '?') return condition;
  c.at++;
  if (peek(c) === ':') {
    c.at++;
    const other = ternary(c);
    return condition === undefined || other === undefined
      ? undefined
      : condition.min > 0
        ? condition
        : span(condition, other);
  }
  const yes = ternary(c);
  if (peek(c) !== ':') return undefined;
  c.at++;
  const no = ternary(c);
  return yes === undefined || no === undefined ? undefined : span(yes, no);
}

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

function binary(c: Cursor, level: number): Quantity | undefined {
  const operators = LEVELS[level];
  if (operators === undefined) return unary(c);
  let left = binary(c, level + 1);
  while (operators.includes(peek(c))) {
    const operator = peek(c);
    c.at++;
    const right = binary(c, level + 1);
    left =
      left === undefined ? cutDown(operator, right) : right === undefined ? undefined : apply(operator, left, right);
  }
  return left;
}

/** Whatever the left side is: `x % n` is less than n, `x & mask` no more than the mask. */
function cutDown(operator: string, right: Quantity | undefined): Quantity | undefined {
  if (right === undefined || right.time || right.min < 0) return undefined;
  if (operator === '%') return { min: 0, max: Math.max(0, right.max - 1), time: false };
  return operator === '&' ? { min: 0, max: right.max, time: false } : undefined;
}

function unary(c: Cursor): Quantity | undefined {
  if (++c.state.steps > MAX_STEPS || ++c.depth > 200) {
    c.at = c.tokens.length + 1;
    return undefined;
  }
  try {
    const text = peek(c);
    if (text === '-') {
      c.at++;
      const value = unary(c);
      return value && { min: -value.max, max: -value.min, time: value.time };
    }
    if (text === '+' || text === '&' || text === '*') {
      c.at++;
      return unary(c);
    }
    if (text === '!' || text === '~') {
      c.at++;
      unary(c);
      return undefined;
    }
    return primary(c);
  } finally {
    c.depth--;
  }
}

function primary(c: Cursor): Quantity | undefined {
  const token = c.tokens[c.at];
  if (token === undefined) return undefined;
  c.at++;
  if (token.kind === 'number') return parseNumber(token.text);
  if (token.text === '(') {
    if (isCast(c)) {
      while (c.at < c.tokens.length && peek(c) !== ')') c.at++;
      c.at++;
      return unary(c);
    }
    const inner = ternary(c);
    if (peek(c) !== ')') return undefined;
    c.at++;
    return inner;
  }
  if (token.kind !== 'name') return undefined;
  let name = token.text;
  if (name === 'sizeof') {
    skipCall(c);
    return undefined;
  }
  // Rust paths, struct members and array elements are one name.
  for (;;) {
    const next = peek(c);
    const after = c.tokens[c.at + 1];
    if (next === ':' && after?.text === ':' && c.tokens[c.at + 2]?.kind === 'name') {
      name += `::${c.tokens[c.at + 2]?.text ?? ''}`;
      c.at += 3;
    } else if ((next === '->' || next === '.') && after?.kind === 'name') {
      name += next + after.text;
      c.at += 2;
    } else if (next === '[') {
      const from = c.at;
      skipCall(c);
      name += c.tokens
        .slice(from, c.at)
        .map((t) => t.text)
        .join('');
    } else break;
  }
  if (peek(c) === '(') return call(c, name);
  if (peek(c) === '++' || peek(c) === '--') c.at++;
  return named(c, name);
}

/** `(unsigned long)x`: a cast, if only type words stand in the brackets and an operand follows. */
function isCast(c: Cursor): boolean {
  let i = c.at;
  let words = 0;
  while (i < c.tokens.length && c.tokens[i]?.text !== ')') {
    const t = c.tokens[i];
    if (t?.text === '*' && words > 0) {
      i++;
      continue;
    }
    if (t === undefined || !/^(?:unsigned|signed|long|int|short|char|const|struct|(?:__)?[us]\d+|\w+_t)$/.test(t.text))
      return false;
    words++;
    i++;
  }
  return words > 0 && c.tokens[i + 1] !== undefined && /^[\w(]/.test(c.tokens[i + 1]?.text ?? '');
}

function skipCall(c: Cursor): void {
  let depth = 0;
  while (c.at < c.tokens.length) {
    const text = peek(c);
    c.at++;
    if (text === '(' || text === '[') depth++;
    else if (text === ')' || text === ']') {
      depth--;
      if (depth <= 0) return;
    }
  }
}

function named(c: Cursor, name: string): Quantity | undefined {
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return constant;
  const meaning = c.lookup(name);
  if (meaning === undefined || meaning.params !== undefined) {
    c.state.unknown.add(name);
    return undefined;
  }
  const value = evaluateText(meaning.text, withoutName(c.lookup, name), c.state, c.depth + 4);
  if (value !== undefined) {
    c.state.via.set(name, meaning.text);
    if (meaning.from === 'tree') c.state.tree = true;
    if (meaning.from === 'header') c.state.assumed.set(name, meaning.text);
  } else c.state.unknown.add(name);
  return value;
}

/** A name that is explained by itself is not explained. */
function withoutName(lookup: Lookup, name: string): Lookup {
  return (other) => (other === name ? undefined : lookup(other));
}

function call(c: Cursor, name: string): Quantity | undefined {
  const from = c.at;
  c.at++;
  const args: (Quantity | undefined)[] = [];
  const texts: string[] = [];
  while (c.at < c.tokens.length && peek(c) !== ')') {
    const start = c.at;
    args.push(argument(c));
    texts.push(
      c.tokens
        .slice(start, c.at)
        .map((t) => t.text)
        .join(' '),
    );
    if (peek(c) === ',') c.at++;
    else if (peek(c) !== ')') {
      c.at = from;
      skipCall(c);
      return undefined;
    }
  }
  c.at++;
  return functionValue(c, name, args, texts);
}

/** An argument may be a type (`min_t(u32, a, b)`), which has no value but must not spoil the rest. */
function argument(c: Cursor): Quantity | undefined {
  const start = c.at;
  const before = new Set(c.state.unknown);
  const value = ternary(c);
  if (peek(c) === ',' || peek(c) === ')') {
    const isType = c.tokens
      .slice(start, c.at)
      .every((t) => /^(?:unsigned|signed|long|int|char|[us]\d+|\w+_t)$/.test(t.text));
    if (isType) c.state.unknown = before;
    return isType ? undefined : value;
  }
  let depth = 0;
  while (c.at < c.tokens.length) {
    const text = peek(c);
    if (depth === 0 && (text === ',' || text === ')')) break;
    if (text === '(' || text === '[') depth++;
    if (text === ')' || text === ']') depth--;
    c.at++;
  }
  return undefined;
}

function functionValue(
  c: Cursor,
  name: string,
  args: (Quantity | undefined)[],
  texts: readonly string[],
): Quantity | undefined {
  const first = args[0];
  const toTime = TO_TIME.get(name);
  if (toTime !== undefined) {
    if (first === undefined) return undefined;
    // A span where a count belongs (round_jiffies_relative() of milliseconds) stays what it is.
    return first.time ? first : { min: first.min * toTime, max: first.max * toTime, time: true };
  }
  const fromTime = FROM_TIME.get(name);
  if (fromTime !== undefined)
    return first?.time ? { min: first.min / fromTime, max: first.max / fromTime, time: false } : undefined;
  if (NOW.has(name)) return { min: 0, max: 0, time: true };
  const add = ADD.get(name);
  if (add !== undefined) {
    const second = args[1];
    if (second === undefined) return undefined;
    const base = first?.time ? first : { min: 0, max: 0 };
    // A ktime where microseconds belong is its nanoseconds, as many microseconds.
    return { min: base.min + second.min * add, max: base.max + second.max * add, time: true };
  }
  if (SAME.has(name)) return first;
  const values = name.endsWith('_t') ? args.slice(1) : args;
  switch (name.replace(/_t$/, '').toLowerCase()) {
    case 'min':
    case 'min3':
      return least(values);
    case 'max':
    case 'max3':
      return most(values);
    case 'clamp':
    case 'clamp_val': {
      const [v, low, high] = values;
      if (low === undefined || high === undefined) return undefined;
      return v === undefined ? span(low, high) : least([most([v, low]), high]);
    }
    case 'div_round_up':
    case 'div_round_closest':
    case 'div_round_up_ull':
      return args[1] === undefined || first === undefined ? undefined : roundedUp(first, args[1]);
    case 'div_u64':
    case 'div64_u64':
    case 'div64_ul':
      return args[1] === undefined || first === undefined ? undefined : apply('/', first, args[1]);
    case 'ktime_set': {
      const ns = args[1];
      if (first === undefined || ns === undefined) return undefined;
      return { min: first.min * 1e9 + ns.min, max: first.max * 1e9 + ns.max, time: true };
    }
    case 'ktime_sub':
    case 'ktime_us_delta':
      return undefined;
    case 'prandom_u32_max':
    case 'get_random_u32_below':
      return cutDown('%', first);
    case 'bit':
      return first === undefined || first.time || first.max > 52
        ? undefined
        : { min: 2 ** first.min, max: 2 ** first.max, time: false };
    default:
      return macroValue(c, name, texts);
  }
}

function macroValue(c: Cursor, name: string, texts: readonly string[]): Quantity | undefined {
  const meaning = c.lookup(name);
  if (meaning?.params === undefined) {
    c.state.unknown.add(name);
    return undefined;
  }
  const bound = new Map(meaning.params.map((p, i) => [p, texts[i] ?? '']));
  const lookup: Lookup = (other) => {
    const text = bound.get(other);
    return text === undefined || text === other
      ? other === name
        ? undefined
        : c.lookup(other)
      : { text, from: 'local' };
  };
  const value = evaluateText(meaning.text, lookup, c.state, c.depth + 4);
  if (value !== undefined) c.state.via.set(name, meaning.text);
  return value;
}

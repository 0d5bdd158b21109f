import { findCalls, functionAt, tokenise, type Assign, type Block } from '../csource/index.js';
import type { Backoff } from './change.js';
import { helperNamed, type Helper } from './definition.js';
import { inUnit } from './quantity.js';
import { lookupAt, type Scope } from './scope.js';
import type { Side } from './side.js';
import type { Site } from './site.js';
import { evaluate, type Lookup } from './value.js';

const STEPS = 48;

/**
 * How a wait's interval grows, read by running it: the variable that it steps is given its first value and its steps are
 * worked out one after another, as the code says them; a helper with a shift is run over its exponents.
 */
export function backoffOf(site: Site, sides: readonly Side[], scope: Scope): Backoff | undefined {
  if (site.call === undefined || (site.kind !== 'sleep' && site.kind !== 'busy')) return undefined;
  return ownBackoff(site, sides, scope) ?? helperBackoff(site, sides, scope) ?? insideHelper(site, sides, scope);
}

/** Nanoseconds that the backoff asks for at each step, from its first to its longest. */
function toBackoff(values: readonly number[], stretch: number, more: Partial<Backoff>): Backoff | undefined {
  const [first, second, third] = values;
  if (first === undefined || second === undefined || third === undefined || first <= 0) return undefined;
  const ratio = second / first;
  const isLinear = Math.abs(third - second - (second - first)) < 1 && second > first;
  // A helper that starts at its cap never grows, whatever it is named for.
  if (more.bits !== undefined && values.every((v) => v === first))
    return { kind: 'exponential', first, cap: first, stretch, ...more };
  const isExponential = ratio >= 1.5 && (Math.abs(third / second - ratio) < 0.01 || third === values.at(-1));
  if (!isExponential && !isLinear) return undefined;
  const last = values.at(-1) ?? first;
  const isCapped = values.at(-2) === last;
  return {
    kind: isExponential ? 'exponential' : 'linear',
    first,
    ...(isCapped ? { cap: last } : {}),
    stretch,
    ...more,
  };
}

/** The call's own argument is a variable that the loop around it steps: `delay *= 2`, `delay = min(delay * 2, CAP)`. */
function ownBackoff(site: Site, sides: readonly Side[], scope: Scope): Backoff | undefined {
  const args = spanArguments(site);
  const name = firstName(args[0] ?? '');
  if (name === undefined) return undefined;
  const assigns = assignsTo(site, sides, name);
  const start = assigns.find(({ assign: a }) => a.operator === '=' && !mentions(a.value, name));
  const steps = assigns.filter(({ assign: a }) => a.operator !== '=' || mentions(a.value, name));
  if (start === undefined || steps.length === 0) return undefined;
  const lookup = lookupAt(scope, site.side, site.offset);
  let value = evaluate(start.assign.value, lookup).value?.max;
  if (value === undefined) return undefined;
  const firstValue = value;
  const caps = assigns.filter((a) => a !== start && a.assign.operator === '=' && !mentions(a.assign.value, name));
  const values: number[] = [];
  for (let i = 0; i < STEPS && value !== undefined; i++) {
    const ns = spanAt(site, args[0] ?? '', withValue(lookup, name, value));
    if (ns === undefined) return undefined;
    values.push(ns);
    value = nextValue(value, steps, caps, name, lookup);
  }
  return toBackoff(values, stretchOf(site, args, withValue(lookup, name, firstValue)), {});
}

type Placed = { readonly assign: Assign; readonly guards: readonly Block[] };

function assignsTo(site: Site, sides: readonly Side[], name: string): Placed[] {
  return sides
    .filter((s) => s.file === site.side.file && s.which === site.side.which)
    .flatMap((s) =>
      s.fragment.assigns
        .filter((a) => a.target === name && functionAt(s.fragment, a.start) === site.place.function)
        .map((assign) => ({
          assign,
          guards: s.fragment.blocks().filter((b) => b.kind === 'if' && b.start <= assign.start && assign.start < b.end),
        })),
    );
}

function nextValue(
  value: number,
  steps: readonly Placed[],
  caps: readonly Placed[],
  name: string,
  lookup: Lookup,
): number | undefined {
  let now = value;
  for (const { assign, guards } of steps) {
    if (guards.some((g) => isFalse(g.head, name, now, lookup))) continue;
    const operator = assign.operator === '=' ? '' : assign.operator.slice(0, -1);
    const text = operator === '' ? assign.value : `${name} ${operator} (${assign.value})`;
    const next = evaluate(text, withValue(lookup, name, now)).value?.max;
    if (next === undefined) return undefined;
    now = next;
  }
  for (const { assign, guards } of caps) {
    const test = guards.find((g) => mentions(g.head, name));
    if (test === undefined || isFalse(test.head, name, now, lookup)) continue;
    const capped = evaluate(assign.value, lookup).value?.max;
    if (capped !== undefined) now = capped;
  }
  return now;
}

/** A guard `v < CAP` that does not hold for this value. What cannot be worked out holds. */
function isFalse(head: string, name: string, value: number, lookup: Lookup): boolean {
  for (const term of head.split('&&')) {
    const words = term.replace(/^[\s(]+/, '').split(' ');
    const at = words.findIndex((w) => /^[<>]=?$/.test(w));
    if (at < 0 || !mentions(term, name)) continue;
    const known = withValue(lookup, name, value);
    const left = evaluate(words.slice(0, at).join(' '), known).value?.max;
    const right = evaluate(closed(words.slice(at + 1)), known).value?.max;
    if (left === undefined || right === undefined) continue;
    const holds = { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right }[words[at] ?? ''];
    if (holds === false) return true;
  }
  return false;
}

/** Brackets that only close what stands left of the comparison are cut off. */
function closed(words: readonly string[]): string {
  let depth = 0;
  const end = words.findIndex((w) => {
    if (w === '(') depth++;
    return w === ')' && --depth < 0;
  });
  return words.slice(0, end < 0 ? undefined : end).join(' ');
}

/** A call of a helper with an exponent that the caller steps: `foo_backoff_us(exp++, first)`. */
function helperBackoff(site: Site, sides: readonly Side[], scope: Scope): Backoff | undefined {
  const call = site.call;
  if (call === undefined) return undefined;
  const helper = helperNamed(call.name, site.side.which, sides);
  if (helper === undefined) return undefined;
  const lookup = lookupAt(scope, site.side, site.offset);
  const fixed = new Map<string, number>();
  for (const [i, param] of helper.params.entries()) {
    const text = call.args[i] ?? '';
    if (/\+\+|--/.test(text)) continue;
    const value = evaluate(text, lookup).value;
    fixed.set(param, value?.max ?? 0);
  }
  return runHelper(helper, fixed, scope);
}

// The same for every wait of a function.
const insides = new WeakMap<Block, { readonly backoff: Backoff | undefined }>();

/** The wait inside such a helper, whatever it is called with. */
function insideHelper(site: Site, sides: readonly Side[], scope: Scope): Backoff | undefined {
  if (site.place.function === undefined) return undefined;
  const helper = helperNamed(site.place.function, site.side.which, sides);
  if (helper?.side !== site.side) return undefined;
  const known = insides.get(helper.block) ?? { backoff: runHelper(helper, new Map(), scope) };
  insides.set(helper.block, known);
  return known.backoff;
}

function runHelper(helper: Helper, fixed: ReadonlyMap<string, number>, scope: Scope): Backoff | undefined {
  const { side, block } = helper;
  const inside = (at: number): boolean => at >= block.start && at < block.end;
  const wait = waitIn(helper);
  const text = side.fragment.text.slice(block.start, block.end);
  const shift = /<<\s*\(*(\w+)/.exec(text);
  const exponent = shift?.[1];
  if (wait === undefined || exponent === undefined || !helper.params.includes(exponent)) return undefined;
  // Statement by statement, each name stands for what was put into it so far.
  const terms = new Map<string, string>();
  for (const a of side.fragment.assigns) {
    if (!inside(a.start) || a.operator !== '=' || !/^\w+$/.test(a.target)) continue;
    const value = substitute(a.value, terms);
    if (value.length < 2000) terms.set(a.target, value);
  }
  const outer = lookupAt(scope, side, block.start);
  const values: number[] = [];
  const first = substitute(wait.args[0] ?? '', terms);
  const last = substitute(wait.args[1] ?? wait.args[0] ?? '', terms);
  for (let e = 0; e < 26; e++) {
    const value = evaluate(first, bound(outer, helper, exponent, e, fixed)).value;
    if (value === undefined) return undefined;
    values.push(value.time ? value.max : value.max * wait.factor);
  }
  const at0 = bound(outer, helper, exponent, 0, fixed);
  const low = evaluate(first, at0).value?.max ?? 0;
  const high = evaluate(last, at0).value?.max ?? 0;
  const bits = bitsOf(helper.types, text);
  const exponentCap = exponentCapOf(exponent, text, outer);
  return toBackoff(values, low > 0 && high > 0 ? high / low : 1, {
    ...(bits === undefined ? {} : { bits }),
    ...(exponentCap === undefined ? {} : { exponentCap }),
  });
}

function bound(outer: Lookup, helper: Helper, exponent: string, e: number, fixed: ReadonlyMap<string, number>): Lookup {
  return (name) => {
    if (name === exponent) return { text: String(e), from: 'local' };
    if (helper.params.includes(name)) return { text: String(fixed.get(name) ?? 0), from: 'local' };
    return outer(name);
  };
}

const FACTORS: Readonly<Record<string, number>> = {
  usleep_range: 1e3,
  fsleep: 1e3,
  udelay: 1e3,
  msleep: 1e6,
  mdelay: 1e6,
};

function waitIn(helper: Helper): { args: readonly string[]; factor: number } | undefined {
  const body = helper.side.fragment.text.slice(helper.block.start, helper.block.end);
  const [call] = findCalls(tokenise(body), (name) => Object.hasOwn(FACTORS, name));
  return call === undefined ? undefined : { args: call.args, factor: FACTORS[call.name] ?? 1e3 };
}

/** Width of the type that is shifted: where the product wraps to zero. */
function bitsOf(params: string, text: string): number | undefined {
  const type =
    /m(?:in|ax)_t\s*\(\s*(\w+)/.exec(text)?.[1] ??
    /\b([us](?:8|16|32|64)|unsigned long|unsigned int|int)\b/.exec(params)?.[1];
  if (type === undefined) return undefined;
  const digits = /(\d+)/.exec(type)?.[1];
  return digits === undefined ? (type.includes('long') ? 64 : 32) : Number(digits);
}

/** A bound of the exponent itself: `exp = min_t(u32, exp, 16)` or `if (exp > 16)`. */
function exponentCapOf(exponent: string, text: string, lookup: Lookup): number | undefined {
  const least = new RegExp(`${exponent}\\s*=\\s*min(?:_t)?\\s*\\(([^;]*)\\)\\s*;`).exec(text)?.[1];
  const above = new RegExp(`if\\s*\\(\\s*${exponent}\\s*>=?\\s*(\\w+)`).exec(text)?.[1];
  const candidates = least === undefined ? [above ?? ''] : least.split(',').map((p) => p.trim());
  for (const candidate of candidates) {
    if (candidate === '' || candidate === exponent || /^(?:[us]\d+|int|unsigned.*)$/.test(candidate)) continue;
    const value = evaluate(candidate, lookup).value;
    if (value !== undefined && !value.time) return value.max;
  }
  return undefined;
}

function substitute(text: string, terms: ReadonlyMap<string, string>): string {
  return tokenise(text)
    .map((t, i, all) => {
      const term =
        t.kind === 'name' && all[i - 1]?.text !== '.' && all[i - 1]?.text !== '->' ? terms.get(t.text) : undefined;
      return term === undefined ? t.text : `(${term})`;
    })
    .join(' ');
}

function withValue(lookup: Lookup, name: string, value: number): Lookup {
  return (other) => (other === name ? { text: String(value), from: 'local' } : lookup(other));
}

function spanArguments(site: Site): string[] {
  const call = site.call;
  if (call === undefined) return [];
  const { entry } = site;
  if (entry?.span === undefined) return [call.args.at(-1) ?? ''];
  return [call.args[entry.span.from] ?? '', call.args[entry.span.to] ?? ''];
}

function spanAt(site: Site, text: string, lookup: Lookup): number | undefined {
  const value = evaluate(text, lookup).value;
  return value && inUnit(value, site.unit ?? 'us')?.max;
}

function stretchOf(site: Site, args: readonly string[], lookup: Lookup): number {
  const low = spanAt(site, args[0] ?? '', lookup);
  const high = spanAt(site, args[1] ?? args[0] ?? '', lookup);
  return low === undefined || high === undefined || low <= 0 ? 1 : high / low;
}

function firstName(text: string): string | undefined {
  return tokenise(text).find((t) => t.kind === 'name')?.text;
}

function mentions(text: string, name: string): boolean {
  return tokenise(text).some((t) => t.text === name);
}

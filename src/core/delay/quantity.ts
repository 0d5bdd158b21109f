import type { ArgumentUnit } from './catalogue.js';

/** A number or, with `time`, nanoseconds; from the least to the most. */
export type Quantity = { readonly min: number; readonly max: number; readonly time: boolean };

/** A quantity where a unit is expected: a bare number takes the unit, n jiffies are n ms to 10 n ms (HZ 1000 to 100). */
export function inUnit(value: Quantity, unit: ArgumentUnit): { min: number; max: number } | undefined {
  if (value.time) return { min: value.min, max: value.max };
  switch (unit) {
    case 's':
      return { min: value.min * 1e9, max: value.max * 1e9 };
    case 'ms':
    case 'ms-table':
      return { min: value.min * 1e6, max: value.max * 1e6 };
    case 'us':
      return { min: value.min * 1e3, max: value.max * 1e3 };
    case 'ns':
    case 'ktime':
    case 'delta':
      return { min: value.min, max: value.max };
    case 'jiffies':
    case 'jiffies-deadline':
    case 'ticks':
      return { min: value.min * 1e6, max: value.max * 1e7 };
    case 'sbintime':
    case 'loops':
    case 'xloops':
    case 'struct':
      return undefined;
    default:
      return unit satisfies never;
  }
}

/** One C operator on quantities; nothing where it has no meaning. */
export function apply(operator: string, a: Quantity, b: Quantity): Quantity | undefined {
  const both = (f: (x: number, y: number) => number, time: boolean): Quantity | undefined => {
    const values = [f(a.min, b.min), f(a.min, b.max), f(a.max, b.min), f(a.max, b.max)];
    return values.every(Number.isFinite) ? { min: Math.min(...values), max: Math.max(...values), time } : undefined;
  };
  switch (operator) {
    case '+':
    case '-': {
      // `jiffies + 2`: a bare number beside a span is a count of jiffies.
      const [x, y] = a.time === b.time ? [a, b] : [asJiffies(a), asJiffies(b)];
      const sign = operator === '+' ? 1 : -1;
      const low = x.min + sign * (sign > 0 ? y.min : y.max);
      const high = x.max + sign * (sign > 0 ? y.max : y.min);
      return { min: low, max: high, time: x.time };
    }
    case '*':
      return a.time && b.time ? undefined : both((x, y) => x * y, a.time || b.time);
    case '/':
      if (b.min <= 0 && b.max >= 0) return undefined;
      if (b.time && !a.time) return undefined;
      return both((x, y) => (a.time ? x / y : Math.trunc(x / y)), a.time && !b.time);
    case '&':
      return a.time || b.time ? undefined : { min: 0, max: Math.min(a.max, b.max), time: false };
    case '%':
      return a.time || b.time || b.min <= 0 ? undefined : both((x, y) => x % y, false);
    case '<<':
      return b.max > 62 || b.min < 0 ? undefined : both((x, y) => x * 2 ** y, a.time);
    case '>>':
      return b.max > 62 || b.min < 0
        ? undefined
        : both((x, y) => (a.time ? x / 2 ** y : Math.floor(x / 2 ** y)), a.time);
    case '|':
      return a.time || b.time || a.max >= 2 ** 31 || b.max >= 2 ** 31
        ? undefined
        : both((x, y) => (x | y) >>> 0, false);
    default:
      return undefined;
  }
}

function asJiffies(q: Quantity): Quantity {
  return q.time || (q.min === 0 && q.max === 0)
    ? { ...q, time: true }
    : { min: q.min * 1e6, max: q.max * 1e7, time: true };
}

/** From the least to the most of two. */
export function span(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.time !== b.time && a.max !== 0 && b.max !== 0) return undefined;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), time: a.time || b.time };
}

/** An unknown among the operands of min() leaves everything from nothing up to the least of the known. */
export function least(values: readonly (Quantity | undefined)[]): Quantity | undefined {
  const known = values.filter((v) => v !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const time = first.time;
  const max = Math.min(...known.map((v) => v.max));
  const min = known.length < values.length ? Math.min(0, max) : Math.min(...known.map((v) => v.min));
  return { min, max, time };
}

/** The greatest; nothing when an operand is unknown. */
export function most(values: readonly (Quantity | undefined)[]): Quantity | undefined {
  const known = values.filter((v) => v !== undefined);
  const [first] = known;
  if (first === undefined || known.length < values.length) return undefined;
  return { min: Math.max(...known.map((v) => v.min)), max: Math.max(...known.map((v) => v.max)), time: first.time };
}

/** Division rounded up, as DIV_ROUND_UP() does it. */
export function roundedUp(a: Quantity, b: Quantity): Quantity | undefined {
  if (b.min <= 0) return undefined;
  if (a.time) return apply('/', a, b);
  return b.time ? undefined : { min: Math.ceil(a.min / b.max), max: Math.ceil(a.max / b.min), time: false };
}

/** A C number: decimal, hexadecimal, octal, binary, with suffixes and digit separators; a character counts as itself. */
export function parseNumber(text: string): Quantity | undefined {
  const clean = text.replace(/['_]/g, '');
  const whole = /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*$/.exec(clean)?.[1];
  const value =
    whole === undefined
      ? /^(?:\d+\.\d*|\.?\d+)(?:[eE]\d+)?[fFlL]?$/.test(clean)
        ? Number.parseFloat(clean)
        : Number.NaN
      : /^0\d+$/.test(whole)
        ? Number.parseInt(whole, 8)
        : Number(whole);
  return Number.isFinite(value) ? { min: value, max: value, time: false } : undefined;
}

import type { Ns, Span } from '../kernel/index.js';

type Unit = { readonly name: string; readonly size: number };

const units: readonly Unit[] = [
  { name: 's', size: 1e9 },
  { name: 'ms', size: 1e6 },
  { name: 'us', size: 1e3 },
];

/** A predicted span in words: `208-212 ms`, `2.6-135 ms`, `about 100 ms`. Two figures, or as many as its width allows. */
export function sayPredicted(span: Span): string {
  const unit = unitFor(span.max);
  if (isPoint(span)) return `about ${figures(span.max / unit.size, 0)} ${unit.name}`;
  return `${sayRange(span, unit)} ${unit.name}`;
}

/** The same without a unit, for a table whose head names it. */
export function sayPredictedIn(span: Span, unitName: 's' | 'ms' | 'us'): string {
  const unit = units.find((u) => u.name === unitName) ?? unitFor(span.max);
  return isPoint(span) ? `~${figures(span.max / unit.size, 0)}` : sayRange(span, unit);
}

/** A measured time as it was logged: to a microsecond below 10 ms, to a tenth of a millisecond above. */
export function sayMeasured(value: Ns): string {
  const size = Math.abs(value);
  if (size >= 1e10) return `${(value / 1e9).toFixed(2)} s`;
  if (size >= 1e7) return `${(value / 1e6).toFixed(1)} ms`;
  if (size >= 1e5) return `${(value / 1e6).toFixed(3)} ms`;
  return `${(value / 1e3).toFixed(1)} us`;
}

/** A nominal time as a driver writes it: exact, in the largest unit that keeps it whole. */
export function sayNominal(span: Span): string {
  const unit = units.find((u) => span.max >= u.size) ?? { name: 'ns', size: 1 };
  const ends = span.min === span.max ? [span.max] : [span.min, span.max];
  return `${ends.map((e) => trimmed(e / unit.size)).join('-')} ${unit.name}`;
}

/** A count, rounded to two figures where it is a prediction: `about 80,000`. */
export function sayCount(count: number): string {
  if (count < 100) return String(Math.round(count));
  const step = 10 ** (Math.floor(Math.log10(count)) - 1);
  return grouped(Math.round(count / step) * step);
}

/** Small numbers as words, as prose has them. */
export function sayNumber(count: number): string {
  const words = [
    'no',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ];
  return words[count] ?? grouped(count);
}

function unitFor(value: Ns): Unit {
  const size = Math.abs(value);
  if (size >= 1e10) return { name: 's', size: 1e9 };
  if (size >= 1e6) return { name: 'ms', size: 1e6 };
  return size >= 1e3 || size === 0 ? { name: 'us', size: 1e3 } : { name: 'ns', size: 1 };
}

/** Ends that cannot be told apart by two figures are one number. */
function isPoint(span: Span): boolean {
  return span.max - span.min <= Math.abs(span.max) * 0.004;
}

function sayRange(span: Span, unit: Unit): string {
  const low = span.min / unit.size;
  const high = span.max / unit.size;
  const step = 10 ** Math.floor(Math.log10(high - low));
  // Outward: what lies in the range must not seem to lie beside it.
  const [a, b] = [figures(low, step, 'down'), figures(high, step, 'up')];
  if (a === b) return a;
  // A dash before a minus sign reads as nothing.
  return low < 0 ? `${a} to ${b}` : `${a}-${b}`;
}

/** A twentieth of a step is not worth a step. */
const hair = 0.05;

/** Two significant figures, or down to `step` where that shows more. */
function figures(value: number, step: number, way: 'near' | 'down' | 'up' = 'near'): string {
  if (value === 0) return '0';
  const own = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  const to = step > 0 ? Math.min(own, step) : Math.min(own, 1);
  const digits = Math.max(0, -Math.floor(Math.log10(to) + 1e-9));
  const steps = value / to;
  const whole =
    way === 'near' ? Math.round(steps) : way === 'down' ? Math.floor(steps + hair) : Math.ceil(steps - hair);
  return trimmed(Number((whole * to).toFixed(digits)));
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(3)));
}

function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Whole nanoseconds. Spans are read and printed only in this file; everywhere else they are this type. */
export type Ns = number;

/** From the least to the most; equal ends mean an exact value. */
export type Span = { readonly min: Ns; readonly max: Ns };

/** Microseconds as nanoseconds. */
export function us(value: number): Ns {
  return Math.round(value * 1e3);
}

/** Milliseconds as nanoseconds. */
export function ms(value: number): Ns {
  return Math.round(value * 1e6);
}

/** Seconds as nanoseconds. */
export function seconds(value: number): Ns {
  return Math.round(value * 1e9);
}

/** Nanoseconds as fractional microseconds: the unit of the JSON contract. */
export function toUs(value: Ns): number {
  return value / 1e3;
}

const units: readonly (readonly [name: string, size: Ns])[] = [
  ['s', 1e9],
  ['ms', 1e6],
  ['us', 1e3],
  ['ns', 1],
];

/** A time in words with a unit that suits it, rounded to `figures` figures (two unless told): `16 ms`, `2.4 s`. */
export function formatNs(value: Ns, figures = 2): string {
  if (!Number.isFinite(value)) return 'for ever';
  if (value < 0) return `-${formatNs(-value, figures)}`;
  if (value === 0) return '0';
  const rounded = toFigures(value, figures);
  const [name, size] = units.find(([, u]) => rounded >= u) ?? ['ns', 1];
  return `${plain(rounded / size)} ${name}`;
}

/** A measured time as logged, in the unit a reader expects: `217.242 ms`, `1.97 s`, `37 us`. */
export function formatLogged(value: Ns): string {
  const size = Math.abs(value);
  if (size >= 10e9) return `${trimmed(value / 1e9, 2)} s`;
  if (size >= 1e9) return `${trimmed(value / 1e9, 3)} s`;
  if (size >= 1e6) return `${trimmed(value / 1e6, 3)} ms`;
  if (size >= 1e3) return `${trimmed(value / 1e3, 1)} us`;
  return `${String(Math.round(value))} ns`;
}

/** A span in words: `16 ms` where its ends print alike, else `12 ms to 16 ms`. */
export function formatSpan(span: Span, figures = 2): string {
  const least = formatNs(span.min, figures);
  const most = formatNs(span.max, figures);
  if (least === most) return most;
  const [number, unit] = least.split(' ');
  return unit !== undefined && unit === most.split(' ')[1] ? `${number} to ${most}` : `${least} to ${most}`;
}

const unitSizes: Readonly<Record<string, Ns>> = {
  ns: 1,
  nsec: 1,
  us: 1e3,
  usec: 1e3,
  usecs: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  msec: 1e6,
  msecs: 1e6,
  s: 1e9,
  sec: 1e9,
  secs: 1e9,
  min: 60e9,
};

/** A time with its unit, such as `200ms`, `5 s` or `1.5 us`; undefined for anything else: no unit, negative, not a number. */
export function parseNs(text: string): Ns | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?|\.\d{1,9}) ?([a-zµμ]{1,5})$/i.exec(text.trim());
  const size = unitSizes[match?.[2]?.toLowerCase() ?? ''];
  if (match === null || size === undefined) return undefined;
  const value = Math.round(Number(match[1]) * size);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** `100us..5ms` or a single time as a span; undefined where either end is none or the ends are the wrong way round. */
export function parseSpan(text: string): Span | undefined {
  const ends = text.split('..');
  if (ends.length > 2) return undefined;
  const min = parseNs(ends[0] ?? '');
  const max = ends.length === 2 ? parseNs(ends[1] ?? '') : min;
  return min === undefined || max === undefined || max < min ? undefined : { min, max };
}

function toFigures(value: number, figures: number): number {
  const scale = 10 ** (figures - 1 - Math.floor(Math.log10(value)));
  return Math.round(value * scale) / scale;
}

/** No exponent and no tail of nines. */
function plain(value: number): string {
  return String(Number(value.toPrecision(12)));
}

function trimmed(value: number, places: number): string {
  return value.toFixed(places).replace(/\.?0{1,9}$/, '');
}

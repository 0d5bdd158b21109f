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

import type { DelayChange } from '../../src/core/delay/index.js';
import { us } from '../../src/core/kernel/index.js';

/** One side of a change as `least..most` in microseconds, as a count, `?` where its value is not known, `-` where there is none. */
export function timesOf(wait: DelayChange['before']): string {
  if (wait === undefined) return '-';
  if (wait.span === undefined) return `${wait.count ?? '?'}`;
  return `${wait.span.min / us(1)}..${wait.span.max / us(1)}`;
}

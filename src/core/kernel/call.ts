import type { Ns } from './duration.js';
import { jiffiesDown, jiffiesUp } from './hz.js';

/** A number of jiffies as source text gives it: what it is depends on HZ. */
export type Ticks =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'up'; readonly time: Ns }
  | { readonly kind: 'down'; readonly time: Ns }
  /** `HZ * times / over`, in integers. */
  | { readonly kind: 'hz'; readonly times: number; readonly over: number };

/** How the steps of a backing-off poll grow. Arithmetic is in whole microseconds, as in the drivers. */
export type Growth = {
  readonly kind: 'exponential' | 'linear';
  readonly first: Ns;
  readonly cap?: Ns;
  /** Upper end of the sleep's range over its lower end: 2 for usleep_range(d, 2 * d). */
  readonly stretch: number;
  /** Width of the shifted variable: past it the value wraps to what C makes of it. */
  readonly bits?: number;
  readonly exponentCap?: number;
};

/** One delaying call, by what it asks of the kernel. */
export type Call =
  | { readonly kind: 'msleep'; readonly time: Ns }
  | { readonly kind: 'range'; readonly min: Ns; readonly max: Ns }
  | { readonly kind: 'fsleep'; readonly time: Ns }
  | { readonly kind: 'busy'; readonly time: Ns }
  /** `consents`: wait_event_timeout() and its like, which begin with might_sleep(). */
  | { readonly kind: 'timeout'; readonly ticks: Ticks; readonly consents?: true }
  | { readonly kind: 'work'; readonly ticks: Ticks }
  | { readonly kind: 'hrtimeout'; readonly time: Ns; readonly slack: Ns }
  /** *_poll_timeout(): `interval` is the most one sleep asks for; 0 means a busy loop; timeout 0 means for ever. */
  | {
      readonly kind: 'poll';
      readonly interval: Ns;
      readonly timeout: Ns;
      readonly atomic: boolean;
      readonly sleepsFirst: boolean;
    }
  | { readonly kind: 'growing'; readonly growth: Growth };

/** Whether a call begins with might_sleep(): msleep(), usleep_range() and schedule_timeout() do not. */
export function consents(call: Call): boolean {
  if (call.kind === 'timeout') return call.consents === true;
  return call.kind === 'poll' && !call.atomic && call.interval > 0;
}

/** The jiffies that `ticks` are on a kernel of this HZ. */
export function jiffiesOf(ticks: Ticks, hz: number): number {
  switch (ticks.kind) {
    case 'count':
      return ticks.count;
    case 'up':
      return jiffiesUp(ticks.time, hz);
    case 'down':
      return jiffiesDown(ticks.time, hz);
    case 'hz':
      return Math.floor((hz * ticks.times) / ticks.over);
    default:
      return ticks satisfies never;
  }
}

/** The d of the k-th sleep (k from 0) of a growing poll, wrapping as C does; past the width a shift is taken modulo it, as x86 does. */
export function growthStep(growth: Growth, k: number): Ns {
  const cap = growth.cap ?? Infinity;
  const first = Math.floor(growth.first / 1e3);
  if (growth.kind === 'linear') return Math.min(wrap(first * (k + 1), growth.bits) * 1e3, cap);
  const capped = Math.min(k, growth.exponentCap ?? Infinity);
  const exponent = growth.bits === undefined ? Math.min(capped, 60) : capped % growth.bits;
  return Math.min(wrap(first * 2 ** exponent, growth.bits) * 1e3, cap);
}

/** Exact in doubles: a power of two times a whole number, and its remainder. */
function wrap(value: number, bits: number | undefined): number {
  return bits === undefined ? value : value % 2 ** bits;
}

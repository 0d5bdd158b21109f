import type { Ns } from './duration.js';

/** The tick rates that kernels are usually built with (kernel/Kconfig.hz), the commonest first. */
export const usualHz: readonly number[] = [250, 1000, 300, 100];

/** Whether a kernel can be built with this tick rate: 24 (alpha's least in use) to 1200 (its most). */
export function isHz(value: number): boolean {
  return Number.isInteger(value) && value >= 24 && value <= 1200;
}

/** The length of a tick: 1/HZ, not rounded. */
export function tickLength(hz: number): Ns {
  return 1e9 / hz;
}

/** When tick number `n` is due. */
export function tickAt(n: number, hz: number): Ns {
  return Math.round((n * 1e9) / hz);
}

/** What `jiffies` is at a time: the number of the last tick. */
export function jiffiesAt(now: Ns, hz: number): number {
  const guess = Math.floor((now * hz) / 1e9);
  if (tickAt(guess + 1, hz) <= now) return guess + 1;
  return tickAt(guess, hz) > now ? guess - 1 : guess;
}

/** msecs_to_jiffies, usecs_to_jiffies: rounded up (kernel/time/time.c). */
export function jiffiesUp(time: Ns, hz: number): number {
  return Math.ceil((time * hz) / 1e9 - 1e-9);
}

/** nsecs_to_jiffies: rounded down. */
export function jiffiesDown(time: Ns, hz: number): number {
  return Math.floor((time * hz) / 1e9 + 1e-9);
}

/**
 * The level of the timer wheel on which a timer of `t` jiffies lands (kernel/time/timer.c since 4.8, LVL_START(n) = 63 << 3(n-1)):
 * its granularity is 8 ** level jiffies.
 */
export function wheelLevel(t: number): number {
  let level = 0;
  for (let start = 63; t >= start && level < 8; start *= 8) level++;
  return level;
}

/** Jiffies between two places of a level. */
export function granularity(t: number): number {
  return 8 ** wheelLevel(t);
}

/** The jiffy in which a timer armed at jiffy `now` for `t` jiffies fires: never before now + t, and at least the next one. */
export function firesAt(now: number, t: number): number {
  const g = granularity(t);
  return (Math.floor((now + t) / g) + 1) * g;
}

/** Jiffies from one wake-up to the next when calls follow each other: exactly t + 1 on level 0. */
export function backToBack(t: number): number {
  const g = granularity(t);
  return (Math.floor(t / g) + 1) * g;
}

import { createHash } from 'node:crypto';

/** Which half of a set a name falls into. Failures are looked at in half 0 only; the other is only counted. */
export function halfOf(name: string): 0 | 1 {
  return (createHash('sha1').update(name).digest()[0] ?? 0) % 2 === 0 ? 0 : 1;
}

/** How many targets were missed: the score's exit status hangs on it. */
export const missed = { count: 0 };

/** One figure with its target. */
export function check(metric: string, value: string, target: string, ok: boolean): void {
  if (!ok) missed.count++;
  console.log(`${metric}: ${value} (${target})${ok ? '' : '  MISSED'}`);
}

/** A figure without a target of its own. */
export function tell(metric: string, value: string, why: string): void {
  console.log(`${metric}: ${value} (${why})`);
}

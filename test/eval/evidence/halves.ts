import { createHash } from 'node:crypto';

/** Which half of a set a name falls into. Failures are looked at in half A only; B is only counted. */
export function halfOf(name: string): 'A' | 'B' {
  const byte = createHash('sha1').update(name).digest().at(-1) ?? 0;
  return byte % 2 === 0 ? 'A' : 'B';
}

export function share(right: number, of: number): string {
  return of === 0 ? '-' : `${String(right)}/${String(of)} = ${((100 * right) / of).toFixed(1)} %`;
}

/** How many targets were missed: the score's exit status hangs on it. */
export const missed = { count: 0 };

/** One figure over both halves with its target. */
export function check(metric: string, value: string, target: string, ok: boolean): void {
  if (!ok) missed.count++;
  console.log(`${metric}: ${value} (${target})${ok ? '' : '  MISSED'}`);
}

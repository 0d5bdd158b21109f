import { createHash } from 'node:crypto';

/** Which half of a set a name falls into. Failures are looked at in half A only; B is only counted. */
export function halfOf(name: string): 'A' | 'B' {
  const byte = createHash('sha1').update(name).digest().at(-1) ?? 0;
  return byte % 2 === 0 ? 'A' : 'B';
}

export function share(right: number, of: number): string {
  return of === 0 ? '-' : `${String(right)}/${String(of)} = ${((100 * right) / of).toFixed(1)} %`;
}

import type { Ns } from '../kernel/index.js';

export type SaidPair = { readonly text: string; readonly before: Ns; readonly after: Ns };

const units: readonly (readonly [RegExp, number])[] = [
  [/^n/i, 1],
  [/^(?:u|µ|micro)/i, 1e3],
  [/^m/i, 1e6],
  [/^s/i, 1e9],
];

const pattern =
  /\bfrom (?:[a-z]+ )?(\d+(?:\.\d+)?) ?(ns|us|µs|usecs?|ms|msecs?|nanoseconds?|microseconds?|milliseconds?|seconds?|secs?|s)? (?:down |up )?to (\d+(?:\.\d+)?) ?(ns|us|µs|usecs?|ms|msecs?|nanoseconds?|microseconds?|milliseconds?|seconds?|secs?|s)\b/gi;

/** Pairs such as "from 100 ms to 2 ms" in a line of prose; a unit that is said once counts for both. */
export function pairsIn(line: string): SaidPair[] {
  const found: SaidPair[] = [];
  for (const match of line.slice(0, 400).matchAll(pattern)) {
    const [text, first = '', firstUnit, second = '', secondUnit = ''] = match;
    const after = factorOf(secondUnit);
    const before = firstUnit === undefined ? after : factorOf(firstUnit);
    if (before === undefined || after === undefined) continue;
    found.push({ text, before: Math.round(Number(first) * before), after: Math.round(Number(second) * after) });
  }
  return found;
}

function factorOf(unit: string): number | undefined {
  return units.find(([name]) => name.test(unit))?.[1];
}

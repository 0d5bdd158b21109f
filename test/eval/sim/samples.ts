import { existsSync, readFileSync } from 'node:fs';

/** Every sample of a table's rows, by `api arg phase ready`; nothing where the table stands alone. */
export function readSamples(table: string): ReadonlyMap<string, readonly number[]> {
  const path = table.replace(/\.csv$/, '.raw.csv');
  const found = new Map<string, number[]>();
  if (!existsSync(path)) return found;
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(2)) {
    const [api, arg, phase, ready, , ...samples] = line.split(',');
    found.set(
      `${api} ${arg} ${phase} ${ready}`,
      samples.map((s) => Number.parseInt(s, 10)).sort((a, b) => a - b),
    );
  }
  return found;
}

/**
 * The greatest distance between the shares of samples and of predicted values up to a length (Kolmogorov and Smirnov), with a
 * length forgiven where it lies within the tolerance of another.
 */
export function distance(
  samples: readonly number[],
  predicted: readonly number[],
  near: (v: number) => number,
): number {
  let most = 0;
  for (const [i, value] of samples.entries()) {
    const upTo = shareBelow(predicted, value + near(value));
    const below = shareBelow(predicted, value - near(value));
    most = Math.max(most, i / samples.length - upTo, below - (i + 1) / samples.length);
  }
  return most;
}

/** The share of sorted values below one. */
function shareBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

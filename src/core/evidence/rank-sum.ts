const largestExact = 50;

/** Ranks from 1; equal values share the mean of their ranks. */
export function midranks(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let i = 0; i < order.length;) {
    let j = i;
    while (j < order.length && order[j]?.value === order[i]?.value) j++;
    for (let k = i; k < j; k++) {
      const at = order[k]?.index;
      if (at !== undefined) ranks[at] = (i + j + 1) / 2;
    }
    i = j;
  }
  return ranks;
}

/**
 * The exact two-sided chance of a rank sum at least as far from its middle as `w`, over all ways to pick `m` of the ranks.
 * Nothing where the table would be large.
 */
export function exactRankSum(ranks: readonly number[], m: number, w: number): number | undefined {
  const counts = sumCounts(ranks, m);
  if (counts === undefined) return undefined;
  const middle = (m * ranks.reduce((a, b) => a + 2 * b, 0)) / ranks.length;
  const distance = Math.abs(2 * w - middle) - 1e-9;
  let as = 0;
  let all = 0;
  for (const [s, count] of counts.entries()) {
    all += count;
    if (Math.abs(s - middle) >= distance) as += count;
  }
  return all === 0 ? undefined : as / all;
}

/** P(U <= k) for k = 0, 1, ... of two samples of n and m values without ties; empty where the table would be large. */
export function uTails(n: number, m: number): number[] {
  const counts = sumCounts(
    Array.from({ length: n + m }, (_, i) => i + 1),
    m,
  );
  if (counts === undefined) return [];
  let all = 0;
  for (const count of counts) all += count;
  const tails: number[] = [];
  let below = 0;
  for (let k = 0; k <= (n * m) / 2; k++) {
    below += counts[m * (m + 1) + 2 * k] ?? 0;
    tails.push(below / all);
  }
  return tails;
}

/** How many ways there are to pick `m` of the ranks with each sum; sums are doubled, so that midranks are whole. */
function sumCounts(ranks: readonly number[], m: number): Float64Array | undefined {
  if (ranks.length > largestExact || m < 1 || m >= ranks.length) return undefined;
  const doubled = ranks.map((r) => Math.round(2 * r));
  const total = doubled.reduce((a, b) => a + b, 0);
  const ways = Array.from({ length: m + 1 }, () => new Float64Array(total + 1));
  const first = ways[0];
  if (first) first[0] = 1;
  for (const rank of doubled) {
    for (let k = m; k >= 1; k--) {
      const to = ways[k];
      const from = ways[k - 1];
      if (!to || !from) continue;
      for (let s = total; s >= rank; s--) to[s] = (to[s] ?? 0) + (from[s - rank] ?? 0);
    }
  }
  return ways[m];
}

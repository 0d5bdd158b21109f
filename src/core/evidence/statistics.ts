import jstat from 'jstat';
import { exactRankSum, midranks, uTails } from './rank-sum.js';

/** One side of a comparison. Any unit: what goes in comes out. */
export type Summary = {
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  /** Sample standard deviation (n - 1); 0 for a single value. */
  readonly sd: number;
  readonly se: number;
  readonly min: number;
  readonly max: number;
  readonly geomean?: number;
};

/** A difference after - before with a t test and its interval. */
export type TTest = {
  readonly difference: number;
  readonly t: number;
  readonly df: number;
  readonly p: number;
  readonly low: number;
  readonly high: number;
  readonly halfWidth: number;
  /** Pooled standard deviation, for Student's test only. */
  readonly pooled?: number;
};

export type RankTest = {
  /** Pairs in which `after` is the greater, ties half. */
  readonly u: number;
  readonly p: number;
  readonly exact: boolean;
  /** Chance that a run after is longer than a run before (Vargha and Delaney's A). */
  readonly a12: number;
};

/** The median of all differences after - before with its distribution-free interval of at least the level asked for, if n allows one. */
export type Shift = {
  readonly shift: number;
  readonly low?: number;
  readonly high?: number;
  readonly coverage?: number;
};

export const fewestRuns = 4;

// The package is CommonJS: node gives its exports only as the default.
const { jStat } = jstat;

export function summarise(values: readonly number[]): Summary {
  const n = values.length;
  const mean = n === 0 ? NaN : sum(values) / n;
  const sd = n < 2 ? 0 : Math.sqrt(sum(values.map((v) => (v - mean) ** 2)) / (n - 1));
  const sorted = [...values].sort((a, b) => a - b);
  const positive = n > 0 && (sorted[0] ?? 0) > 0;
  return {
    n,
    mean,
    median: median(sorted),
    sd,
    se: n === 0 ? NaN : sd / Math.sqrt(n),
    min: sorted[0] ?? NaN,
    max: sorted.at(-1) ?? NaN,
    ...(positive ? { geomean: Math.exp(sum(values.map(Math.log)) / n) } : {}),
  };
}

/** The middle value of sorted or unsorted numbers; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** Welch's t test (unequal variances) of after - before. */
export function welch(before: readonly number[], after: readonly number[], level = 0.95): TTest {
  const a = summarise(before);
  const b = summarise(after);
  const va = a.sd ** 2 / a.n;
  const vb = b.sd ** 2 / b.n;
  const se = Math.sqrt(va + vb);
  const df = se === 0 ? a.n + b.n - 2 : (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1));
  return test(b.mean - a.mean, se, df, level);
}

/** Student's t test with pooled variance: what ministat prints. */
export function student(before: readonly number[], after: readonly number[], level = 0.95): TTest {
  const a = summarise(before);
  const b = summarise(after);
  const df = a.n + b.n - 2;
  const pooled = Math.sqrt(((a.n - 1) * a.sd ** 2 + (b.n - 1) * b.sd ** 2) / df);
  return { ...test(b.mean - a.mean, pooled * Math.sqrt(1 / a.n + 1 / b.n), df, level), pooled };
}

function test(difference: number, se: number, df: number, level: number): TTest {
  if (se === 0) {
    const certain = { df, low: difference, high: difference, halfWidth: 0, difference };
    return { ...certain, t: difference === 0 ? 0 : Math.sign(difference) * Infinity, p: difference === 0 ? 1 : 0 };
  }
  const t = difference / se;
  const halfWidth = jStat.studentt.inv(0.5 + level / 2, df) * se;
  const p = 2 * (1 - jStat.studentt.cdf(Math.abs(t), df));
  return { difference, t, df, p, low: difference - halfWidth, high: difference + halfWidth, halfWidth };
}

/** Mann-Whitney's test, exact (ties by midranks) where both sides are small, else by the normal approximation. */
export function mannWhitney(before: readonly number[], after: readonly number[]): RankTest {
  const n = before.length;
  const m = after.length;
  const ranks = midranks([...before, ...after]);
  const w = sum(ranks.slice(n));
  const u = w - (m * (m + 1)) / 2;
  const a12 = u / (n * m);
  const exact = exactRankSum(ranks, m, w);
  if (exact !== undefined) return { u, p: exact, exact: true, a12 };
  const ties = new Map<number, number>();
  for (const r of ranks) ties.set(r, (ties.get(r) ?? 0) + 1);
  const total = n + m;
  const correction = sum([...ties.values()].map((t) => t ** 3 - t)) / (total * (total - 1));
  const sd = Math.sqrt(((n * m) / 12) * (total + 1 - correction));
  const z = sd === 0 ? 0 : Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / sd;
  return { u, p: Math.min(1, 2 * (1 - jStat.normal.cdf(z, 0, 1))), exact: false, a12 };
}

/** Hodges and Lehmann's shift after - before. */
export function hodgesLehmann(before: readonly number[], after: readonly number[], level = 0.95): Shift {
  const differences = before.flatMap((a) => after.map((b) => b - a)).sort((x, y) => x - y);
  const shift = median(differences);
  const n = before.length;
  const m = after.length;
  if (n * m > 10_000) return { shift };
  const tails = uTails(n, m);
  let k = 0;
  while (k < tails.length && 2 * (tails[k] ?? 1) <= 1 - level) k++;
  if (k === 0) return { shift };
  const low = differences[k - 1];
  const high = differences[differences.length - k];
  if (low === undefined || high === undefined) return { shift };
  return { shift, low, high, coverage: 1 - 2 * (tails[k - 1] ?? 0) };
}

/** Exact permutation test of the means, two-sided; nothing past a few thousand arrangements. */
export function permutationOfMeans(before: readonly number[], after: readonly number[]): number | undefined {
  const all = [...before, ...after];
  const m = after.length;
  if (choose(all.length, m) > 3000) return undefined;
  const observed = Math.abs(sum(after) / m - sum(before) / before.length);
  const total = sum(all);
  let as = 0;
  let of = 0;
  const picked: number[] = [];
  const walk = (from: number, chosen: number): void => {
    if (picked.length === m) {
      of++;
      if (Math.abs(chosen / m - (total - chosen) / before.length) >= observed * (1 - 1e-12)) as++;
      return;
    }
    for (let i = from; i <= all.length - (m - picked.length); i++) {
      const value = all[i] ?? 0;
      picked.push(value);
      walk(i + 1, chosen + value);
      picked.pop();
    }
  };
  walk(0, 0);
  return as / of;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/** The least true difference that n runs a side would show with 80 % power, two-sided, by Student's test. */
export function minimumDetectable(sd: number, n: number, power = 0.8, level = 0.95): number | undefined {
  if (n < 2) return undefined;
  if (sd === 0) return 0;
  let low = 0;
  let high = 50;
  for (let i = 0; i < 40; i++) {
    const d = (low + high) / 2;
    if (powerOf(d, n, level) < power) low = d;
    else high = d;
  }
  return high * sd;
}

/** The chance that a difference of `effect` standard deviations is found with n runs a side. */
export function powerOf(effect: number, n: number, level = 0.95): number {
  const df = 2 * n - 2;
  const limit = jStat.studentt.inv(0.5 + level / 2, df);
  const shift = effect * Math.sqrt(n / 2);
  // Past this the distribution lies wholly beyond the limit, and jstat's series no longer converges.
  if (shift > 30) return 1;
  return 1 - jStat.noncentralt.cdf(limit, df, shift);
}

/** Cohen's d of after - before, in pooled standard deviations. */
export function cohensD(before: readonly number[], after: readonly number[]): number | undefined {
  const t = student(before, after);
  return t.pooled === undefined || t.pooled === 0 ? undefined : t.difference / t.pooled;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const v of values) total += v;
  return total;
}

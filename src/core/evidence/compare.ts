import { formatLogged, toUs, type Ns } from '../kernel/index.js';
import {
  cohensD,
  fewestRuns,
  hodgesLehmann,
  mannWhitney,
  median,
  minimumDetectable,
  permutationOfMeans,
  powerOf,
  student,
  summarise,
  welch,
} from './statistics.js';

export type Comparison = {
  /** Median before minus median after. */
  readonly saved: Ns;
  readonly verdict: string;
  /** Whether a difference was shown at 95 %: `few` where the runs are too few to say. */
  readonly shown: 'faster' | 'slower' | 'no' | 'few';
  readonly stats: Readonly<Record<string, number | string | null>>;
};

const level = 0.95;

/**
 * Compares durations of two sets of boots (nanoseconds). The verdict is by the exact Mann-Whitney test, the interval by
 * Welch; under four runs a side there is none. Names in `stats` carry their unit.
 */
export function compare(before: readonly Ns[], after: readonly Ns[]): Comparison {
  const a = summarise(before);
  const b = summarise(after);
  const saved = Math.round(a.median - b.median);
  const basic = {
    nBefore: a.n,
    nAfter: b.n,
    meanBeforeUs: rounded(toUs(a.mean)),
    meanAfterUs: rounded(toUs(b.mean)),
    medianBeforeUs: rounded(toUs(a.median)),
    medianAfterUs: rounded(toUs(b.median)),
  };
  if (a.n === 0 || b.n === 0) return { saved: 0, shown: 'few', stats: basic, verdict: 'nothing to compare' };
  const few = Math.min(a.n, b.n);
  if (few < 2) {
    return {
      saved,
      shown: 'few',
      stats: basic,
      verdict: `${plainDifference(saved)}; ${runs(a.n, b.n)}: no verdict on chance`,
    };
  }
  const w = welch(before, after, level);
  const s = student(before, after, level);
  const u = mannWhitney(before, after);
  const hl = hodgesLehmann(before, after, level);
  const mde = minimumDetectable(s.pooled ?? 0, few);
  const d = cohensD(before, after);
  const stats = {
    ...basic,
    sdBeforeUs: rounded(toUs(a.sd)),
    sdAfterUs: rounded(toUs(b.sd)),
    minBeforeUs: rounded(toUs(a.min)),
    maxBeforeUs: rounded(toUs(a.max)),
    minAfterUs: rounded(toUs(b.min)),
    maxAfterUs: rounded(toUs(b.max)),
    differenceUs: rounded(toUs(w.difference)),
    differencePercent: a.mean === 0 ? null : rounded((w.difference / a.mean) * 100),
    welchT: finite(w.t),
    welchDf: finite(w.df),
    welchP: finite(w.p),
    welchLowUs: rounded(toUs(w.low)),
    welchHighUs: rounded(toUs(w.high)),
    studentT: finite(s.t),
    studentP: finite(s.p),
    studentHalfWidthUs: rounded(toUs(s.halfWidth)),
    pooledSdUs: rounded(toUs(s.pooled ?? 0)),
    mannWhitneyU: u.u,
    mannWhitneyP: finite(u.p),
    mannWhitneyExact: u.exact ? 'yes' : 'no',
    a12: finite(u.a12),
    permutationP: finite(permutationOfMeans(before, after)),
    hodgesLehmannUs: rounded(toUs(hl.shift)),
    hodgesLehmannLowUs: hl.low === undefined ? null : rounded(toUs(hl.low)),
    hodgesLehmannHighUs: hl.high === undefined ? null : rounded(toUs(hl.high)),
    hodgesLehmannCoverage: finite(hl.coverage),
    cohensD: finite(d),
    power: d === undefined ? null : finite(powerOf(Math.abs(d), few)),
    minimumDetectableUs: mde === undefined ? null : rounded(toUs(mde)),
  };
  if (few < fewestRuns) {
    const verdict = `${plainDifference(saved)}; ${runs(a.n, b.n)}: under ${String(fewestRuns)} a side, no verdict on chance`;
    return { saved, shown: 'few', stats, verdict };
  }
  const interval = `Welch 95 % ${formatLogged(w.low)}..${formatLogged(w.high)}, exact p = ${u.p.toPrecision(2)}, ${runs(a.n, b.n)}`;
  const by = u.exact ? interval : interval.replace('exact p', 'p');
  if (u.p < 1 - level) {
    const faster = median(after) < median(before);
    const verdict = `${faster ? 'faster' : 'slower'} by ${formatLogged(Math.abs(hl.shift))} (${by})`;
    return { saved, shown: faster ? 'faster' : 'slower', stats, verdict };
  }
  const least =
    mde === undefined ? '' : `; with these runs only differences of ${formatLogged(mde)} and more could have been seen`;
  return {
    saved,
    shown: 'no',
    stats,
    verdict: `no difference shown at 95 %, which is not "no difference" (${by})${least}`,
  };
}

function plainDifference(saved: Ns): string {
  if (saved === 0) return 'the medians are equal';
  return `${formatLogged(Math.abs(saved))} ${saved > 0 ? 'less' : 'more'} after`;
}

function runs(n: number, m: number): string {
  return n === m ? `${String(n)} run${n === 1 ? '' : 's'} a side` : `${String(n)} and ${String(m)} runs`;
}

function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/** To the nanosecond: stamps have no more. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

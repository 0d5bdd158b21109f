import { parseVersion, type KernelVersion, type Ns } from '../../../src/core/kernel/index.js';

/** One row of a table of measured delays, in nanoseconds. */
export type Row = {
  readonly api: string;
  readonly arg: string;
  readonly phase: string;
  readonly ready: Ns;
  readonly n: number;
  readonly p50: Ns;
  readonly p90: Ns;
  readonly min: Ns;
  readonly max: Ns;
  readonly mean: Ns;
};

/** 99.9 % of rows lie within so many standard deviations: of a thousand rows one may be out by chance. */
export const sigmas = 3.29;

/** Kernel, HZ and timers by a table's first line. */
export function kernelOf(first: string, name: string): { kernel: KernelVersion; hz: number; hrtimers: boolean } {
  const kernel = parseVersion(/kernel=(\S+)/.exec(first)?.[1] ?? '');
  const hz = Number(/HZ=(\d+)/.exec(first)?.[1]);
  if (kernel === undefined || !Number.isInteger(hz)) throw new Error(`${name}: no kernel or HZ in the first line`);
  return { kernel, hz, hrtimers: /hrtimers=1/.test(first) };
}

export function readRow(line: string): Row {
  const [api = '', arg = '', phase = '', ready, n, min, p50, p90, , max, mean] = line.split(',');
  const [r, k, least, middle, tail, most, average] = [ready, n, min, p50, p90, max, mean].map(Number);
  const nan = NaN;
  return {
    api,
    arg,
    phase,
    ready: r ?? nan,
    n: k ?? nan,
    min: least ?? nan,
    p50: middle ?? nan,
    p90: tail ?? nan,
    max: most ?? nan,
    mean: average ?? nan,
  };
}

/** What the README of the tables names as an artefact. */
export function isArtefact(row: Row, hrtimers: boolean): boolean {
  if (row.p50 < 1000) return true;
  if (row.api === 'udelay' || row.api === 'poll/udelay') return true;
  return !hrtimers && row.api.startsWith('poll/') && row.phase === 'rand';
}

export function quantile(sorted: readonly number[], share: number): number {
  const at = Math.max(0, Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1))));
  return sorted[at] ?? 0;
}

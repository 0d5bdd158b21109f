import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  backToBack,
  boundsOf,
  formatNs,
  idleMachine,
  mechanismOf,
  overheads,
  tickLength,
  us,
  type Call,
  type Machine,
  type Ns,
} from '../../../src/core/kernel/index.js';
import { callOf } from './calls.js';
import { predict } from './predict.js';
import { isArtefact, kernelOf, quantile, readRow, sigmas, type Row } from './rows.js';
import { readSamples } from './samples.js';
import { check, tell } from './score.js';

/**
 * Real time on a loaded host. When the host runs a virtual CPU whose timer has come due is no law of the kernel, so that these
 * rows are bounded: judged for what the kernel's laws say in spite of the host, and the targets to the letter are told beside it.
 * - No timer fires before its time, and a busy wait is short only by the clock's calibration, which udelay(1000) shows.
 * - Waits that begin and end on ticks are exact, for both ends are late alike.
 * - How late the host is comes from sleeps whose length is known to the nanosecond, schedule_hrtimeout() (least = most). Its
 *   median is taken for the wake-up's overhead; a median of another row lies within its law and 99 % of that lateness, a p90
 *   within the greatest.
 * - A tick comes late too, by up to a tick; while it is, jiffies are stale and a wheel wait is longer or shorter by as much.
 */
export function scoreRealtime(folder: string, names: readonly string[]): void {
  for (const name of names.filter((n) => /-realtime\b/.test(n))) scoreFile(join(folder, name), name);
}

/** `most` is the 99 % quantile. */
type Lateness = {
  readonly median: Ns;
  readonly most: Ns;
  readonly greatest: Ns;
  readonly count: number;
  readonly rows: number;
};

type Tally = Record<string, { held: number; of: number; out: string[] }>;

function scoreFile(path: string, name: string): void {
  console.log(`\n-- delays: real time on a loaded host, ${name}`);
  const [first = '', , ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const { kernel, hz } = kernelOf(first, name);
  const rows = lines.map(readRow).filter((row) => callOf(row.api, row.arg) !== undefined);
  const late = latenessOf(path, rows);
  const scale = (rows.find((r) => r.api === 'udelay' && r.arg === '1000')?.p50 ?? 1e6) / 1e6;
  tell(
    `how late the host is, by ${late.count} sleeps of ${late.rows} rows`,
    `median ${formatNs(late.median)}, 99 % within ${formatNs(late.most)}, the latest ${formatNs(late.greatest)}; the clock of busy waits ${((scale - 1) * 100).toFixed(1)} %`,
    'measured on schedule_hrtimeout() and udelay(1000)',
  );
  const machine: Machine = { ...idleMachine(hz, kernel), overhead: late.median };
  const tally: Tally = {};
  const add = (what: string, held: boolean, row: Row): void => {
    const entry = (tally[what] ??= { held: 0, of: 0, out: [] });
    entry.of++;
    if (held) entry.held++;
    else entry.out.push(`${row.api}(${row.arg}) ${row.phase}`);
  };
  for (const row of rows) {
    const call = callOf(row.api, row.arg);
    if (call === undefined || isArtefact(row, true) || row.api === 'schedule_hrtimeout') continue;
    judge(row, scaled(call, scale), machine, late, add);
  }
  for (const [what, { held, of, out }] of Object.entries(tally)) {
    if (what.startsWith('(')) tell(what, `${held}/${of} rows`, 'to the letter, told: the others are bounded only');
    else {
      const allowed = what.includes('99.9 %') ? Math.ceil(of / 1000) : 0;
      check(what, `${held}/${of} rows`, allowed === 0 ? 'all' : `at most ${allowed} out`, of - held <= allowed);
      for (const row of out) console.log(`    out: ${row}`);
    }
  }
}

type Add = (what: string, held: boolean, row: Row) => void;

function judge(row: Row, call: Call, machine: Machine, late: Lateness, add: Add): void {
  const mechanism = mechanismOf(call, machine);
  const tick = tickLength(machine.hz);
  const { min, max } = boundsOf(mechanism, machine);
  const predicted = predict(row, machine, call);
  if (mechanism.kind === 'wheel' && row.phase === 'b2b') {
    const handled = call.kind === 'work' || row.api === 'mod_timer';
    const off = row.p50 - backToBack(mechanism.jiffies) * tick;
    // Timers and work are timed in their handler, and armed by a task that ran after it.
    const exact = 0.001 * backToBack(mechanism.jiffies) * tick;
    add('(wheel, back to back: median exact to 0.1 %)', Math.abs(off) <= exact, row);
    add(
      'wheel, back to back: median exact to 0.1 %, timers and work also early by the lateness of who arms them',
      Math.abs(off) <= exact || (handled && off < 0 && -off <= late.most),
      row,
    );
    return;
  }
  if (mechanism.kind === 'wheel') {
    add(
      'wheel, random phase: bounds hold within a late tick and 99 % of the lateness',
      row.min >= min - tick && row.max <= max + tick + late.most,
      row,
    );
    const average = predicted.reduce((sum, v) => sum + v, 0) / predicted.length;
    const variance = predicted.reduce((sum, v) => sum + (v - average) ** 2, 0) / predicted.length;
    const off = Math.abs(row.mean - average);
    add('(wheel, random phase: mean within 1 %)', off <= 0.01 * average, row);
    add(
      '(wheel, random phase: mean within 1 % and 99 % of the lateness, sampling error allowed)',
      off <= 0.01 * average + late.most + sigmas * Math.sqrt(variance / row.n),
      row,
    );
    return;
  }
  const early = mechanism.kind === 'spin' ? us(1) : 0;
  add('hrtimer and busy: never early', row.min >= min * (1 - (early > 0 ? 0.001 : 0)) - early, row);
  for (const [measured, share, near, host] of [
    [row.p50, 0.5, (v: Ns) => Math.max(0.01 * v, us(8)), late.most],
    [row.p90, 0.9, (v: Ns) => 0.05 * v + us(20), late.greatest],
  ] as const) {
    const spread = sigmas * Math.sqrt((share * (1 - share)) / row.n);
    const [low, middle, high] = [share - spread, share, share + spread].map((s) => quantile(predicted, s));
    const which = share === 0.5 ? 'median within max(1 %, 8 us)' : 'p90 within 5 % + 20 us';
    add(`(hrtimer and busy: ${which})`, Math.abs(measured - (middle ?? 0)) <= near(middle ?? 0), row);
    const least = (low ?? 0) - near(low ?? 0) - (mechanism.kind === 'spin' ? 0 : machine.overhead);
    add(
      `hrtimer and busy: ${which} and ${share === 0.5 ? '99 % of' : 'the greatest'} lateness, sampling error (99.9 %) allowed`,
      measured >= Math.min(least, max) && measured <= (high ?? 0) + near(high ?? 0) + host,
      row,
    );
  }
}

/** How late sleeps of a known length end; every sample where there are all, else the rows' medians and ends. */
function latenessOf(path: string, rows: readonly Row[]): Lateness {
  const samples = readSamples(path);
  const known = rows.filter((row) => row.api === 'schedule_hrtimeout');
  const late = known
    .flatMap((row) => {
      const all = samples.get(`${row.api} ${row.arg} ${row.phase} ${row.ready}`) ?? [row.p50, row.p90, row.max];
      return all.map((value) => value - us(Number(row.arg)));
    })
    .sort((a, b) => a - b);
  if (late.length === 0) {
    return { median: overheads.likely, most: overheads.max, greatest: overheads.max, count: 0, rows: 0 };
  }
  return {
    median: quantile(late, 0.5),
    most: quantile(late, 0.99),
    greatest: quantile(late, 1),
    count: late.length,
    rows: known.length,
  };
}

function scaled(call: Call, scale: number): Call {
  return call.kind === 'busy' ? { ...call, time: call.time * scale } : call;
}

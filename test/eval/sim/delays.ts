import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  backToBack,
  boundsOf,
  formatNs,
  idleMachine,
  mechanismOf,
  overheads,
  parseVersion,
  tickLength,
  us,
  wakesAt,
  type Call,
  type Machine,
  type Ns,
} from '../../../src/core/kernel/index.js';
import { namedStream, pollUntilReady, runAlone } from '../../../src/core/sim/index.js';
import { callOf } from './calls.js';
import { check, halfOf, tell } from './score.js';

type Row = {
  readonly api: string;
  readonly arg: string;
  readonly phase: string;
  readonly ready: number;
  readonly n: number;
  readonly p50: number;
  readonly p90: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
};

/** `literal` is the target as written; `sampled` the same with the chance of so few samples allowed for. */
type Verdict = { readonly literal: boolean; readonly sampled: boolean; readonly off: string };
type Judged = Verdict & { readonly file: string; readonly metric: string; readonly what: string };
/** How far a mean of n samples lies from what they were drawn from, in its standard deviations. */
type Deviation = { readonly file: string; readonly z: number; readonly ratio: number };

const draws = 2000;
/** 99.9 % of rows lie within so many standard deviations: of a thousand rows one may be out by chance. */
const sigmas = 3.29;

const metrics = {
  back: 'wheel, back to back: median exact to 0.1 %',
  bounds: 'wheel, random phase: bounds hold (30 us)',
  mean: 'wheel, random phase: mean within 1 %',
  median: 'hrtimer and busy: median within max(1 %, 8 us)',
  tail: 'hrtimer and busy: p90 within 5 % + 20 us',
  poll: 'poll: median within a tick',
} as const;

/** Every table against the clocks. `verbose` lists what is out in the half that may be looked at. */
export function scoreDelays(folder: string, names: readonly string[], verbose: boolean): void {
  const judged: Judged[] = [];
  const deviations: Deviation[] = [];
  for (const name of names) scoreFile(folder, name, judged, deviations);
  const isQuiet = (file: string): boolean => !/-hog\b|-realtime\b/.test(file);
  console.log('\n-- delays: quiet machines');
  report(
    judged.filter((j) => isQuiet(j.file)),
    verbose,
    true,
  );
  for (const file of new Set(deviations.map((d) => d.file))) {
    if (!isQuiet(file)) continue;
    const mine = deviations.filter((d) => d.file === file);
    const ratio = mine.reduce((sum, d) => sum + d.ratio, 0) / mine.length - 1;
    const rms = Math.sqrt(mine.reduce((sum, d) => sum + d.z ** 2, 0) / mine.length);
    const middle = mine.reduce((sum, d) => sum + d.z, 0) / mine.length;
    check(
      `wheel, random phase: mean over the ${mine.length} rows of ${file}`,
      `${(ratio * 100).toFixed(3)} %; a row lies ${rms.toFixed(2)} standard errors off (1 is chance alone), on average ${middle.toFixed(2)}`,
      'within 1 %, average within 3.29 standard errors',
      Math.abs(ratio) <= 0.01 && Math.abs(middle) * Math.sqrt(mine.length) <= sigmas * Math.max(1, rms),
    );
  }
  console.log(
    '\n-- delays: a busy task on the same CPU, or real time on a loaded host (no contention in the model: no target)',
  );
  report(
    judged.filter((j) => !isQuiet(j.file)),
    false,
    false,
  );
}

function report(judged: readonly Judged[], verbose: boolean, isTarget: boolean): void {
  for (const metric of Object.values(metrics)) {
    const mine = judged.filter((j) => j.metric === metric);
    if (mine.length === 0) continue;
    const literal = counts(mine, (j) => j.literal);
    const sampled = counts(mine, (j) => j.sampled);
    if (!isTarget) {
      tell(metric, literal, 'told, not judged');
      continue;
    }
    const chance = metric !== metrics.back && metric !== metrics.bounds;
    if (!chance)
      check(
        metric,
        literal,
        'all',
        mine.every((j) => j.literal),
      );
    else {
      tell(metric, literal, 'all, to the letter: what is out by the sampling error of its 20 to 200 samples is in it');
      // One row in a thousand is out by chance.
      const out = mine.filter((j) => !j.sampled).length;
      const allowed = Math.ceil(mine.length / 1000);
      check(`${metric}, sampling error (99.9 %) allowed`, sampled, `at most ${allowed} out`, out <= allowed);
    }
    if (!verbose) continue;
    for (const j of mine)
      if (!(chance ? j.sampled : j.literal) && halfOf(j.file) === 0)
        console.log(`    ${j.file}: ${j.what}: off by ${j.off}`);
  }
}

function counts(judged: readonly Judged[], ok: (j: Judged) => boolean): string {
  const of = (some: readonly Judged[]): string => `${some.filter(ok).length}/${some.length}`;
  const [even, odd] = [0, 1].map((half) => of(judged.filter((j) => halfOf(j.file) === half)));
  return `${of(judged)} rows; halves ${even ?? ''}, ${odd ?? ''}`;
}

function scoreFile(folder: string, name: string, judged: Judged[], deviations: Deviation[]): void {
  const [first = '', , ...lines] = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const kernel = parseVersion(/kernel=(\S+)/.exec(first)?.[1] ?? '');
  const hz = Number(/HZ=(\d+)/.exec(first)?.[1]);
  const hrtimers = /hrtimers=1/.test(first);
  if (kernel === undefined || !Number.isInteger(hz)) throw new Error(`${name}: no kernel or HZ in the first line`);
  const busy = /-hog\b/.test(name);
  const machine: Machine = { ...idleMachine(hz, kernel), highres: hrtimers, ...(busy ? { tick: 'running' } : {}) };
  const rows = lines.map(readRow);
  // Timers and work are timed in their handler; who arms the next one runs a wake-up after it. This kernel's own is in its table.
  const wakeUp = rows.find((r) => r.api === 'queue_delayed_work' && r.arg === '0' && r.phase === 'b2b')?.p50;
  for (const row of rows) {
    const call = callOf(row.api.replace('poll/', ''), row.arg);
    if (call === undefined || isArtefact(row, hrtimers)) continue;
    const what = `${row.api}(${row.arg}) ${row.phase} ready=${row.ready}`;
    const add = (metric: string, verdict: Verdict): unknown => judged.push({ ...verdict, file: name, metric, what });
    const predicted = predict(row, machine, call);
    const mechanism = mechanismOf(call, machine);
    if (row.api.startsWith('poll/')) add(metrics.poll, judgePoll(row, predicted, tickLength(hz)));
    else if (mechanism.kind !== 'wheel') {
      add(
        metrics.median,
        judgeQuantile(row.p50, predicted, 0.5, row.n, (v) => Math.max(0.01 * v, us(8))),
      );
      add(
        metrics.tail,
        judgeQuantile(row.p90, predicted, 0.9, row.n, (v) => 0.05 * v + us(20)),
      );
    } else if (row.phase === 'b2b') {
      const late = call.kind === 'work' || row.api === 'mod_timer' ? (wakeUp ?? overheads.likely) : 0;
      const off = row.p50 / (backToBack(mechanism.jiffies) * tickLength(hz) - late) - 1;
      const exact = Math.abs(off) <= 0.001;
      add(metrics.back, { literal: exact, sampled: exact, off: `${(off * 100).toFixed(3)} %` });
    } else {
      const { min, max } = boundsOf(mechanism, machine);
      const inside = row.min >= min - us(30) && row.max <= max + us(30);
      add(metrics.bounds, { literal: inside, sampled: inside, off: `${formatNs(row.min)}..${formatNs(row.max)}` });
      const average = predicted.reduce((sum, v) => sum + v, 0) / predicted.length;
      const variance = predicted.reduce((sum, v) => sum + (v - average) ** 2, 0) / predicted.length;
      const error = Math.sqrt(variance / row.n);
      const off = row.mean - average;
      add(metrics.mean, {
        literal: Math.abs(off) <= 0.01 * average,
        sampled: Math.abs(off) <= 0.01 * average + sigmas * error,
        off: `${((off / average) * 100).toFixed(2)} %`,
      });
      if (error > 0) deviations.push({ file: name, z: off / error, ratio: row.mean / average });
    }
  }
}

function readRow(line: string): Row {
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

function isArtefact(row: Row, hrtimers: boolean): boolean {
  if (row.p50 < 1000) return true;
  if (row.api === 'udelay' || row.api === 'poll/udelay') return true;
  return !hrtimers && row.api.startsWith('poll/') && row.phase === 'rand';
}

/** The bench's procedure: back to back, or after a busy wait of up to two ticks; the same call over and over. */
function predict(row: Row, machine: Machine, call: Call): Ns[] {
  const random = namedStream(1, `${row.api} ${row.arg} ${row.phase}`);
  const mechanism = mechanismOf(call, machine);
  const tick = tickLength(machine.hz);
  const polls = row.api.startsWith('poll/');
  let now = Math.ceil(8 ** 5 * tick);
  const found: Ns[] = [];
  for (let i = 0; i < (polls ? 300 : draws) + 10; i++) {
    if (row.phase === 'rand') now += Math.floor(((i * 0.6180339887 + random() / draws) % 1) * 2 * tick);
    const started = now;
    const poll = { call, looksFirst: true, bound: { kind: 'none' }, look: 0 } as const;
    now = polls
      ? runAlone((clock) => pollUntilReady(clock, poll, started + row.ready, machine), started).at
      : wakesAt(mechanism, started, machine);
    // The first calls find their own rhythm.
    if (i >= 10) found.push(now - started);
    now = Math.max(now, started + 1);
  }
  return found.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  const at = Math.max(0, Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1))));
  return sorted[at] ?? 0;
}

/** A quantile of n samples is, by chance, that of a share somewhat beside its own. */
function judgeQuantile(
  measured: Ns,
  predicted: readonly Ns[],
  share: number,
  n: number,
  tolerance: (value: Ns) => Ns,
): Verdict {
  const spread = sigmas * Math.sqrt((share * (1 - share)) / n);
  const [low, mid, high] = [share - spread, share, share + spread].map((s) => quantile(predicted, s));
  const near = (value: Ns): boolean => Math.abs(measured - value) <= tolerance(value);
  const [a, m, b] = [low ?? 0, mid ?? 0, high ?? 0];
  const between = measured >= a - tolerance(a) && measured <= b + tolerance(b);
  return { literal: near(m), sampled: between, off: formatNs(measured - m) };
}

function judgePoll(row: Row, predicted: readonly Ns[], tick: Ns): Verdict {
  return judgeQuantile(row.p50, predicted, 0.5, row.n, () => tick);
}

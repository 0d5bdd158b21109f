import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  backToBack,
  boundsOf,
  formatNs,
  mechanismOf,
  overheads,
  tickLength,
  us,
  type Ns,
} from '../../../src/core/kernel/index.js';
import { callOf } from './calls.js';
import { machineOf, predict } from './predict.js';
import { isArtefact, kernelOf, quantile, readRow, sigmas, type Row } from './rows.js';
import { distance, readSamples } from './samples.js';
import { check, halfOf, tell } from './score.js';

/** `literal` is the target as written; `sampled` the same with the chance of so few samples allowed for. */
type Verdict = { readonly literal: boolean; readonly sampled: boolean; readonly off: string };
type Judged = Verdict & { readonly file: string; readonly metric: string; readonly what: string };
/** How far a mean of n samples lies from what they were drawn from, in its standard deviations. */
type Deviation = { readonly file: string; readonly z: number; readonly ratio: number };

/** Kolmogorov's limit of the distance times the root of n: one row in a thousand lies above it. */
const smirnov = 1.95;

const metrics = {
  back: 'wheel, back to back: median exact to 0.1 %',
  bounds: 'wheel, random phase: bounds hold (30 us)',
  mean: 'wheel, random phase: mean within 1 %',
  median: 'hrtimer and busy: median within max(1 %, 8 us)',
  tail: 'hrtimer and busy: p90 within 5 % + 20 us',
  poll: 'poll: median within a tick',
  shape:
    'all samples of a row, not a quantile: Kolmogorov-Smirnov at 99.9 %, max(1 %, 8 us) forgiven, of polls a tick or a turn',
} as const;

/** Every table against the clocks. `verbose` lists what is out in the half that may be looked at. */
export function scoreDelays(folder: string, names: readonly string[], verbose: boolean): void {
  const kinds = { quiet: /^(?!.*-(?:hog|realtime)\b)/, busy: /-hog\b/ };
  for (const [kind, pattern] of Object.entries(kinds)) {
    const mine = names.filter((name) => pattern.test(name));
    if (mine.length === 0) continue;
    console.log(
      kind === 'quiet' ? '\n-- delays: quiet machines' : '\n-- delays: a task that never sleeps on the same CPU',
    );
    const judged: Judged[] = [];
    const deviations: Deviation[] = [];
    for (const name of mine) scoreFile(folder, name, judged, deviations);
    report(judged, verbose);
    reportMeans(deviations, mine);
    if (control.of > 0)
      tell('the same samples, had the other task no weight', `${control.held}/${control.of} rows`, 'a control');
  }
}

/** The same comparison without the scheduler's part: what the figure is worth. */
const control = { held: 0, of: 0 };

function reportMeans(deviations: readonly Deviation[], files: readonly string[]): void {
  for (const file of files) {
    const mine = deviations.filter((d) => d.file === file);
    if (mine.length === 0) continue;
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
}

function report(judged: readonly Judged[], verbose: boolean): void {
  for (const metric of Object.values(metrics)) {
    const mine = judged.filter((j) => j.metric === metric);
    if (mine.length === 0) continue;
    const literal = counts(mine, (j) => j.literal);
    const sampled = counts(mine, (j) => j.sampled);
    const chance = metric !== metrics.back && metric !== metrics.bounds;
    if (!chance)
      check(
        metric,
        literal,
        'all',
        mine.every((j) => j.literal),
      );
    else {
      if (metric !== metrics.shape)
        tell(
          metric,
          literal,
          'all, to the letter: what is out by the sampling error of its 20 to 200 samples is in it',
        );
      // One row in a thousand is out by chance.
      const out = mine.filter((j) => !j.sampled).length;
      const allowed = Math.ceil(mine.length / 1000);
      check(
        metric === metrics.shape ? metric : `${metric}, sampling error (99.9 %) allowed`,
        sampled,
        `at most ${allowed} out`,
        out <= allowed,
      );
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
  const { kernel, hz, hrtimers } = kernelOf(first, name);
  const busy = /-hog\b/.test(name);
  const machine = { ...machineOf(hz, kernel, { busy, realtimeKernel: /-rt-/.test(first) }), highres: hrtimers };
  const rows = lines.map(readRow);
  const samples = readSamples(join(folder, name));
  // Timers and work are timed in their handler; who arms the next one runs a wake-up after it. This kernel's own is in its table.
  const wakeUp = rows.find((r) => r.api === 'queue_delayed_work' && r.arg === '0' && r.phase === 'b2b')?.p50;
  for (const row of rows) {
    const call = callOf(row.api.replace('poll/', ''), row.arg);
    if (call === undefined || isArtefact(row, hrtimers)) continue;
    const what = `${row.api}(${row.arg}) ${row.phase} ready=${row.ready}`;
    const add = (metric: string, verdict: Verdict): unknown => judged.push({ ...verdict, file: name, metric, what });
    const predicted = predict(row, machine, call);
    const all = samples.get(`${row.api} ${row.arg} ${row.phase} ${row.ready}`);
    if (all !== undefined) {
      // Where a device is ready about at the end of a turn, a wake-up's microsecond decides whether a poll takes one more.
      const turn = Math.max(tickLength(hz), boundsOf(mechanismOf(call, machine), machine).max);
      const near = (v: Ns): Ns => (row.api.startsWith('poll/') ? turn : Math.max(0.01 * v, us(8)));
      const limit = smirnov / Math.sqrt(all.length);
      const far = distance(all, predicted, near);
      add(metrics.shape, { literal: far <= limit, sampled: far <= limit, off: far.toFixed(2) });
      if (busy) {
        control.of++;
        if (distance(all, predict(row, { ...machine, rival: undefined }, call), near) <= limit) control.held++;
      }
    }
    const range = { min: predicted[0] ?? 0, max: predicted.at(-1) ?? 0 };
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
      // Beside a task that never sleeps there is no bound but what the scheduler allows: the least and most of the simulation.
      const { min, max } = busy ? range : boundsOf(mechanism, machine);
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

import {
  backToBack,
  boundsOf,
  eraOf,
  eras,
  granularity,
  mechanismOf,
  ms,
  overheads,
  tickLength,
  usualHz,
  versionOf,
  type Call,
  type Era,
  type KernelVersion,
  type Machine,
  type Ns,
  type Span,
} from '../kernel/index.js';
import type { Fit } from './estimate.js';
import type { LogWindow, Segment } from './log-window.js';

/** A fit with what the estimate needs of it. */
export type Inference = Fit & {
  readonly machine: Machine;
  readonly chain: Span;
  /** The chain's length as the log has it, where a stretch is too short for every phase. */
  readonly pinned: Span | undefined;
  readonly perSegment: readonly number[];
  /** From one wake-up of the chain to the next, and the wheel's granularity in jiffies. */
  readonly each: Ns;
  readonly granularity: number;
  /** What the first wait of a chain takes, over all phases. */
  readonly first: Span;
  readonly score: number;
};

export type InferenceOptions = {
  readonly hz?: number;
  readonly kernel?: KernelVersion;
  /** The newest era that there was when the log was posted. */
  readonly newest?: Era;
  /** How many waits the code can make on this path. */
  readonly waits?: { readonly min: number; readonly max: number };
};

/**
 * Every (HZ, era, waits) with which a chain of waits by the timer wheel explains a before log, best first. The after log,
 * where there is one, only orders them: what is left over must be alike in both.
 */
export function infer(
  before: Call,
  after: Call | undefined,
  window: LogWindow,
  options: InferenceOptions,
): Inference[] {
  const found: Inference[] = [];
  const seen = new Set<string>();
  for (const hz of options.hz !== undefined ? [options.hz] : window.hz !== undefined ? [window.hz] : usualHz) {
    for (const { era, kernel } of candidates(options, window.unitNs)) {
      const machine: Machine = { hz, kernel, highres: !window.lowres, tick: 'stopped', overhead: overheads.likely };
      const mechanism = mechanismOf(before, machine);
      if (mechanism.kind !== 'wheel') continue;
      const key = `${hz} ${mechanism.jiffies} ${JSON.stringify(after && mechanismOf(after, machine))}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const fit = fitChain(mechanism.jiffies, after, machine, era, window.segments, options.waits);
      if (fit !== undefined) found.push(fit);
    }
  }
  found.sort((a, b) => a.score - b.score || a.residual - b.residual);
  const best = found[0]?.score ?? 0;
  return found.filter((fit) => fit.score - best < leastLikely);
}

/** Eras that the kernel in question may be of. */
function candidates(
  { kernel, newest }: InferenceOptions,
  unitNs: 1000 | 1024 | undefined,
): { era: Era; kernel: KernelVersion }[] {
  if (kernel !== undefined) return [{ era: eraOf(kernel), kernel }];
  const last = unitNs === 1024 ? '<=6.11' : (newest ?? '>=6.13');
  return eras
    .slice(eras.indexOf(last))
    .reverse()
    .map((era) => ({ era, kernel: versionOf(era) }));
}

/** As many waits as each stretch has room for, within what the code can make; undefined where none fits. */
function fitChain(
  jiffies: number,
  after: Call | undefined,
  machine: Machine,
  era: Era,
  segments: readonly Segment[],
  waits: { readonly min: number; readonly max: number } | undefined,
): Inference | undefined {
  const tick = tickLength(machine.hz);
  const first = boundsOf({ kind: 'wheel', jiffies }, machine);
  const each = backToBack(jiffies) * tick;
  const short = after === undefined ? { min: 0, max: 0 } : boundsOf(mechanismOf(after, machine), machine);
  const counts: number[] = [];
  let left = waits?.max ?? Infinity;
  let total = 0;
  for (const segment of segments) {
    const start = total === 0 ? first.min : each;
    const room = segment.before + resolution < start ? 0 : 1 + Math.floor((segment.before + resolution - start) / each);
    const count = Math.max(0, Math.min(room, roomAfter(segment, short, each, first), left));
    counts.push(count);
    left -= count;
    total += count;
  }
  if (total === 0 || total < (waits?.min ?? 0)) return undefined;

  const scale = restScale(segments);
  const sum = {
    score: -Math.log(priors[machine.hz] ?? 0.05),
    residual: 0,
    pinned: undefined,
    started: false,
    min: 0,
    max: 0,
  };
  for (const [i, segment] of segments.entries())
    addSegment(sum, segment, counts[i] ?? 0, { first, each, short, scale });
  const { score, residual, pinned, min, max } = sum;
  const fit = { hz: machine.hz, era, waits: total, residual, machine, chain: { min, max }, pinned, perSegment: counts };
  return { ...fit, each, granularity: granularity(jiffies), first, score };
}

/** What is more than a hundred thousand times less likely than the best is no fit. */
const leastLikely = Math.log(1e5);

/** How often kernels in use have these rates: distributions build with 250 and 1000 (an estimate; it only breaks ties). */
const priors: Readonly<Record<number, number>> = { 250: 0.45, 1000: 0.35, 300: 0.1, 100: 0.1 };

/** Waits that a stretch may have held by what became of it: their short successors must fit, and so must the shrinking. */
function roomAfter(segment: Segment, short: Span, each: Ns, first: Span): number {
  if (segment.after === undefined) return Infinity;
  const fits = short.min === 0 ? Infinity : Math.floor((segment.after + resolution) / short.min);
  // A first wait may be cut short by its phase, and long sleeps cost a little more than their length.
  const shrunk = 1.03 * (segment.before - segment.after) + (first.max - first.min) + ms(1);
  return Math.min(fits, each > short.max ? Math.floor(shrunk / (each - short.max)) : Infinity);
}

/** What a log usually leaves unexplained: work between the waits, about a fiftieth of it, and never less than half a millisecond. */
function restScale(segments: readonly Segment[]): Ns {
  return 5e5 + segments.reduce((sum, s) => sum + s.before, 0) / 50;
}

type Sum = { score: number; residual: Ns; pinned: Span | undefined; started: boolean; min: Ns; max: Ns };

/** Adds a stretch with `count` waits: only the first wait of a chain has a phase of its own, later ones end on its grid. */
function addSegment(
  sum: Sum,
  segment: Segment,
  count: number,
  wait: { readonly first: Span; readonly each: Ns; readonly short: Span; readonly scale: Ns },
): void {
  const fresh = count > 0 && !sum.started;
  const most = count === 0 ? 0 : (fresh ? wait.first.max : wait.each) + (count - 1) * wait.each;
  const least = fresh ? wait.first.min + (count - 1) * wait.each : most;
  // A stretch too short for every phase tells the phase, as far as it is known what else was done in it.
  const pinned = fresh && segment.before < most;
  const other = otherWork(segment, count, least, wait.short);
  const chain = pinned
    ? { min: segment.before - other.max, max: segment.before - other.min }
    : { min: least, max: most };
  if (count > 0) {
    sum.started = true;
    sum.residual += segment.before - (chain.min + chain.max) / 2;
  }
  if (pinned) sum.pinned = other;
  sum.min += chain.min;
  sum.max += chain.max;
  const rest = { min: Math.max(0, segment.before - most), max: Math.max(0, segment.before - least) };
  // The after log shows what else was done there; without it little is expected.
  const known = segment.after === undefined ? undefined : Math.max(0, segment.after - count * wait.short.max);
  sum.score += surprise(rest, most - least, known, wait.scale);
}

/** Minus the logarithm of how likely a rest is, where its chain may have any length of a range `width` wide. */
function surprise(rest: Span, width: Ns, known: Ns | undefined, scale: Ns): number {
  const noise = known === undefined ? scale : 3e5 + known / 5;
  const spread = Math.log(Math.max(width, noise) / noise);
  if (known !== undefined) return spread + Math.max(0, rest.min - known, known - rest.max) / noise;
  const mass = Math.exp(-rest.min / noise) - Math.exp(-(rest.max + noise / 1e3) / noise);
  const density = mass / Math.max((rest.max - rest.min) / noise, 1e-3);
  return spread - Math.log(Math.max(density, 1e-300));
}

/** A log's last digit. */
const resolution: Ns = 2_000;

/** How much of a stretch was not waiting: what the after log leaves beside its short waits; without one, anything that fits. */
function otherWork(segment: Segment, count: number, least: Ns, short: Span): Span {
  const most = Math.max(0, segment.before - least);
  if (segment.after === undefined) return { min: 0, max: most };
  const left = (each: Ns): Ns => Math.min(most, Math.max(0, (segment.after ?? 0) - count * each));
  return { min: left(short.max), max: left(short.min) };
}

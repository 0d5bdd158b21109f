import {
  boundsOf,
  formatNs,
  growthStep,
  mechanismOf,
  us,
  type Call,
  type Growth,
  type Ns,
  type Ticks,
} from '../kernel/index.js';
import { runAlone, pollUntilReady, type PollEnd } from '../sim/index.js';
import type { Alternative, CurvePoint, DevicesPoint, Never } from './estimate.js';
import { lookOf, runPaired, type Question } from './paired-runs.js';

const usualCounts: readonly number[] = [1, 8, 32];
/** How long the slow devices of the "many devices" question take. */
const slow: Ns = 5e9;

/** Time and looks of one wait over the ready time: nothing where the first look succeeds, and so on to three old intervals. */
export function curveOf(question: Question): CurvePoint[] {
  const { before, after, machine } = question;
  if (before.call === undefined || after.call === undefined) return [];
  const [old, fresh] = [intervalOf(before.call, question), intervalOf(after.call, question)];
  const long = Math.max(old, fresh);
  const readies = [0, Math.min(old, fresh) / 2, Math.min(old, fresh), 0.05 * long, 0.1 * long, 0.25 * long, 0.5 * long];
  readies.push(0.75 * long, long, 1.5 * long, 2 * long, 3 * long);
  const sorted = [...new Set(readies.map((r) => Math.round(r)))].sort((a, b) => a - b);
  return sorted.map((ready) => {
    const runs = runPaired({
      ...question,
      waits: 1,
      machine,
      ready: () => ready,
      phase: (share) => share * 512,
      draws: 24,
    });
    return {
      ready,
      before: { min: runs.before.min, max: runs.before.max },
      after: { min: runs.after.min, max: runs.after.max },
      saved: { min: runs.saved.min, max: runs.saved.max },
      pollsBefore: runs.before.polls,
      pollsAfter: runs.after.polls,
    };
  });
}

/** The same waits under other policies, with the same draws: so that "fewer polls" can be weighed against time. */
export function alternativesOf(question: Question): Alternative[] {
  const { before, after } = question;
  if (before.call === undefined || after.call === undefined) return [];
  // A long chain is its parts many times over: only one of its waits has a phase of its own.
  const waits = Math.min(question.waits, 4);
  const old = intervalOf(before.call, question);
  const fresh = intervalOf(after.call, question);
  const policies: { readonly name: string; readonly call: Call }[] = [];
  const growing = after.call.kind === 'growing' ? after.call.growth : undefined;
  const first = growing?.first ?? Math.max(us(1), Math.round(Math.min(old, fresh) / 2e3) * 1e3);
  const cap = growing?.cap ?? Math.max(old, fresh);
  if (cap > 2 * first) {
    for (const kind of ['exponential', 'linear'] as const) {
      if (kind === growing?.kind) continue;
      const growth: Growth = { kind, first, cap, stretch: 2 };
      policies.push({ name: `${kind} ${compact(first)}..${compact(cap)}`, call: { kind: 'growing', growth } });
    }
  }
  for (const factor of [0.5, 2]) {
    const scaled = scale(after.call, factor);
    if (scaled !== undefined)
      policies.push({ name: factor < 1 ? 'half the interval' : 'double the interval', call: scaled });
  }
  return policies.map(({ name, call }) => {
    const runs = runPaired({ ...question, after: { ...after, call }, waits, draws: 60, budget: 100_000 });
    const times = question.waits / waits;
    return { policy: name, likely: Math.round(runs.after.likely * times), polls: runs.after.polls * times };
  });
}

/** Looks and CPU where many slow devices are polled side by side; looks cost 0.5..2 us and a wake-up 3..10 us (estimates). */
export function devicesOf(question: Question, counts = usualCounts, ready = slow): DevicesPoint[] {
  const { before, after, machine } = question;
  if (after.call === undefined || ready === Infinity) return [];
  const { looks, sleeps: naps } = pollUntil(after.call, question, ready);
  const looksBefore = before.call === undefined ? 0 : pollUntil(before.call, question, ready).looks;
  const sleeps = mechanismOf(after.call, machine).kind !== 'spin';
  return counts.map((count) => {
    const share = (perLook: Ns): number => Math.round((count * looks * perLook * 1000) / Math.max(1, ready)) / 10;
    const most = 100 * count;
    const cpuPercent = sleeps ? { min: share(3_500), max: Math.min(most, share(12_000)) } : { min: most, max: most };
    const all = { looks: Math.round(count * looks), looksBefore: Math.round(count * looksBefore) };
    return { count, ready, ...all, wakeUps: sleeps ? Math.round(count * naps) : 0, cpuPercent };
  });
}

function pollUntil(call: Call, { machine }: Question, ready: Ns): PollEnd {
  const poll = {
    call,
    looksFirst: true,
    bound: { kind: 'none' },
    look: mechanismOf(call, machine).kind === 'none' ? us(1) : 0,
  } as const;
  return runAlone((now) => pollUntilReady(now, poll, ready, machine), 0);
}

/** How long one wait is; a growing one by its cap. */
function intervalOf(call: Call, { machine }: Question): Ns {
  if (call.kind === 'growing') return Math.min(call.growth.cap ?? Infinity, growthStep(call.growth, 6));
  const bounds = boundsOf(mechanismOf(call, machine), machine);
  const mechanism = mechanismOf(call, machine);
  return mechanism.kind === 'hrtimer' ? mechanism.max : Math.round(bounds.min);
}

function scale(call: Call, factor: number): Call | undefined {
  const by = (time: Ns): Ns => Math.max(1000, Math.round((time * factor) / 1e3) * 1e3);
  switch (call.kind) {
    case 'msleep':
    case 'fsleep':
    case 'busy':
      return { ...call, time: by(call.time) };
    case 'range':
      return { ...call, min: by(call.min), max: by(call.max) };
    case 'poll':
      return call.interval === 0 ? undefined : { ...call, interval: by(call.interval) };
    case 'hrtimeout':
      return { ...call, time: by(call.time) };
    case 'growing':
      return { kind: 'growing', growth: { ...call.growth, first: by(call.growth.first) } };
    case 'timeout':
    case 'work': {
      const ticks = scaleTicks(call.ticks, factor);
      return ticks === undefined ? undefined : { ...call, ticks };
    }
    default:
      return call satisfies never;
  }
}

function scaleTicks(ticks: Ticks, factor: number): Ticks | undefined {
  switch (ticks.kind) {
    case 'count': {
      const count = Math.max(1, Math.round(ticks.count * factor));
      return count === ticks.count ? undefined : { kind: 'count', count };
    }
    case 'up':
    case 'down':
      return { ...ticks, time: ticks.time * factor };
    case 'hz':
      return factor < 1 ? { ...ticks, over: ticks.over / factor } : { ...ticks, times: ticks.times * factor };
    default:
      return ticks satisfies never;
  }
}

// A patch may name any number of turns; beyond this nobody waits for what they add up to.
const mostNeverLooks = 100_000;

/** What one wait costs on each side if the device never answers: the real timeouts. Nothing where a loop has no bound. */
export function neverOf(question: Question): Never | undefined {
  const limits = { maxLooks: mostNeverLooks };
  if (question.before.bound.kind === 'none' || question.after.bound.kind === 'none') return undefined;
  const [before, after] = [question.before, question.after].map((side) => {
    if (side.call === undefined) return undefined;
    const poll = {
      call: side.call,
      looksFirst: side.looksFirst,
      bound: side.bound,
      look: lookOf(side.call, question.machine),
    };
    const end = runAlone((now) => pollUntilReady(now, poll, Infinity, question.machine, limits), 0);
    return end.ended === 'timeout' ? end.at : undefined;
  });
  return before === undefined || after === undefined ? undefined : { before, after };
}

function compact(time: Ns): string {
  return formatNs(time).replace(' ', '');
}

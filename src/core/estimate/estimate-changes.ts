import type { DelayChange } from '../delay/index.js';
import type { Evidence } from '../evidence/index.js';
import {
  boundsOf,
  formatNs,
  mechanismOf,
  newestEraAt,
  parseVersion,
  quietMachine,
  tickLength,
  usualHz,
  versionOf,
  type Call,
  type KernelVersion,
  type Machine,
  type Mechanism,
  type Ns,
} from '../kernel/index.js';
import type { LoopBound } from '../sim/index.js';
import { bootPathOf, bootSavedOf } from './boot-path.js';
import type { Assumption, AssumptionFrom, Cost, Estimate } from './estimate.js';
import { hiddenWork, withHiddenWork } from './hidden-work.js';
import { infer, type Inference } from './infer.js';
import { driverWords, findWindow, type LogWindow } from './log-window.js';
import { machineOf } from './machine.js';
import { runPaired, type PairedRuns, type Question, type Side } from './paired-runs.js';
import { findProfile, readyAt, type Profile } from './profile.js';
import { findSubjects, type Subject } from './subject.js';
import { alternativesOf, curveOf, devicesOf, neverOf } from './what-if.js';

export type EstimateOptions = {
  /** What the user says of the machine; else it is inferred, taken from a profile, or swept. */
  readonly hz?: number;
  readonly kernel?: string;
  readonly profiles: readonly Profile[];
  readonly seed: number;
  /** Names the random streams: message-id, so that a mail's numbers do not depend on its neighbours. */
  readonly streamName: string;
  /** ISO date of the mail: a log in it is not of a newer kernel. */
  readonly date?: string;
  /** How many waits the code makes on the way that the log shows, where a kernel tree or a person says so. */
  readonly waits?: readonly {
    readonly change: number;
    readonly min: number;
    readonly max: number;
    readonly from: AssumptionFrom;
  }[];
  /** Ready time of the device, where a person says so. */
  readonly ready?: Ns;
  /** A task that never sleeps shares the driver's CPU, on a machine with so many of them. */
  readonly load?: { readonly cpus: number };
};

/** Predicts what changed waits cost and save; nothing is said of changes whose value, meaning or caller is not known. */
export function estimateChanges(
  changes: readonly DelayChange[],
  evidence: Evidence,
  options: EstimateOptions,
): Estimate[] {
  const logged = evidence.logs.length > 0 || evidence.measurements.length > 0;
  const subjects = findSubjects(changes, logged);
  return subjects.map((subject) => {
    if (isOnlyOne(subject, subjects)) return estimate(subject, evidence, options);
    const alone = estimate(subject, undefined, options);
    const shared = findWindow(evidence, driverWords(subject.change.file, subject.change.function)) !== undefined;
    return shared ? { ...alone, assumptions: [...alone.assumptions, undivided] } : alone;
  });
}

const undivided: Assumption = {
  name: 'log',
  value: 'not used: it shows several changed waits of this driver together',
  from: 'log',
};

/** The same for two calls alone, as `reveille simulate` asks: no patch, no log. */
export function estimateCalls(calls: CallsInQuestion, options: EstimateOptions): Estimate {
  const { before, after, settles, waits } = calls;
  const grows = before?.kind === 'growing' || after?.kind === 'growing';
  const judged = { is: 'unknown', by: 'only two calls were asked about', sure: 1 } as const;
  const change: DelayChange = {
    patch: 0,
    effect: 'changed',
    kind: 'sleep',
    file: '',
    uses: [],
    role: judged,
    path: judged,
    ...boundsAsked(calls),
    backoff: {},
    siblings: [],
    quote: [],
  };
  const subject: Subject = {
    change,
    index: 0,
    places: [0],
    model: settles ? 'settle' : grows ? 'backoff' : 'poll',
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  const counted = [{ change: 0, min: waits, max: waits, from: 'flag' } as const];
  return estimate(subject, undefined, { ...options, waits: counted }, calls.devices);
}

function boundsAsked({ bound }: CallsInQuestion): Pick<DelayChange, 'bound' | 'rounds' | 'budget'> {
  const both = <T>(value: T): { before: T; after: T } => ({ before: value, after: value });
  if (bound?.rounds !== undefined) return { bound: both('count'), rounds: both(bound.rounds), budget: {} };
  if (bound?.timeout === undefined) return { bound: both('unknown'), rounds: {}, budget: {} };
  return { bound: both('deadline'), rounds: {}, budget: both({ min: bound.timeout, max: bound.timeout }) };
}

/** What `reveille simulate` is asked. */
export type CallsInQuestion = {
  readonly before?: Call;
  readonly after?: Call;
  /** Sleeps once, whatever the device does, instead of polling it. */
  readonly settles: boolean;
  readonly waits: number;
  /** What ends the loops of both sides if the device never answers. */
  readonly bound?: { readonly rounds?: number; readonly timeout?: Ns };
  /** Numbers of devices side by side to be told about. */
  readonly devices?: readonly number[];
};

/** A log cannot be shared out between different waits of one driver. */
function isOnlyOne(subject: Subject, all: readonly Subject[]): boolean {
  return all.every((s) => s === subject || s.model === 'timeout' || s.change.file !== subject.change.file);
}

function estimate(
  subject: Subject,
  evidence: Evidence | undefined,
  options: EstimateOptions,
  counts?: readonly number[],
): Estimate {
  const { change, index } = subject;
  const window = evidence === undefined ? undefined : findWindow(evidence, driverWords(change.file, change.function));
  const profile = findProfile(options.profiles, change.file, change.function);
  const kernel = options.kernel === undefined ? undefined : parseVersion(options.kernel);
  const waits = options.waits?.find((w) => subject.places.includes(w.change));
  const fits = inferFits(subject, window, { hz: options.hz, kernel, waits, date: options.date });
  const context: Context = { subject, options, profile, kernel, window, fits, waits };
  const shape =
    evidence !== undefined && ranNoSleep(subject, evidence, window, options.hz, kernel)
      ? notReached(context)
      : subject.model === 'timeout'
        ? timeoutOnly(context)
        : fits[0] !== undefined
          ? fromLog(context, fits[0])
          : swept(context);
  const { question, ...rest } = shape;
  const more =
    question === undefined
      ? { curve: [], devices: [], alternatives: [] }
      : {
          curve: curveOf(question),
          devices: devicesOf(question, counts, options.ready),
          alternatives: alternativesOf(question),
        };
  const path = bootPathOf(change, window, rest.saved.likely);
  const never = question === undefined ? undefined : neverOf(question);
  return {
    change: index,
    model: subject.model,
    fits: fits.slice(0, 12).map(({ hz, era, waits: count, residual }) => ({ hz, era, waits: count, residual })),
    ...rest,
    ...path,
    ...bootSavedOf(path.bootPath, rest.saved),
    ...(never === undefined ? {} : { never }),
    ...more,
  };
}

type Context = {
  readonly subject: Subject;
  readonly options: EstimateOptions;
  readonly profile: Profile | undefined;
  readonly kernel: KernelVersion | undefined;
  readonly window: LogWindow | undefined;
  readonly fits: readonly Inference[];
  readonly waits: { readonly min: number; readonly max: number; readonly from: AssumptionFrom } | undefined;
};

type Shape = PairedRuns & { readonly assumptions: readonly Assumption[]; readonly question?: Question };

function inferFits(
  { before, after, model }: Subject,
  window: LogWindow | undefined,
  options: {
    hz: number | undefined;
    kernel: KernelVersion | undefined;
    waits: { min: number; max: number } | undefined;
    date: string | undefined;
  },
): Inference[] {
  if (window === undefined || before === undefined || model === 'timeout') return [];
  const { hz, kernel, waits, date } = options;
  return infer(before, after, window, {
    ...(hz === undefined ? {} : { hz }),
    ...(kernel === undefined ? {} : { kernel }),
    ...(waits === undefined ? {} : { waits }),
    ...(date === undefined ? {} : { newest: newestEraAt(date) }),
  });
}

/** Every interval that holds the waits is shorter than the shortest such wait: it cannot have run in there. */
function ranNoSleep(
  { before, model }: Subject,
  evidence: Evidence,
  window: LogWindow | undefined,
  hz: number | undefined,
  kernel: KernelVersion | undefined,
): boolean {
  if (before === undefined || model === 'timeout') return false;
  const rates = hz === undefined ? usualHz : [hz];
  const versions = kernel === undefined ? [versionOf('>=6.13'), versionOf('<=6.11')] : [kernel];
  const least = Math.min(
    ...rates.flatMap((rate) =>
      versions.map((version) => {
        const machine = quietMachine(rate, version);
        return boundsOf(mechanismOf(before, machine), machine).min;
      }),
    ),
  );
  // What a mail quotes was measured elsewhere: its own boots come first.
  const all = evidence.measurements.filter((m) => m.before.length > 0 && m.reached !== 'cannot-tell');
  const own = all.filter((m) => m.byAuthor !== undefined);
  const measured = own.length > 0 ? own : all;
  if (measured.length > 0) {
    return measured.every((m) => m.reached === 'no' && m.before.every((value) => value < least));
  }
  return window !== undefined && window.initcall === undefined && window.segments.length > 1 && window.total < least;
}

function notReached({ subject, window }: Context): Shape {
  const nothing: Cost = { min: 0, likely: 0, max: 0, polls: subject.model === 'settle' ? 0 : 1, busy: 0 };
  const why = window === undefined ? 'every measured interval' : 'the logged interval';
  return {
    before: nothing,
    after: nothing,
    saved: { min: 0, likely: 0, max: 0 },
    assumptions: [{ name: 'waits', value: `0: ${why} is shorter than one such wait, so that none ran`, from: 'log' }],
  };
}

/** A bound costs only where the device never answers. */
function timeoutOnly(context: Context): Shape {
  const { subject } = context;
  const machine = machineOf(context).machine;
  const cost = (call: Call | undefined): Cost => {
    const most = call === undefined ? 0 : boundsOf(mechanismOf(call, machine), machine).max;
    return { min: 0, likely: 0, max: Math.round(most), polls: 0, busy: 0 };
  };
  const [before, after] = [cost(subject.before), cost(subject.after)];
  const saved = before.max - after.max;
  return {
    before,
    after,
    saved: { min: Math.min(0, saved), likely: 0, max: Math.max(0, saved) },
    assumptions: [
      { name: 'ready', value: 'likely: the device answers in time; the other end: it never answers', from: 'swept' },
    ],
  };
}

/** The log gives HZ, era and the number of waits; of the ready time only that one old wait was enough. */
function fromLog(context: Context, fit: Inference): Shape {
  const { subject, options, window, profile } = context;
  const machine = fit.machine;
  const short = subject.after === undefined ? 0 : boundsOf(mechanismOf(subject.after, machine), machine).max;
  const old = boundsOf(mechanismOf(subject.before ?? neverWaits, machine), machine);
  const held = (window?.segments ?? []).filter((_, i) => (fit.perSegment[i] ?? 0) > 0);
  const total = held.reduce((sum, s) => sum + (s.after ?? NaN), 0);
  const fits = !Number.isNaN(total) && total + 2_000 >= (fit.waits * short) / 2 && total < fit.chain.min / 2;
  const agrees = fits && subject.model !== 'settle';
  const after = subject.after && boundsOf(mechanismOf(subject.after, machine), machine);
  const hidden = fits ? hiddenWork(window?.segments ?? [], fit, after ?? { min: 0, max: 0 }) : 0;
  const ready = readyOf(context, agrees ? short : old.min);
  const question = ask(context, machine, fit.waits, ready.draw, phaseOf(fit, window));
  const counts = fit.perSegment.filter((n) => n > 0).join(' + ');
  const assumptions: Assumption[] = [
    { name: 'hz', value: machine.hz, from: options.hz === undefined ? 'log' : 'flag' },
    { name: 'era', value: fit.era, from: options.kernel === undefined ? 'log' : 'flag' },
    { name: 'waits', value: counts, from: context.waits?.from ?? 'log' },
    agrees && profile === undefined && options.ready === undefined
      ? { name: 'ready', value: `within one new interval (${formatNs(short)}): the after log agrees`, from: 'log' }
      : ready.assumption,
    ...(fit.pinned !== undefined ? [{ name: 'phase', value: 'as the log has it', from: 'log' } as const] : []),
    ...(hidden > 0
      ? [{ name: 'work', value: `${formatNs(hidden)} between the old waits, which hid it`, from: 'log' } as const]
      : []),
    ...(machine.highres ? [] : [{ name: 'high resolution timers', value: 'not yet active', from: 'log' } as const]),
  ];
  const isSwept = !agrees && ready.assumption.from === 'swept';
  const ends = isSwept
    ? [1, Math.floor(old.min)].map((at) => runPaired({ ...question, draws: 60, ready: () => at }))
    : [];
  return { ...withHiddenWork(widen(runPaired(question), ends), hidden), assumptions, question };
}

const neverWaits: Call = { kind: 'busy', time: 0 };

/** Without a log: the ready time comes from a person or a profile, else it is swept; so is HZ where nobody names it. */
function swept(context: Context): Shape {
  const { subject } = context;
  const { machine, assumptions } = machineOf(context);
  const waits = context.waits?.max ?? (subject.model === 'settle' ? subject.places.length : 1);
  const interval = longest(subject, machine);
  const ready = readyOf(context, subject.model === 'settle' ? 0 : interval);
  const question = ask(context, machine, waits, ready.draw, (share) => share * 512);
  const likely = runPaired(question);
  const isSwept = ready.assumption.from === 'swept' && subject.model !== 'settle';
  const rates = assumptions.some((a) => a.name === 'hz' && a.from === 'default') ? usualHz : [machine.hz];
  const others: PairedRuns[] = [];
  for (const hz of rates) {
    for (const at of isSwept ? [0, 1, longest(subject, { ...machine, hz })] : [undefined]) {
      const end = at === undefined ? {} : { ready: () => at };
      others.push(runPaired({ ...question, draws: 60, machine: { ...machine, hz }, ...end }));
    }
  }
  const sorted = [...rates].sort((a, b) => a - b).join(', ');
  return {
    ...widen(likely, others),
    assumptions: [
      ...assumptions,
      ...(rates.length > 1 ? [{ name: 'hz range', value: sorted, from: 'swept' } as const] : []),
      { name: 'waits', value: waits, from: context.waits?.from ?? 'default' },
      ...(subject.model === 'settle' ? [] : [ready.assumption]),
    ],
    ...(subject.model === 'settle' ? {} : { question }),
  };
}

/** The likely run, its ends moved out to those of the other runs. */
function widen(likely: PairedRuns, others: readonly PairedRuns[]): PairedRuns {
  const all = [likely, ...others];
  const cost = (side: 'before' | 'after'): Cost => ({
    ...likely[side],
    min: Math.min(...all.map((r) => r[side].min)),
    max: Math.max(...all.map((r) => r[side].max)),
  });
  return {
    before: cost('before'),
    after: cost('after'),
    saved: {
      min: Math.min(...all.map((r) => r.saved.min)),
      likely: likely.saved.likely,
      max: Math.max(...all.map((r) => r.saved.max)),
    },
  };
}

/** What a wait takes at least, a range sleep on a quiet CPU: its most. */
function lengthOf(mechanism: Mechanism, machine: Machine): Ns {
  return mechanism.kind === 'hrtimer' ? mechanism.max : boundsOf(mechanism, machine).min;
}

/** The longest single wait of either side. */
function longest({ before, after }: Subject, machine: Machine): Ns {
  const most = [before, after].map((call) => {
    if (call === undefined) return 0;
    return call.kind === 'growing'
      ? (call.growth.cap ?? call.growth.first * 64)
      : lengthOf(mechanismOf(call, machine), machine);
  });
  return Math.floor(Math.max(...most));
}

function readyOf(context: Context, upTo: Ns): { draw: (share: number) => Ns; assumption: Assumption } {
  const { options, profile, subject } = context;
  const { ready } = options;
  if (subject.model === 'settle') {
    return { draw: () => 0, assumption: { name: 'ready', value: 'not looked at', from: 'default' } };
  }
  if (ready !== undefined) {
    const value = ready === Infinity ? 'never: loops end by their bound' : formatNs(ready);
    return { draw: () => ready, assumption: { name: 'ready', value, from: 'flag' } };
  }
  if (profile !== undefined) {
    return {
      draw: (share) => readyAt(profile.ready, share),
      assumption: { name: 'ready', value: `as in profile ${profile.name}`, from: 'profile' },
    };
  }
  return {
    draw: (share) => Math.ceil(share * upTo),
    assumption: {
      name: 'ready',
      value: `likely: at any time up to ${formatNs(upTo)}; the ends: at once, and never before that`,
      from: 'swept',
    },
  };
}

function ask(
  { subject, options }: Context,
  machine: Machine,
  waits: number,
  ready: (share: number) => Ns,
  phase: (share: number) => number,
): Question {
  return {
    before: sideOf(subject, 'before'),
    after: sideOf(subject, 'after'),
    machine,
    waits,
    ready,
    phase,
    seed: options.seed,
    stream: `${options.streamName} ${subject.index}`,
  };
}

function sideOf({ change, model, before, after }: Subject, side: 'before' | 'after'): Side {
  const call = side === 'before' ? before : after;
  const settles = model === 'settle';
  const sleepsFirst = call?.kind === 'poll' && call.sleepsFirst;
  return {
    ...(call === undefined ? {} : { call }),
    looksFirst: !settles && !sleepsFirst && change.looksFirst !== false,
    bound: settles ? { kind: 'none' } : boundOf(change, side, call),
  };
}

function boundOf(change: DelayChange, side: 'before' | 'after', call: Call | undefined): LoopBound {
  const rounds = change.rounds[side];
  const budget = change.budget[side];
  if (change.bound[side] === 'count' && rounds !== undefined) return { kind: 'count', rounds };
  if (change.bound[side] === 'deadline' && budget !== undefined && budget.max > 0)
    return { kind: 'deadline', timeout: budget.max };
  if (call?.kind === 'poll' && call.timeout > 0) return { kind: 'deadline', timeout: call.timeout };
  return { kind: 'none' };
}

/** Where the chain starts in the tick: anywhere, or where the log says. */
function phaseOf(fit: Inference, window: LogWindow | undefined): (share: number) => number {
  if (fit.pinned === undefined || window === undefined) return (share) => share * 512;
  const first = fit.perSegment.findIndex((n) => n > 0);
  const segment = window.segments[first];
  if (segment === undefined) return (share) => share * 512;
  const tick = tickLength(fit.machine.hz);
  const each = fit.each;
  const firstWait = segment.before - ((fit.perSegment[first] ?? 1) - 1) * each;
  const phase = (each - firstWait) / tick;
  const wrapped = Math.max(0, phase >= 0 ? phase : phase + fit.granularity);
  // Work beside the waiting makes the wait shorter: it began later in its tick.
  const { min, max } = fit.pinned;
  // The end of a tick is not the begin of the next one, where the same wait is a tick longer.
  const last = (Math.floor(wrapped / fit.granularity) + 1) * fit.granularity - 1e-3;
  return (share) => Math.min(last, wrapped + (min + (max - min) * share) / tick);
}

import { mechanismOf, overheads, tickLength, us, type Call, type Machine, type Ns } from '../kernel/index.js';
import { namedStream, runChain, type Chances, type LoopBound, type Outcome, type Poll } from '../sim/index.js';
import type { Cost } from './estimate.js';

/** How the wait is used on one side; absent call: no wait. */
export type Side = { readonly call?: Call; readonly looksFirst: boolean; readonly bound: LoopBound };

export type Question = {
  readonly before: Side;
  readonly after: Side;
  readonly machine: Machine;
  readonly waits: number;
  /** Ready time of one wait, from a draw in [0, 1). */
  readonly ready: (share: number) => Ns;
  /** Ticks into which the chain starts, from a draw in [0, 1). */
  readonly phase: (share: number) => number;
  readonly seed: number;
  readonly stream: string;
  readonly draws?: number;
  readonly budget?: number;
};

export type PairedRuns = {
  readonly before: Cost;
  readonly after: Cost;
  readonly saved: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
};

const maxDraws = 200;
/** Looks that all draws of one question may take together, unless it says otherwise. */
const usualBudget = 1_000_000;
/** A register read over PCIe takes 0.5..2 us (estimate). */
const look: Ns = us(1);

/** Runs both sides on the same draws (phase, overhead, ready times), and gives quantiles of the paired differences. */
export function runPaired(question: Question): PairedRuns {
  const random = namedStream(question.seed, question.stream);
  const before: Outcome[] = [];
  const after: Outcome[] = [];
  const saved: Ns[] = [];
  let spent = 0;
  for (let i = 0; i < (question.draws ?? maxDraws) && (i < 8 || spent < (question.budget ?? usualBudget)); i++) {
    // Shuffled strata would need all draws at once; a low-discrepancy step keeps any number of them even.
    const phase = question.phase((i * 0.618033988749895 + random() / maxDraws) % 1);
    const overhead = Math.round(overheads.min + (overheads.max - overheads.min) * random());
    const machine = { ...question.machine, overhead };
    const ready = Array.from({ length: question.waits }, () => question.ready(random()));
    // How long the driver has had the CPU before decides how long it waits to get it back.
    const burnt = machine.rival === undefined ? {} : { burnt: Math.round(random() * 2 * tickLength(machine.hz)) };
    const b = runSide(question.before, machine, { phase, ready, ...burnt });
    const a = runSide(question.after, machine, { phase, ready, ...burnt });
    before.push(b);
    after.push(a);
    saved.push(b.time - a.time);
    spent += b.looks + a.looks;
  }
  return { before: costOf(before), after: costOf(after), saved: rangeOf(saved) };
}

function runSide(side: Side, machine: Machine, chances: Chances): Outcome {
  if (side.call === undefined) return { time: 0, looks: 0, sleeps: 0, busy: 0 };
  const poll: Poll = {
    call: side.call,
    looksFirst: side.looksFirst,
    bound: side.bound,
    look: lookOf(side.call, machine),
  };
  return runChain(poll, machine, chances);
}

/** Where both sides sleep for long a look is nothing; where a loop spins, its looks are what takes time. */
export function lookOf(call: Call, machine: Machine): Ns {
  const mechanism = mechanismOf(call, machine);
  return mechanism.kind === 'none' ? look : 0;
}

/** Quantiles 0.02, 0.5 and 0.98: a draw at the very edge is no estimate. */
function rangeOf(values: readonly Ns[]): { min: Ns; likely: Ns; max: Ns } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): Ns => sorted[Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1)))] ?? 0;
  return { min: at(0.02), likely: at(0.5), max: at(0.98) };
}

function costOf(outcomes: readonly Outcome[]): Cost {
  const mean = (pick: (o: Outcome) => number): number =>
    outcomes.reduce((sum, o) => sum + pick(o), 0) / Math.max(1, outcomes.length);
  return {
    ...rangeOf(outcomes.map((o) => o.time)),
    polls: Math.round(mean((o) => o.looks) * 10) / 10,
    busy: Math.round(mean((o) => o.busy)),
  };
}

import {
  backToBack,
  consents,
  createCpu,
  growthStep,
  isTickless,
  jiffiesAt,
  mechanismOf,
  tickAt,
  tickLength,
  type Call,
  type Cpu,
  type Growth,
  type Machine,
  type Mechanism,
  type Ns,
} from '../kernel/index.js';
import type { Process } from './engine.js';

/** What ends a loop whose device never answers. */
export type LoopBound =
  | { readonly kind: 'none' }
  | { readonly kind: 'count'; readonly rounds: number }
  | { readonly kind: 'deadline'; readonly timeout: Ns };

/** A loop that looks at a device and sleeps between looks. */
export type Poll = {
  readonly call: Call;
  /** The device is looked at before the first sleep. */
  readonly looksFirst: boolean;
  readonly bound: LoopBound;
  /** What one look costs (a PCIe register read takes 0.5..2 us). */
  readonly look: Ns;
};

export type PollEnd = {
  readonly ended: 'ready' | 'timeout' | 'given-up';
  readonly at: Ns;
  readonly looks: number;
  readonly sleeps: number;
  /** Time burnt on the CPU: looks, busy waits, and a wake-up's cost for each sleep. */
  readonly busy: Ns;
};

export type PollLimits = {
  readonly maxLooks?: number;
  /** Equal steps are counted, not walked, up to the last before something happens: same result, fewer events. On unless false. */
  readonly leaps?: boolean;
  /** The CPU on which the loop's task has run before; a fresh one unless told. */
  readonly cpu?: Cpu;
};

/** One turn of a loop that waits for nothing: about a register read, so that it cannot run for ever inside one instant. */
const emptyTurn: Ns = 500;

/** Sleeps, looks and gives up as a driver does; a device is ready from `readyAt` on (Infinity: never). */
export function* pollUntilReady(
  now: () => Ns,
  poll: Poll,
  readyAt: Ns,
  machine: Machine,
  limits: PollLimits = {},
): Process<PollEnd> {
  const started = now();
  const { call, look } = poll;
  const { maxLooks, cpu = createCpu(machine) } = limits;
  // Turns are not alike where another task has a say in them.
  const leaps = limits.leaps !== false && machine.rival === undefined;
  const asksFirst = consents(call);
  const most = maxLooks ?? (leaps && !(call.kind === 'growing' && call.growth.bits !== undefined) ? 1e12 : 1e6);
  let fixed = call.kind === 'growing' ? undefined : mechanismOf(call, machine);
  let looks = 0;
  let sleeps = 0;
  let busy = 0;
  for (;;) {
    if (sleeps > 0 || poll.looksFirst) {
      const ready = now() >= readyAt;
      looks++;
      busy += look;
      if (look > 0) yield { kind: 'until', at: now() + look };
      if (ready) return { ended: 'ready', at: now(), looks, sleeps, busy };
      if (isOver(poll.bound, sleeps, now() - started)) return { ended: 'timeout', at: now(), looks, sleeps, busy };
      if (looks >= most) return { ended: 'given-up', at: now(), looks, sleeps, busy };
    }
    if (call.kind === 'growing' && isGrown(call.growth, sleeps)) fixed ??= mechanismOf(call, machine, sleeps);
    if (leaps && fixed !== undefined && sleeps > 0) {
      const turn = turnOf(fixed, machine, look);
      const ahead = Math.min(
        most - looks,
        turnsAhead(turn, readyAt + look - now(), poll.bound, sleeps, now() - started),
      );
      // The last turn is walked: what ends the loop happens there.
      if (ahead > 1) {
        looks += ahead - 1;
        sleeps += ahead - 1;
        busy += (ahead - 1) * (look + burntBy(fixed, turn - look, machine));
        yield { kind: 'until', at: afterTurns(fixed, machine, now(), turn, ahead - 1) };
      }
    }
    const mechanism = fixed ?? mechanismOf(call, machine, sleeps);
    // The poll macros ask once, before their loop; a wait for an event asks each time.
    const begun = asksFirst && (sleeps === 0 || call.kind === 'timeout') ? cpu.consent(now()) : now();
    const slept = cpu.wait(mechanism, begun);
    const wake = slept > now() || look > 0 ? slept : slept + emptyTurn;
    busy += burntBy(mechanism, wake - now(), machine);
    sleeps++;
    yield { kind: 'until', at: wake };
  }
}

/** The interval grows no more, and will not wrap. */
function isGrown(growth: Growth, step: number): boolean {
  return growth.bits === undefined && growth.cap !== undefined && growthStep(growth, step) === growth.cap;
}

/** From one look to the next once in step; Infinity where turns differ in length. */
function turnOf(mechanism: Mechanism, machine: Machine, look: Ns): Ns {
  switch (mechanism.kind) {
    case 'none':
      return look > 0 ? look : emptyTurn;
    case 'handoff':
      return machine.overhead + look || emptyTurn;
    case 'spin':
      return mechanism.time + look > 0 ? mechanism.time + look : emptyTurn;
    case 'hrtimer':
      return machine.highres && isTickless(mechanism, machine)
        ? mechanism.max + machine.overhead + look || emptyTurn
        : Infinity;
    case 'wheel':
      return look === 0 ? backToBack(mechanism.jiffies) * tickLength(machine.hz) : Infinity;
    default:
      return mechanism satisfies never;
  }
}

/** Whole turns before the one in which the loop may end. */
function turnsAhead(turn: Ns, untilReady: Ns, bound: LoopBound, sleeps: number, elapsed: Ns): number {
  if (turn === Infinity) return 0;
  const ready = Math.ceil(untilReady / turn) - 1;
  switch (bound.kind) {
    case 'none':
      return ready;
    case 'count':
      return Math.min(ready, bound.rounds - sleeps - 1);
    case 'deadline':
      return Math.min(ready, Math.floor((bound.timeout - elapsed) / turn));
    default:
      return bound satisfies never;
  }
}

function afterTurns(mechanism: Mechanism, machine: Machine, now: Ns, turn: Ns, turns: number): Ns {
  if (mechanism.kind !== 'wheel') return now + turns * turn;
  return tickAt(jiffiesAt(now, machine.hz) + turns * backToBack(mechanism.jiffies), machine.hz) + machine.overhead;
}

function burntBy(mechanism: Mechanism, lasted: Ns, machine: Machine): Ns {
  return mechanism.kind === 'spin' || mechanism.kind === 'none' ? lasted : machine.overhead;
}

function isOver(bound: LoopBound, sleeps: number, elapsed: Ns): boolean {
  switch (bound.kind) {
    case 'none':
      return false;
    case 'count':
      return sleeps >= bound.rounds;
    case 'deadline':
      return elapsed > bound.timeout;
    default:
      return bound satisfies never;
  }
}

import { mechanismOf, wakesAt, type Call, type Machine, type Ns } from '../kernel/index.js';
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

/** One turn of a loop that waits for nothing: about a register read, so that it cannot run for ever inside one instant. */
const emptyTurn: Ns = 500;

/** Sleeps, looks and gives up as a driver does; a device is ready from `readyAt` on (Infinity: never). */
export function* pollUntilReady(
  now: () => Ns,
  poll: Poll,
  readyAt: Ns,
  machine: Machine,
  maxLooks = 5_000_000,
): Process<PollEnd> {
  const started = now();
  const fixed = poll.call.kind === 'growing' ? undefined : mechanismOf(poll.call, machine);
  let looks = 0;
  let sleeps = 0;
  let busy = 0;
  for (;;) {
    if (sleeps > 0 || poll.looksFirst) {
      const ready = now() >= readyAt;
      looks++;
      busy += poll.look;
      if (poll.look > 0) yield { kind: 'until', at: now() + poll.look };
      if (ready) return { ended: 'ready', at: now(), looks, sleeps, busy };
      if (isOver(poll.bound, sleeps, now() - started)) return { ended: 'timeout', at: now(), looks, sleeps, busy };
      if (looks >= maxLooks) return { ended: 'given-up', at: now(), looks, sleeps, busy };
    }
    const mechanism = fixed ?? mechanismOf(poll.call, machine, sleeps);
    const wake = wakesAt(mechanism, now(), machine);
    if (mechanism.kind === 'spin' || mechanism.kind === 'none') busy += wake - now();
    else busy += machine.overhead;
    sleeps++;
    yield { kind: 'until', at: wake > now() || poll.look > 0 ? wake : wake + emptyTurn };
  }
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

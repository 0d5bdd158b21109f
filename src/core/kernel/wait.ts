import { growthStep, jiffiesOf, type Call } from './call.js';
import { us, type Ns, type Span } from './duration.js';
import { jiffiesAt, jiffiesUp, tickAt, tickLength } from './hz.js';
import { isTickless, type Machine } from './machine.js';
import { isAtLeast, type KernelVersion } from './version.js';
import { firesAt, granularity } from './wheel.js';

/** What a call becomes inside the kernel. */
export type Mechanism =
  | { readonly kind: 'none' }
  /** Handed to another thread at once: a wake-up, no timer. */
  | { readonly kind: 'handoff' }
  | { readonly kind: 'wheel'; readonly jiffies: number }
  | { readonly kind: 'hrtimer'; readonly min: Ns; readonly max: Ns }
  | { readonly kind: 'spin'; readonly time: Ns };

const none: Mechanism = { kind: 'none' };

/** The mechanism behind a call on a kernel; `step` is the number of sleeps before it in its loop, for intervals that grow. */
export function mechanismOf(call: Call, machine: Pick<Machine, 'hz' | 'kernel'>, step = 0): Mechanism {
  switch (call.kind) {
    case 'msleep':
      return msleep(call.time, machine);
    case 'range':
      return { kind: 'hrtimer', min: call.min, max: Math.max(call.min, call.max) };
    case 'fsleep':
      return fsleep(call.time, machine);
    case 'busy':
      return { kind: 'spin', time: call.time };
    case 'timeout':
      return { kind: 'wheel', jiffies: jiffiesOf(call.ticks, machine.hz) };
    case 'work': {
      const jiffies = jiffiesOf(call.ticks, machine.hz);
      return jiffies === 0 ? { kind: 'handoff' } : { kind: 'wheel', jiffies };
    }
    case 'hrtimeout':
      return { kind: 'hrtimer', min: call.time, max: call.time + call.slack };
    case 'poll':
      if (call.interval === 0) return none;
      if (call.atomic) return { kind: 'spin', time: call.interval };
      return { kind: 'hrtimer', min: pollMin(call.interval), max: call.interval };
    case 'growing': {
      const least = growthStep(call.growth, step);
      return { kind: 'hrtimer', min: least, max: Math.round(least * call.growth.stretch) };
    }
    default:
      return call satisfies never;
  }
}

/** When a sleeper that calls at `now` runs again. Times are absolute: tick n is due at n / HZ. */
export function wakesAt(mechanism: Mechanism, now: Ns, machine: Machine): Ns {
  switch (mechanism.kind) {
    case 'none':
      return now;
    case 'handoff':
      return now + machine.overhead;
    case 'wheel':
      return tickAt(firesAt(jiffiesAt(now, machine.hz), mechanism.jiffies), machine.hz) + machine.overhead;
    case 'spin':
      return now + mechanism.time;
    case 'hrtimer':
      return machine.highres ? rangeWakes(mechanism, now, machine) : lowResolutionWakes(mechanism, now, machine);
    default:
      return mechanism satisfies never;
  }
}

/** The real length of a wait that starts `phase` (0..1) into a tick; after a wake-up from the wheel the phase is 0. */
export function waitFor(call: Call, machine: Machine, phase: number, step = 0): Ns {
  // Jiffy 0 is a multiple of every level's granularity, as after a wake-up from that level.
  const now = Math.floor(phase * tickLength(machine.hz));
  return wakesAt(mechanismOf(call, machine, step), now, machine) - now;
}

/** Least and most that a mechanism takes, over all phases, by the formulas (facts of kernel/time, without contention). */
export function boundsOf(mechanism: Mechanism, machine: Machine): Span {
  const tick = tickLength(machine.hz);
  switch (mechanism.kind) {
    case 'none':
      return { min: 0, max: 0 };
    case 'handoff':
      return { min: 0, max: machine.overhead };
    case 'wheel':
      // Without high resolution an idle CPU may take a tick more (measured on 5.10).
      return {
        min: mechanism.jiffies * tick,
        max: (mechanism.jiffies + granularity(mechanism.jiffies) + (machine.highres ? 0 : 1)) * tick,
      };
    case 'spin':
      return { min: mechanism.time, max: mechanism.time };
    case 'hrtimer':
      if (!machine.highres) return { min: mechanism.min, max: mechanism.max + tick };
      return { min: mechanism.min, max: mechanism.max + machine.overhead };
    default:
      return mechanism satisfies never;
  }
}

/** The least that one sleep of read_poll_timeout() asks for: (sleep_us >> 2) + 1 (include/linux/iopoll.h). */
export function pollMin(interval: Ns): Ns {
  return us(Math.floor(interval / 4e3) + 1);
}

/** Up to 6.11 msleep() adds a jiffy, so that msleep(0) sleeps too; since 6.12 it does not (4381b895f544). */
function msleep(time: Ns, { hz, kernel }: Pick<Machine, 'hz' | 'kernel'>): Mechanism {
  const jiffies = jiffiesUp(time, hz);
  if (!isAtLeast(kernel, 6, 12)) return { kind: 'wheel', jiffies: jiffies + 1 };
  return jiffies === 0 ? none : { kind: 'wheel', jiffies };
}

/** include/linux/delay.h: a factor of two up to 20 ms before 6.13, a quarter up to four ticks since (82e11e47c188). */
function fsleep(time: Ns, machine: { readonly hz: number; readonly kernel: KernelVersion }): Mechanism {
  if (time <= us(10)) return { kind: 'spin', time };
  const modern = isAtLeast(machine.kernel, 6, 13);
  // In whole microseconds, as the kernel divides.
  const limit = us(Math.floor((Math.round(tickLength(machine.hz)) * 4) / 1e3));
  const range = modern ? time < limit : time <= us(20_000);
  if (range) return { kind: 'hrtimer', min: time, max: modern ? time + us(Math.floor(time / 4e3)) : 2 * time };
  return msleep(Math.ceil(time / 1e6) * 1e6, machine);
}

/**
 * A range timer is programmed for its upper end. A running tick hides it until the tick is its right neighbour, so it runs
 * at the last tick inside the range, else at the upper end (kernel/time/hrtimer.c). On an idle CPU the first tick still comes
 * where the sleep is not much longer than a tick: the idle governor keeps it (measured on 6.1 and 7.3, not on 5.10).
 */
function rangeWakes(timer: { readonly min: Ns; readonly max: Ns }, now: Ns, machine: Machine): Ns {
  const last = now + timer.max;
  if (machine.tick === 'running') {
    const tick = tickAt(jiffiesAt(last, machine.hz), machine.hz);
    if (tick >= now + timer.min && tick > now) return tick + machine.overhead;
  } else if (!isTickless(timer, machine)) {
    const tick = tickAt(jiffiesAt(now, machine.hz) + 1, machine.hz);
    if (tick >= now + timer.min && tick <= last) return tick + machine.overhead;
  }
  return last + machine.overhead;
}

/** Without high resolution the tick runs the timers: an idle CPU's next tick is set for the upper end. */
function lowResolutionWakes(timer: { readonly min: Ns; readonly max: Ns }, now: Ns, machine: Machine): Ns {
  const due = now + (machine.tick === 'running' ? timer.min : timer.max);
  const last = jiffiesAt(due, machine.hz);
  const tick = tickAt(last, machine.hz);
  return (tick >= due && tick > now ? tick : tickAt(last + 1, machine.hz)) + machine.overhead;
}

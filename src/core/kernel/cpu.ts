import type { Ns } from './duration.js';
import { createFair } from './fair.js';
import { jiffiesAt, tickAt, tickLength } from './hz.js';
import type { Machine, Rival } from './machine.js';
import { wakesAt, type Mechanism } from './wait.js';

/** The CPU as one driver's task meets it, from call to call: times only go forward. */
export type Cpu = {
  /** When a sleeper that calls at `now` runs again. */
  readonly wait: (mechanism: Mechanism, now: Ns) => Ns;
  /** The task computes for a time, in the kernel; the result is when it is through. */
  readonly compute: (now: Ns, time: Ns) => Ns;
  /** might_sleep(): where the kernel is preempted by its own consent only, an overdue switch is made here. */
  readonly consent: (now: Ns) => Ns;
};

/** The driver's CPU on a machine: its own, or shared with a task that never sleeps. */
export function createCpu(machine: Machine): Cpu {
  if (machine.rival !== undefined) return createSharedCpu(machine, machine.rival);
  return {
    wait: (mechanism, now) => wakesAt(mechanism, now, machine),
    compute: (now, time) => now + time,
    consent: (now) => now,
  };
}

function createSharedCpu(machine: Machine, { preemption, cpus }: Rival): Cpu {
  const { hz, overhead } = machine;
  const fair = createFair(machine.kernel, { preemption, cpus }, tickLength(hz));
  /** Up to when both accounts are kept, since when the present task runs, and whether it was asked to give way. */
  let at: Ns | undefined;
  let picked: Ns = 0;
  let asked = false;

  /** The rival runs while the sleeper wants to: until a tick at which it has to give way. */
  const rivalRuns = (from: Ns, since: Ns): Ns => {
    let done = from;
    asked = false;
    for (let n = jiffiesAt(from, hz) + 1; ; n++) {
      const tick = tickAt(n, hz);
      fair.ran('rival', tick - done);
      done = tick;
      if (!fair.asks('rival', tick - since) || fair.picks('rival') !== 'sleeper') continue;
      picked = at = tick;
      return tick;
    }
  };
  /** The sleeper's task runs in the kernel until a time, if it is let. */
  const runs = (until: Ns): Ns => {
    let done = (at ??= picked = until);
    for (let n = jiffiesAt(done, hz) + 1; tickAt(n, hz) <= until; n = Math.max(n, jiffiesAt(done, hz)) + 1) {
      const tick = tickAt(n, hz);
      fair.ran('sleeper', tick - done);
      done = tick;
      const again = asked;
      if (fair.asks('sleeper', tick - picked)) asked = true;
      const forced = preemption === 'full' ? asked : preemption === 'lazy' && again;
      if (!forced) continue;
      asked = false;
      if (fair.picks('sleeper') === 'rival') done = rivalRuns(tick, tick);
    }
    const end = Math.max(until, done);
    fair.ran('sleeper', end - done);
    at = end;
    return end;
  };
  return {
    compute: (now, time) => runs(runs(now) + time),
    consent: (now) => {
      const here = runs(now);
      if (preemption !== 'voluntary' || !asked) return here;
      asked = false;
      return fair.picks('sleeper') === 'rival' ? rivalRuns(here, here) : here;
    },
    wait: (mechanism, now) => {
      const from = runs(now);
      if (mechanism.kind === 'spin') return runs(from + mechanism.time);
      if (mechanism.kind === 'none' || mechanism.kind === 'handoff') return wakesAt(mechanism, from, machine);
      const due = wakesAt(mechanism, from, machine) - overhead;
      fair.sleeps();
      fair.ran('rival', due - from);
      asked = false;
      at = picked = due;
      return (fair.wakes() ? due : rivalRuns(due, from)) + overhead;
    },
  };
}

import type { Ns } from './duration.js';
import type { Rival } from './machine.js';
import { isAtLeast, type KernelVersion } from './version.js';

export type Runner = 'sleeper' | 'rival';

/** How the fair scheduler shares one CPU between a driver's task and another of the same weight that never sleeps. */
export type Fair = {
  /** One of them has run for a time. */
  readonly ran: (who: Runner, time: Ns) => void;
  /** At a tick, with both runnable: is the one that runs, since `since` ago, asked to give way? */
  readonly asks: (who: Runner, since: Ns) => boolean;
  /** Whom the scheduler takes when it is called. */
  readonly picks: (running: Runner) => Runner;
  readonly sleeps: () => void;
  /** The sleeper is woken while the rival runs: does it take the CPU at once? */
  readonly wakes: () => boolean;
};

/** CFS up to 6.5, EEVDF since 6.6 (kernel/sched/fair.c). */
export function createFair(kernel: KernelVersion, rival: Rival, tick: Ns): Fair {
  // SCHED_TUNABLESCALING_LOG: the times grow with the number of CPUs, up to eight.
  const factor = 1 + Math.floor(Math.log2(Math.min(8, Math.max(1, rival.cpus))));
  return isAtLeast(kernel, 6, 6) ? createEevdf(kernel, factor, tick) : createCfs(factor);
}

/**
 * CFS: sysctl_sched_latency 6 ms, min_granularity 0.75 ms, wakeup_granularity 1 ms; a sleeper is placed at most half a
 * latency before the others (GENTLE_FAIR_SLEEPERS), preempts if it is a wake-up granularity behind the one that runs, and
 * else waits for the tick at which that one has had its slice and more of the CPU than itself.
 */
function createCfs(factor: number): Fair {
  const [latency, least, wakeUp] = [6e6 * factor, 0.75e6 * factor, 1e6 * factor];
  // The run begins as if the sleeper had just been woken from a long sleep.
  const virtual = { sleeper: -latency / 2, rival: 0 };
  let floor = 0;
  let awake = true;
  return {
    ran: (who, time) => {
      virtual[who] += time;
      floor = Math.max(floor, awake ? Math.min(virtual.sleeper, virtual.rival) : virtual.rival);
    },
    asks: (who, since) => {
      if (since > latency / 2) return true;
      const lead = who === 'sleeper' ? virtual.sleeper - virtual.rival : virtual.rival - virtual.sleeper;
      return since >= least && lead > latency / 2;
    },
    picks: (running) => {
      if (virtual.sleeper === virtual.rival) return running === 'rival' ? 'sleeper' : 'rival';
      return virtual.sleeper < virtual.rival ? 'sleeper' : 'rival';
    },
    sleeps: () => {
      awake = false;
    },
    wakes: () => {
      awake = true;
      virtual.sleeper = Math.max(virtual.sleeper, floor - latency / 2);
      return virtual.rival - virtual.sleeper > wakeUp;
    },
  };
}

/**
 * EEVDF with two tasks: eligible is who has had less of the CPU, and the one that runs alone is ineligible as soon as another
 * wakes without a debt. What a sleeper was owed it keeps, up to two slices or a tick; a debt it keeps too, but since 6.12 it is paid
 * while it stays queued (DELAY_DEQUEUE). Base slice 0.75 ms, 0.7 ms since 6.15. By the source; not measured.
 */
function createEevdf(kernel: KernelVersion, factor: number, tick: Ns): Fair {
  const slice = (isAtLeast(kernel, 6, 15) ? 0.7e6 : 0.75e6) * factor;
  const paysAsleep = isAtLeast(kernel, 6, 12);
  const mostLag = Math.max(2 * slice, tick);
  const virtual = { sleeper: 0, rival: 0 };
  const deadline = { sleeper: slice, rival: slice };
  let owed = 0;
  return {
    ran: (who, time) => {
      virtual[who] += time;
    },
    asks: (who) => {
      if (virtual[who] < deadline[who]) return false;
      deadline[who] = virtual[who] + slice;
      return true;
    },
    picks: () => (virtual.sleeper <= virtual.rival ? 'sleeper' : 'rival'),
    sleeps: () => {
      // The lag is counted from the mean of both, half their distance.
      owed = 2 * Math.max(-mostLag, Math.min(mostLag, (virtual.rival - virtual.sleeper) / 2));
    },
    wakes: () => {
      const paid = paysAsleep && owed < 0;
      virtual.sleeper = paid ? Math.max(virtual.sleeper, virtual.rival) : virtual.rival - owed;
      deadline.sleeper = virtual.sleeper + slice;
      return virtual.sleeper <= virtual.rival;
    },
  };
}

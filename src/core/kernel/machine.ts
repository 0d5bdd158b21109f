import { us, type Ns } from './duration.js';
import { tickLength } from './hz.js';
import { isAtLeast, type KernelVersion } from './version.js';

/** What a wait's real length depends on beside the call. */
export type Machine = {
  readonly hz: number;
  readonly kernel: KernelVersion;
  /** High resolution timers are active; without them hrtimers expire from the tick (facts: early initcalls, unverified TSC). */
  readonly highres: boolean;
  /**
   * Whether the tick goes on while the sleeper sleeps: on a busy CPU it does; on an idle one (NO_HZ) it is stopped, or
   * stopped only for sleeps that the idle governor takes for longer than a tick.
   */
  readonly tick: 'stopped' | 'governed' | 'running';
  /** From the expiry of an hrtimer to the sleeper's next instruction. */
  readonly overhead: Ns;
  /** A task that never sleeps on the driver's CPU; absent: the CPU is the driver's own. */
  readonly rival?: Rival;
};

/** What decides when a driver gets its CPU back from another task of its weight. */
export type Rival = {
  readonly preemption: Preemption;
  /** CPUs of the machine: the scheduler's times grow with their number. */
  readonly cpus: number;
};

/**
 * When a task that runs in the kernel gives up its CPU to one that is due: never before it sleeps, where it consents
 * (might_sleep(), cond_resched()), a tick after it was asked, or at once.
 */
export type Preemption = 'none' | 'voluntary' | 'lazy' | 'full';

/** Timer and wake-up latency: measured 5.6..7.3 us in virtual machines; 3..60 us on hardware is an estimate. */
export const overheads = { min: us(4), likely: us(7), max: us(50) } as const;

/** An idle CPU with high resolution timers. */
export function quietMachine(hz: number, kernel: KernelVersion): Machine {
  return { hz, kernel, highres: true, tick: 'stopped', overhead: overheads.likely };
}

/** The same, with what the idle governor of newer kernels does to sleeps of about a tick (measured on 6.1 and 7.3, not on 5.10). */
export function idleMachine(hz: number, kernel: KernelVersion): Machine {
  return { ...quietMachine(hz, kernel), tick: isAtLeast(kernel, 6, 0) ? 'governed' : 'stopped' };
}

/** A CPU with another task that never sleeps: the tick goes on, and who wakes may have to wait for it. */
export function busyMachine(hz: number, kernel: KernelVersion, rival: Partial<Rival> = {}): Machine {
  // Distributions built with PREEMPT_VOLUNTARY until 7.0 left only lazy and full (kernel/Kconfig.preempt).
  const preemption = rival.preemption ?? (isAtLeast(kernel, 7, 0) ? 'lazy' : 'voluntary');
  return { ...quietMachine(hz, kernel), tick: 'running', rival: { preemption, cpus: rival.cpus ?? 8 } };
}

/** Whether no tick can end a range sleep early: turns of a loop are then all alike. Far shorter sleeps meet a tick too seldom to matter. */
export function isTickless(range: { readonly min: Ns; readonly max: Ns }, { tick, hz }: Machine): boolean {
  if (range.min === range.max || tick === 'stopped') return true;
  return tick === 'governed' && (range.max > 1.5 * tickLength(hz) || range.max * 16 < tickLength(hz));
}

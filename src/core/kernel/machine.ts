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
};

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

/** Whether no tick can end a range sleep early: turns of a loop are then all alike. Far shorter sleeps meet a tick too seldom to matter. */
export function isTickless(range: { readonly min: Ns; readonly max: Ns }, { tick, hz }: Machine): boolean {
  if (range.min === range.max || tick === 'stopped') return true;
  return tick === 'governed' && (range.max > 1.5 * tickLength(hz) || range.max * 16 < tickLength(hz));
}

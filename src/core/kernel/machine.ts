import { us, type Ns } from './duration.js';
import type { KernelVersion } from './version.js';

/** What a wait's real length depends on beside the call. */
export type Machine = {
  readonly hz: number;
  readonly kernel: KernelVersion;
  /** High resolution timers are active; without them hrtimers expire from the tick (facts: early initcalls, unverified TSC). */
  readonly highres: boolean;
  /** Whether the tick goes on while the sleeper sleeps: a busy CPU; it is stopped on an idle one (NO_HZ). */
  readonly tick: 'stopped' | 'running';
  /** From the expiry of an hrtimer to the sleeper's next instruction. */
  readonly overhead: Ns;
};

/** Timer and wake-up latency: measured 5.6..7.3 us in virtual machines; 3..60 us on hardware is an estimate. */
export const overheads = { min: us(4), likely: us(7), max: us(50) } as const;

/** An idle CPU with high resolution timers. */
export function quietMachine(hz: number, kernel: KernelVersion): Machine {
  return { hz, kernel, highres: true, tick: 'stopped', overhead: overheads.likely };
}

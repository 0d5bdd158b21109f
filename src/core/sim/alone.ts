import type { Ns } from '../kernel/index.js';
import type { Process } from './engine.js';

/** Runs one process that meets no other, from `start` on: the same steps as in a run, without a queue. */
export function runAlone<T>(make: (now: () => Ns) => Process<T>, start: Ns): T {
  let clock = start;
  const process = make(() => clock);
  for (;;) {
    const step = process.next();
    if (step.done === true) return step.value;
    if (step.value.kind !== 'until') throw new Error('a process that runs alone cannot wait for an event');
    clock = Math.max(clock, step.value.at);
  }
}

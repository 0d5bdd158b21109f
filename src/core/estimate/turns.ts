import { boundsOf, mechanismOf, quietMachine, us, versionOf, type Call, type Ns } from '../kernel/index.js';

/** About how many turns the loops of two calls make until a device is ready; three times the longer interval where nobody says when. */
export function turnsOf(calls: readonly Call[], waits: number, ready: Ns | undefined): number {
  const machine = quietMachine(250, versionOf('>=6.13'));
  const each = calls.map((call) => Math.max(us(1), boundsOf(mechanismOf(call, machine), machine).max));
  return (waits * (ready ?? 3 * Math.max(...each))) / Math.min(...each);
}

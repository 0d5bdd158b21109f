import {
  busyMachine,
  consents,
  createCpu,
  idleMachine,
  mechanismOf,
  tickLength,
  type Call,
  type KernelVersion,
  type Machine,
  type Ns,
} from '../../../src/core/kernel/index.js';
import { namedStream, pollUntilReady, runAlone } from '../../../src/core/sim/index.js';

/** The bench's machine: one CPU, its own or shared with a task that never sleeps. */
export function machineOf(
  hz: number,
  kernel: KernelVersion,
  { busy, realtimeKernel }: { readonly busy: boolean; readonly realtimeKernel: boolean },
): Machine {
  if (!busy) return idleMachine(hz, kernel);
  return busyMachine(hz, kernel, { cpus: 1, ...(realtimeKernel ? { preemption: 'full' } : {}) });
}

export type Asked = { readonly api: string; readonly arg: string; readonly phase: string; readonly ready: number };

const draws = 2000;

/** The bench's procedure: back to back, or after a busy wait of up to two ticks; the same call over and over. Sorted. */
export function predict(row: Asked, machine: Machine, call: Call): Ns[] {
  const random = namedStream(1, `${row.api} ${row.arg} ${row.phase}`);
  const mechanism = mechanismOf(call, machine);
  const tick = tickLength(machine.hz);
  const polls = row.api.startsWith('poll/');
  // A timer's handler needs no task, a work item has a worker of its own, which has slept.
  const handler = row.api === 'mod_timer' || call.kind === 'work';
  const alone = createCpu({ ...machine, rival: undefined });
  const cpu = createCpu(machine);
  let now = Math.ceil(8 ** 5 * tick);
  const found: Ns[] = [];
  for (let i = 0; i < (polls ? 300 : draws) + 10; i++) {
    if (row.phase === 'rand') {
      // Even steps make the mean exact; where the last wait weighs on the next, they must not follow each other evenly.
      const share = machine.rival === undefined ? (i * 0.6180339887 + random() / draws) % 1 : random();
      now = (handler ? alone : cpu).compute(now, Math.floor(share * 2 * tick));
    }
    const started = now;
    const poll = { call, looksFirst: true, bound: { kind: 'none' }, look: 0 } as const;
    if (polls) {
      now = runAlone((clock) => pollUntilReady(clock, poll, started + row.ready, machine, { cpu }), started).at;
    } else if (handler) {
      now = (row.api === 'mod_timer' ? alone : createCpu(machine)).wait(mechanism, started);
    } else now = cpu.wait(mechanism, consents(call) ? cpu.consent(started) : started);
    // The first calls find their own rhythm.
    if (i >= 10) found.push(now - started);
    now = Math.max(now, started + 1);
  }
  return found.sort((a, b) => a - b);
}

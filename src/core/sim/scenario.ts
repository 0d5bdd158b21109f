import { createCpu, tickLength, type Machine, type Ns } from '../kernel/index.js';
import { runAlone } from './alone.js';
import { createRun, happened, until, type Process } from './engine.js';
import { pollUntilReady, type Poll, type PollEnd } from './poll.js';

/** What a chain or a set of polls came to. */
export type Outcome = { readonly time: Ns; readonly looks: number; readonly sleeps: number; readonly busy: Ns };

/**
 * When a chain begins, in ticks after a multiple of 512 jiffies (the whole part matters only above level 0 of the wheel), and
 * for each of its waits how long after the command the device is ready.
 */
export type Chances = {
  readonly phase: number;
  readonly ready: readonly Ns[];
  /** On a shared CPU: how long the driver has computed before the chain begins. */
  readonly burnt?: Ns;
};

const origin = 8 ** 5;

/** The time at which a chain with this phase begins. */
export function chainStart(machine: Machine, phase: number): Ns {
  return Math.ceil((origin + phase) * tickLength(machine.hz)) + 1;
}

/** N commands one after the other, each polled until done: only one random phase, because each wait ends on a tick. */
export function runChain(poll: Poll, machine: Machine, chances: Chances, work: Ns = 0): Outcome {
  const start = chainStart(machine, chances.phase);
  return runAlone((now) => chain(now, poll, machine, chances, work), start);
}

function* chain(now: () => Ns, poll: Poll, machine: Machine, chances: Chances, work: Ns): Process<Outcome> {
  const { ready, burnt = 0 } = chances;
  const cpu = createCpu(machine);
  // Such a driver may have lost its CPU before the chain begins: not the chain's cost.
  if (burnt > 0) yield { kind: 'until', at: cpu.compute(now() - burnt, burnt) };
  const started = now();
  const sum = { looks: 0, sleeps: 0, busy: 0 };
  for (const delay of ready) {
    if (work > 0) yield { kind: 'until', at: now() + work };
    add(sum, yield* pollUntilReady(now, poll, now() + delay, machine, { cpu }));
  }
  return { time: now() - started, ...sum };
}

/** M devices brought up side by side, each its own chain: the time is that of the last. */
export function runDevices(
  poll: Poll,
  machine: Machine,
  devices: readonly Chances[],
  seed: number,
): Outcome & { readonly events: number } {
  const first = chainStart(machine, 0);
  const run = createRun(seed, first);
  const sum = { looks: 0, sleeps: 0, busy: 0 };
  let last = first;
  let running = devices.length;
  const done = devices.map((device) => run.start(oneDevice(device)));
  function* oneDevice(device: Chances): Process<void> {
    yield* until(first + Math.floor(device.phase * tickLength(machine.hz)));
    for (const delay of device.ready) add(sum, yield* pollUntilReady(run.now, poll, run.now() + delay, machine));
  }
  function* boot(): Process<void> {
    for (const end of done) {
      yield* happened(end);
      running--;
    }
    last = run.now();
  }
  run.start(boot());
  run.run(Infinity, 20_000_000);
  if (running > 0) last = run.now();
  return { time: last - first, ...sum, events: run.events() };
}

function add(sum: { looks: number; sleeps: number; busy: Ns }, end: PollEnd): void {
  sum.looks += end.looks;
  sum.sleeps += end.sleeps;
  sum.busy += end.busy;
}

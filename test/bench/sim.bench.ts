/** The engine's rate in events, and the cost of one estimate, in CPU time. */
import { estimateCalls } from '../../src/core/estimate/index.js';
import { ms, us } from '../../src/core/kernel/index.js';
import { createRun, until, type Process } from '../../src/core/sim/index.js';

const events = 2_000_000;
const run = createRun(1);
function* wanderer(name: string): Process<void> {
  const draw = run.stream(name);
  for (;;) yield* until(run.now() + 1 + Math.floor(draw() * 1000));
}
for (let i = 0; i < 100; i++) run.start(wanderer(`p${String(i)}`));
run.run(Infinity, events / 10);
const rate = events / seconds(() => run.run(Infinity, events));
console.log(`engine, 100 processes: ${Math.round(rate).toLocaleString('en')} events a CPU second (over 1,000,000)`);

const calls = {
  before: { kind: 'msleep', time: ms(100) },
  after: { kind: 'range', min: us(1000), max: us(2000) },
  settles: false,
  waits: 1,
} as const;
const options = { profiles: [], seed: 1, streamName: 'bench' };
for (let i = 0; i < 20; i++) estimateCalls(calls, options);
const rounds = 50;
const each = (seconds(() => repeat(rounds, () => estimateCalls(calls, options))) / rounds) * 1e3;
console.log(`one estimate without a log: ${each.toFixed(1)} ms of CPU`);

function repeat(times: number, work: () => unknown): void {
  for (let i = 0; i < times; i++) work();
}

function seconds(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
}

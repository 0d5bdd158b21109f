import { describe, expect, test } from 'vitest';
import {
  growthStep,
  ms,
  quietMachine,
  seconds,
  us,
  versionOf,
  type Call,
  type Growth,
} from '../../src/core/kernel/index.js';
import {
  createRun,
  happened,
  pollUntilReady,
  runAlone,
  runChain,
  runDevices,
  type Poll,
  type Process,
} from '../../src/core/sim/index.js';

const old = { ...quietMachine(250, versionOf('<=6.11')), overhead: 0 };

function poll(call: Call, more: Partial<Poll> = {}): Poll {
  return { call, looksFirst: true, bound: { kind: 'none' }, look: 0, ...more };
}

const msleep = (time: number): Call => ({ kind: 'msleep', time });
const range = (min: number, max: number): Call => ({ kind: 'range', min, max });

describe('polling until ready', () => {
  test('a device that is ready at the first look costs nothing', () => {
    expect(runChain(poll(msleep(ms(100))), old, { phase: 0.3, ready: [0] })).toMatchObject({ time: 0, looks: 1 });
  });

  test('on average a poll overshoots by half its interval', () => {
    const interval = us(200);
    let over = 0;
    const n = 500;
    for (let i = 0; i < n; i++) {
      const ready = ms(3) + Math.round((i / n) * interval * 7);
      over += runChain(poll(range(interval, interval)), old, { phase: 0, ready: [ready] }).time - ready;
    }
    expect(over / n / interval).toBeCloseTo(0.5, 1);
  });

  test('a chain of commands has one random phase: every later wait ends on a tick', () => {
    const ready = [us(10), us(10), us(10)];
    const at = (phase: number): number => runChain(poll(msleep(ms(5))), old, { phase, ready }, us(50)).time;
    expect(at(0.5) / 1e6).toBeCloseTo(3 * 16 - 2, 2);
    expect(at(0.25) / 1e6).toBeCloseTo(3 * 16 - 1, 2);
  });

  test('a hundred rounds of msleep(1) at HZ=250 up to 6.11 give up after 1.2 s', () => {
    const bounded = poll(msleep(ms(1)), { bound: { kind: 'count', rounds: 100 } });
    const end = runAlone((now) => pollUntilReady(now, bounded, Infinity, old), 0);
    expect(end).toMatchObject({ ended: 'timeout', at: ms(1200), sleeps: 100 });
    const modern = { ...old, kernel: versionOf('6.12') };
    expect(runAlone((now) => pollUntilReady(now, bounded, Infinity, modern), 0).at).toBe(ms(800));
  });

  test('a deadline ends a poll at most one sleep late, whatever the interval', () => {
    const bounded = poll(range(ms(1), ms(2)), { bound: { kind: 'deadline', timeout: ms(9) } });
    const end = runAlone((now) => pollUntilReady(now, bounded, Infinity, old), 0);
    expect(end).toMatchObject({ ended: 'timeout', at: ms(10) });
  });

  test('thirty-two slow drives are looked at about 80,000 times in five seconds', () => {
    const drives = Array.from({ length: 32 }, (_, i) => ({ phase: i / 32, ready: [seconds(5)] }));
    const machine = { ...old, overhead: us(7) };
    const out = runDevices(poll(range(ms(1), ms(2))), machine, drives, 1);
    expect(out.looks).toBeGreaterThan(78_000);
    expect(out.looks).toBeLessThan(82_000);
    expect(out.time).toBeGreaterThanOrEqual(seconds(5));
    expect(out.time).toBeLessThan(seconds(5.01));
  });

  test('a loop that waits for nothing still ends', () => {
    const idle: Call = { kind: 'poll', interval: 0, timeout: 0, atomic: false, sleepsFirst: false };
    expect(runAlone((now) => pollUntilReady(now, poll(idle), us(100), old), 0).ended).toBe('ready');
  });
});

describe('growing intervals', () => {
  const wrapping: Growth = { kind: 'exponential', first: us(100), cap: ms(5), stretch: 2, bits: 32 };

  test('a 32-bit shift of 100 us wraps to no sleep at all at exponents 30 and 31, and starts again at 32', () => {
    const steps = [0, 5, 6, 29, 30, 31, 32].map((k) => growthStep(wrapping, k) / 1e3);
    expect(steps).toEqual([100, 3200, 5000, 5000, 0, 0, 100]);
  });

  test('a cap on the exponent keeps the interval at its cap', () => {
    expect(growthStep({ ...wrapping, exponentCap: 16 }, 31)).toBe(ms(5));
  });

  test('an exponential backoff overshoots by no more than the ready time and a first step', () => {
    const call: Call = { kind: 'growing', growth: { kind: 'exponential', first: us(100), cap: ms(5), stretch: 2 } };
    for (const ready of [us(8), us(500), ms(1), ms(3)]) {
      const { time } = runChain(poll(call), old, { phase: 0, ready: [ready] });
      expect(time).toBeLessThanOrEqual(2 * ready + us(200));
    }
    expect(runChain(poll(call), old, { phase: 0, ready: [us(8)] }).time).toBe(us(200));
    expect(runChain(poll(call), old, { phase: 0, ready: [ms(1)] }).time).toBe(us(1400));
  });

  test('a linear backoff adds a step each time', () => {
    const growth: Growth = { kind: 'linear', first: us(50), cap: us(200), stretch: 1 };
    expect([0, 1, 2, 3, 9].map((k) => growthStep(growth, k) / 1e3)).toEqual([50, 100, 150, 200, 200]);
  });
});

describe('a boot of drivers that are probed side by side', () => {
  /** Two polls at once; the boot goes on when both have ended. */
  function boot(calls: readonly [call: Call, ready: number][]): number {
    const run = createRun(1);
    const ends = calls.map(([call, ready]) => run.start(pollUntilReady(run.now, poll(call), ready, old)));
    let done = 0;
    function* init(): Process<void> {
      for (const end of ends) yield* happened(end);
      done = run.now();
    }
    run.start(init());
    run.run();
    return done;
  }

  test('a wait that is the last to end gains its saving, one that is not gains nothing', () => {
    const [slow, fast] = [msleep(ms(100)), range(ms(1), ms(2))];
    const mouse: [Call, number] = [range(us(500), us(500)), ms(611)];
    const keyboard: [Call, number] = [range(us(500), us(500)), ms(5)];
    const ready = us(300);
    expect(boot([[slow, ready], keyboard]) - boot([[fast, ready], keyboard])).toBeGreaterThan(ms(100));
    expect(boot([[slow, ready], mouse]) - boot([[fast, ready], mouse])).toBe(0);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eras, isHz, ms, quietMachine, us, versionOf, type Call, type Machine } from '../../src/core/kernel/index.js';
import { pollUntilReady, runAlone, runChain, type LoopBound, type Poll } from '../../src/core/sim/index.js';

const machines = fc
  .record({
    hz: fc.integer({ min: 24, max: 1200 }),
    era: fc.constantFrom(...eras),
    highres: fc.boolean(),
    running: fc.boolean(),
    overhead: fc.integer({ min: 0, max: us(60) }),
  })
  .map(({ hz, era, highres, running, overhead }): Machine => {
    expect(isHz(hz)).toBe(true);
    return { ...quietMachine(hz, versionOf(era)), highres, tick: running ? 'running' : 'stopped', overhead };
  });

const calls: fc.Arbitrary<Call> = fc.oneof(
  fc.integer({ min: 0, max: 300 }).map((n): Call => ({ kind: 'msleep', time: ms(n) })),
  fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }))
    .map(([a, b]): Call => ({ kind: 'range', min: us(a), max: us(a + b) })),
  fc.integer({ min: 0, max: 60_000 }).map((n): Call => ({ kind: 'fsleep', time: us(n) })),
  fc.integer({ min: 1, max: 2_000 }).map((n): Call => ({ kind: 'busy', time: us(n) })),
  fc.integer({ min: 0, max: 700 }).map((n): Call => ({ kind: 'timeout', ticks: { kind: 'count', count: n } })),
  fc
    .integer({ min: 1, max: 500 })
    .map((n): Call => ({ kind: 'growing', growth: { kind: 'exponential', first: us(n), cap: ms(5), stretch: 2 } })),
);

const bounds: fc.Arbitrary<LoopBound> = fc.oneof(
  fc.constant<LoopBound>({ kind: 'none' }),
  fc.integer({ min: 1, max: 200 }).map((rounds): LoopBound => ({ kind: 'count', rounds })),
  fc.integer({ min: 1, max: 500 }).map((n): LoopBound => ({ kind: 'deadline', timeout: ms(n) })),
);

describe('polling', () => {
  test('counting equal turns gives what walking them gives', () => {
    fc.assert(
      fc.property(
        machines,
        calls,
        bounds,
        fc.integer({ min: 0, max: ms(800) }),
        fc.integer({ min: 0, max: ms(40) }),
        fc.constantFrom(0, us(1)),
        (machine, call, bound, ready, start, look) => {
          const poll: Poll = { call, bound, look, looksFirst: true };
          const go = (leaps: boolean): unknown =>
            runAlone((now) => pollUntilReady(now, poll, start + ready, machine, { leaps, maxLooks: 3_000 }), start);
          expect(go(true)).toEqual(go(false));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('a poll ends ready, never before the device, and never a whole wait and a tick after it', () => {
    fc.assert(
      fc.property(machines, calls, fc.integer({ min: 0, max: ms(200) }), (machine, call, ready) => {
        const poll: Poll = { call, bound: { kind: 'none' }, look: 0, looksFirst: true };
        const { time } = runChain(poll, machine, { phase: 0.4, ready: [ready] });
        expect(time).toBeGreaterThanOrEqual(ready);
      }),
    );
  });

  test('a longer sleep never shortens a serial boot whose devices are ready within one wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 24, max: 1200 }),
        fc.constantFrom(...eras),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 0, max: 200 }),
        fc.integer({ min: 1, max: 8 }),
        fc.double({ min: 0, max: 8, noNaN: true }),
        (hz, era, a, b, waits, phase) => {
          const machine = quietMachine(hz, versionOf(era));
          const boot = (n: number): number =>
            runChain(
              { call: { kind: 'msleep', time: ms(n) }, bound: { kind: 'none' }, look: 0, looksFirst: false },
              machine,
              {
                phase,
                ready: Array.from({ length: waits }, () => 0),
              },
            ).time;
          expect(boot(Math.max(a, b))).toBeGreaterThanOrEqual(boot(Math.min(a, b)));
        },
      ),
    );
  });
});

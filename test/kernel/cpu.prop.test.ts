import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  busyMachine,
  createCpu,
  tickLength,
  us,
  wakesAt,
  type Machine,
  type Mechanism,
} from '../../src/core/kernel/index.js';

const machines = fc
  .record({
    hz: fc.integer({ min: 24, max: 1200 }),
    minor: fc.integer({ min: 0, max: 20 }),
    cpus: fc.integer({ min: 1, max: 64 }),
    preemption: fc.constantFrom('none' as const, 'voluntary' as const, 'lazy' as const, 'full' as const),
  })
  .map(({ hz, minor, ...rival }): Machine => busyMachine(hz, { major: 6, minor }, rival));

const mechanisms: fc.Arbitrary<Mechanism> = fc.oneof(
  fc.integer({ min: 1, max: 700 }).map((jiffies): Mechanism => ({ kind: 'wheel', jiffies })),
  fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }))
    .map(([a, b]): Mechanism => ({ kind: 'hrtimer', min: us(a), max: us(a + b) })),
  fc.integer({ min: 0, max: 3_000 }).map((n): Mechanism => ({ kind: 'spin', time: us(n) })),
);

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), mechanisms), { minLength: 1, maxLength: 30 });

describe('a shared CPU', () => {
  test('wakes nobody before the timer does, and keeps nobody from it for ever', () => {
    fc.assert(
      fc.property(machines, steps, (machine, calls) => {
        const cpu = createCpu(machine);
        let now = 1e9;
        let computed = 0;
        for (const [work, mechanism] of calls) {
          const from = cpu.compute(now, us(work));
          computed += from - now;
          const woken = cpu.wait(mechanism, from);
          const due = wakesAt(mechanism, from, machine);
          expect(woken).toBeGreaterThanOrEqual(due);
          // No longer than what it has had itself, a slice of both, and two ticks.
          const most = 2 * computed + 60e6 + 2 * tickLength(machine.hz);
          if (mechanism.kind !== 'spin') expect(woken - due).toBeLessThanOrEqual(most);
          else computed += woken - from;
          now = woken;
        }
      }),
    );
  });

  test('does the same again when asked the same', () => {
    fc.assert(
      fc.property(machines, steps, (machine, calls) => {
        const go = (): number[] => {
          const cpu = createCpu(machine);
          let now = 1e9;
          return calls.map(([work, mechanism]) => (now = cpu.wait(mechanism, cpu.compute(now, us(work)))));
        };
        expect(go()).toEqual(go());
      }),
    );
  });
});

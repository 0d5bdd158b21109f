import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compare,
  hodgesLehmann,
  mannWhitney,
  measureLogs,
  readBootLogs,
  readEvidence,
  timelineOf,
  welch,
} from '../../src/core/evidence/index.js';

const runs = fc.array(fc.integer({ min: 1_000, max: 5_000_000 }), { minLength: 4, maxLength: 9 });
const pieces = fc.constantFrom(
  '[    0.5',
  '] ',
  'calling  pear_init+0x0/0x1 @ 1',
  'initcall pear_init+0x0/0x1 returned 0 after 5',
  ' usecs',
  '\n',
  '> ',
  'Before:',
  'After:',
  'from 5 ms to 3',
  ' ms',
  '90x',
  '(42%)',
  '...',
  'probe of a returned 1 after 9 usecs',
  '\u001b[2J',
  '"time": 1.5',
  '0.123456',
  ' -> ',
  ' by ',
  'saves ',
  '1,000',
  '-',
  '.',
  ' 0)   1.3 us  |  f();',
);

describe('statistics', () => {
  test('a shift of one side moves every difference by as much', () => {
    fc.assert(
      fc.property(runs, runs, fc.integer({ min: 0, max: 1_000_000 }), (a, b, by) => {
        const moved = b.map((v) => v + by);
        expect(welch(a, moved).difference).toBeCloseTo(welch(a, b).difference + by, 3);
        expect(hodgesLehmann(a, moved).shift).toBeCloseTo(hodgesLehmann(a, b).shift + by, 3);
      }),
    );
  });

  test('a scale of both sides scales differences and leaves p as it is', () => {
    fc.assert(
      fc.property(runs, runs, fc.integer({ min: 2, max: 9 }), (a, b, by) => {
        const scaled = (v: number[]) => v.map((x) => x * by);
        expect(mannWhitney(scaled(a), scaled(b)).p).toBeCloseTo(mannWhitney(a, b).p, 10);
        expect(welch(scaled(a), scaled(b)).difference).toBeCloseTo(welch(a, b).difference * by, 3);
        expect(welch(scaled(a), scaled(b)).p).toBeCloseTo(welch(a, b).p, 8);
      }),
    );
  });

  test('swapping the sides flips the sign and nothing else', () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        expect(welch(b, a).difference).toBeCloseTo(-welch(a, b).difference, 6);
        expect(hodgesLehmann(b, a).shift).toBeCloseTo(-hodgesLehmann(a, b).shift, 6);
        expect(mannWhitney(b, a).p).toBeCloseTo(mannWhitney(a, b).p, 10);
        expect(Math.abs(compare(b, a).saved + compare(a, b).saved)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  test('the order of the runs changes nothing', () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const turned = (v: number[]) => [...v].reverse();
        expect(compare(turned(a), turned(b)).shown).toBe(compare(a, b).shown);
        expect(compare(turned(a), b).saved).toBe(compare(a, b).saved);
        expect(mannWhitney(turned(a), turned(b)).p).toBeCloseTo(mannWhitney(a, b).p, 12);
      }),
      { numRuns: 30 },
    );
  });

  test('no p is outside of 0..1', () => {
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        for (const p of [welch(a, b).p, mannWhitney(a, b).p]) {
          expect(p).toBeGreaterThanOrEqual(0);
          expect(p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('any text', () => {
  test('reading never throws, and every place is a line of the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 400 }),
          fc.array(pieces, { maxLength: 60 }).map((p) => p.join('')),
        ),
        (text) => {
          const { logs, claims } = readEvidence({ subject: text.slice(0, 80), text, attachments: [] });
          const lines = text.split('\n').length;
          for (const found of [...logs, ...claims]) expect(found.mailLine).toBeLessThanOrEqual(lines);
          for (const log of logs) timelineOf(log);
          measureLogs(logs, logs);
          readBootLogs(text, 'file');
        },
      ),
      { numRuns: 300 },
    );
  });

  test('quoting a log changes nothing that it says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 12 }), (times) => {
        const text = times
          .map(
            (t, i) =>
              `[    ${(1 + i).toFixed(6)}] initcall pear${String(i)}_init+0x0/0x1 returned 0 after ${String(t)} usecs`,
          )
          .join('\n');
        const quoted = text.replace(/^/gm, '> > ');
        const calls = (s: string) => readBootLogs(s, 'mail').flatMap((l) => l.initcalls);
        expect(calls(quoted)).toEqual(calls(text));
      }),
    );
  });

  test('work grows with the text, not with its square', () => {
    // Counted in characters looked at twice: doubling hostile lines must not multiply the blocks or claims found.
    for (const piece of ['> > > | ', '1,', 'from 5 ms to ', '[    0.1', 'initcall a returned ', '-', '0.1 ']) {
      const { logs, claims } = readEvidence({ subject: '', text: piece.repeat(100_000), attachments: [] });
      expect(logs.length + claims.length).toBeLessThan(100);
    }
  });
});

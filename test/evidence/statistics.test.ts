import { describe, expect, test } from 'vitest';
import {
  compare,
  hodgesLehmann,
  mannWhitney,
  minimumDetectable,
  permutationOfMeans,
  powerOf,
  student,
  summarise,
  welch,
} from '../../src/core/evidence/index.js';

// Ten boots of one machine, in ms, worked out by hand, by R and by ministat.
const without = [76.461, 79.041, 71.366, 70.107, 70.793];
const patched = [87.732, 75.185, 74.332, 81.819, 81.161];
const ns = (values: readonly number[]) => values.map((v) => Math.round(v * 1e6));

describe('statistics of two sets of boots', () => {
  test('mean, median, deviation and geometric mean are those of R', () => {
    const a = summarise(without);
    expect(a.mean).toBeCloseTo(73.5536, 4);
    expect(a.median).toBe(71.366);
    expect(a.sd).toBeCloseTo(3.9639, 4);
    expect(a.se).toBeCloseTo(1.7727, 4);
    expect(a.geomean).toBeCloseTo(73.4695, 4);
    const b = summarise(patched);
    expect(b.mean).toBeCloseTo(80.0458, 4);
    expect(b.median).toBe(81.161);
    expect(b.sd).toBeCloseTo(5.4713, 4);
    expect(b.se).toBeCloseTo(2.4468, 4);
    expect(b.geomean).toBeCloseTo(79.8975, 4);
  });

  test("Welch's t, its degrees of freedom, p and interval", () => {
    const w = welch(without, patched);
    expect(w.difference).toBeCloseTo(6.4922, 4);
    expect(w.t).toBeCloseTo(2.1487, 4);
    expect(w.df).toBeCloseTo(7.2921, 4);
    expect(w.p).toBeCloseTo(0.06719, 5);
    expect(w.low).toBeCloseTo(-0.595, 2);
    expect(w.high).toBeCloseTo(13.579, 3);
  });

  test("ministat's pooled deviation and half widths at 95, 90 and 80 percent", () => {
    const s = student(without, patched);
    expect(s.pooled).toBeCloseTo(4.77743, 5);
    expect(s.df).toBe(8);
    expect(s.p).toBeCloseTo(0.06391, 5);
    expect(s.halfWidth).toBeCloseTo(6.9676, 3);
    expect(s.low).toBeCloseTo(-0.475, 3);
    expect(s.high).toBeCloseTo(13.46, 2);
    expect(student(without, patched, 0.9).halfWidth).toBeCloseTo(5.62001, 2);
    expect(student(without, patched, 0.8).halfWidth).toBeCloseTo(4.22105, 2);
  });

  test('the exact Mann-Whitney p is 24 of 252 arrangements', () => {
    const u = mannWhitney(without, patched);
    expect(u.u).toBe(21);
    expect(u.p).toBeCloseTo(24 / 252, 12);
    expect(u.exact).toBe(true);
    expect(u.a12).toBeCloseTo(0.84, 12);
  });

  test('the exact permutation test of the means is 18 of 252 arrangements', () => {
    expect(permutationOfMeans(without, patched)).toBeCloseTo(18 / 252, 12);
  });

  test('the Hodges-Lehmann shift has a 96.8 percent interval', () => {
    const hl = hodgesLehmann(without, patched);
    expect(hl.shift).toBeCloseTo(5.078, 3);
    expect(hl.low).toBeCloseTo(-2.129, 3);
    expect(hl.high).toBeCloseTo(16.366, 3);
    expect(hl.coverage).toBeCloseTo(0.968, 3);
  });

  test.each([
    [5, 9.67],
    [10, 6.33],
    [20, 4.34],
    [30, 3.51],
    [50, 2.7],
    [100, 1.9],
  ])('%i runs a side would have shown %f ms', (n, least) => {
    expect(minimumDetectable(4.77743, n)).toBeCloseTo(least, 2);
  });

  test('the power of the five runs to see their own difference is 0.47', () => {
    expect(powerOf(6.4922 / 4.77743, 5)).toBeCloseTo(0.47, 2);
  });

  test('the smallest p that ranks can give: 0.10 with three runs a side, 0.029 with four, 0.0079 with five', () => {
    const rising = (n: number, from: number) => Array.from({ length: n }, (_, i) => from + i);
    expect(mannWhitney(rising(3, 0), rising(3, 10)).p).toBeCloseTo(0.1, 10);
    expect(mannWhitney(rising(4, 0), rising(4, 10)).p).toBeCloseTo(2 / 70, 10);
    expect(mannWhitney(rising(5, 0), rising(5, 10)).p).toBeCloseTo(2 / 252, 10);
  });
});

describe('the verdict in words', () => {
  test('no difference shown is not called no difference, and says what could have been seen', () => {
    const c = compare(ns(without), ns(patched));
    expect(c.shown).toBe('no');
    expect(c.verdict).toContain('no difference shown at 95 %, which is not "no difference"');
    expect(c.verdict).toContain('9.67');
    expect(c.stats.welchHighUs).toBeCloseTo(13579, 0);
    expect(c.stats.cohensD).toBeCloseTo(1.36, 2);
  });

  test('under four runs a side there is no verdict, and it says so', () => {
    const c = compare(ns([200, 201, 202]), ns([10, 11, 12]));
    expect(c.shown).toBe('few');
    expect(c.verdict).toContain('no verdict');
    expect(compare(ns([200]), ns([10])).verdict).toContain('1 run a side: no verdict');
  });

  test('four clear runs a side are enough', () => {
    const c = compare(ns([200, 201, 202, 203]), ns([10, 11, 12, 13]));
    expect(c.shown).toBe('faster');
    expect(c.saved).toBe(190e6);
  });

  test('equal runs show nothing and do not divide by zero', () => {
    const c = compare(ns([5, 5, 5, 5]), ns([5, 5, 5, 5]));
    expect(c.shown).toBe('no');
    expect(c.stats.welchP).toBe(1);
  });
});

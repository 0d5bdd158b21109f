import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Estimate } from '../../src/core/estimate/index.js';
import type { Review } from '../../src/core/review/index.js';
import { reviewEach } from '../support/review-files.js';

const examples = join(import.meta.dirname, '..', '..', 'examples');

type Said = { readonly review: Review; readonly text: string };
const said: Said[] = [];

beforeAll(async () => {
  for await (const { review, reply } of reviewEach([examples])) {
    if (reply !== undefined) said.push({ review, text: ownWords(reply.body) });
  }
});

/** The reply without quoted lines, attribution and signature. */
function ownWords(body: string): string {
  const lines = body.split('\n-- \n')[0]?.split('\n').slice(1) ?? [];
  return lines.filter((l) => !l.startsWith('>')).join('\n');
}

/** A number as it is printed, with the last digit that says anything: 160,000 is good to ten thousand. */
function numbersIn(text: string): { value: number; step: number }[] {
  return [...text.matchAll(/(?:(?<![\d.])-)?\d[\d,]*(?:\.\d+)?/g)].map(([digits]) => {
    const plain = digits.replaceAll(',', '').replace(/\.$/, '');
    const decimals = plain.split('.')[1]?.length ?? 0;
    const zeros = decimals === 0 ? (/0*$/.exec(plain)?.[0].length ?? 0) : 0;
    return { value: Number(plain), step: Number(plain) === 0 ? 1 : 10 ** (zeros - decimals) };
  });
}

/** Every number of `text`, in a unit of so many nanoseconds, is one of `values` as far as it is printed; ranges are rounded outward. */
function expectAmong(text: string, unit: number, values: readonly number[]): void {
  const found = numbersIn(text);
  expect(found.length, text).toBeGreaterThan(0);
  for (const { value, step } of found) {
    const near = values.some((v) => Math.abs(v / unit - value) <= step * 1.06);
    expect(near, `${String(value)} of "${text}" among ${values.map((v) => v / unit).join(' ')}`).toBe(true);
  }
}

const units: Readonly<Record<string, number>> = { s: 1e9, ms: 1e6, us: 1e3 };

function estimatesIn({ review, text }: Said): Estimate[] {
  return text.includes('Predicted: ') ? review.estimates.filter((e) => e.model !== 'timeout') : [];
}

describe('the numbers of a reply', () => {
  test('are there to be read: some replies predict, one has a table', () => {
    expect(said.filter((s) => s.text.includes('Predicted: saves')).length).toBeGreaterThan(1);
    expect(said.some((s) => s.text.includes('one wait, ready after'))).toBe(true);
  });

  test('what is saved is the least, likely and most of an estimate', () => {
    for (const reply of said) {
      const flat = reply.text.replace(/\s+/g, ' ');
      for (const [, words = '', unit = 'ms'] of flat.matchAll(
        /Predicted: saves (?:about |up to )?([\d.,-]+) (s|ms|us)\b/g,
      )) {
        const saved = estimatesIn(reply).flatMap((e) => [e.saved.min, e.saved.likely, e.saved.max]);
        expectAmong(words, units[unit] ?? 1, saved);
      }
    }
  });

  test('a row of the table is a point of the curve: ready time, both sides, saving and looks', () => {
    let rows = 0;
    for (const reply of said) {
      const points = estimatesIn(reply).flatMap((e) => e.curve);
      for (const line of reply.text.split('\n')) {
        const row = /^ {2}([\d.]+) ms +(\S+) +(\S+) +(\S+) +([\d,.]+) -> ([\d,.]+)$/.exec(line);
        if (row === null) continue;
        rows++;
        const [, ready = '', before = '', after = '', saved = '', old = '', fresh = ''] = row;
        const at = points.filter((p) => numbersIn(ready).every((n) => Math.abs(p.ready / 1e6 - n.value) <= n.step));
        expect(at.length, line).toBeGreaterThan(0);
        const ends = (pick: (p: (typeof at)[number]) => { min: number; max: number }): number[] =>
          at.flatMap((p) => [pick(p).min, pick(p).max]);
        expectAmong(
          before,
          1e6,
          ends((p) => p.before),
        );
        expectAmong(
          after,
          1e6,
          ends((p) => p.after),
        );
        expectAmong(
          saved,
          1e6,
          ends((p) => p.saved),
        );
        expectAmong(
          old,
          1,
          at.map((p) => p.pollsBefore),
        );
        expectAmong(
          fresh,
          1,
          at.map((p) => p.pollsAfter),
        );
      }
    }
    expect(rows).toBeGreaterThan(2);
  });

  test('looks, devices and CPU share are those of the estimate', () => {
    let told = 0;
    for (const reply of said) {
      const flat = reply.text.replace(/\s+/g, ' ');
      const many =
        /(\S+) devices that take (\S+) s each: about ([\d,]+) looks, not ([\d,]+); together ([\d.-]+) (CPUs|% of one CPU)/;
      const found = many.exec(flat);
      if (found === null) continue;
      told++;
      const [, count = '', ready = '', looks = '', before = '', cpu = '', of] = found;
      const devices = estimatesIn(reply).flatMap((e) => e.devices);
      expectAmong(
        count,
        1,
        devices.map((d) => d.count),
      );
      expectAmong(
        ready,
        1e9,
        devices.map((d) => d.ready),
      );
      expectAmong(
        looks,
        1,
        devices.map((d) => d.looks),
      );
      expectAmong(
        before,
        1,
        devices.map((d) => d.looksBefore),
      );
      expectAmong(
        cpu,
        of === 'CPUs' ? 100 : 1,
        devices.flatMap((d) => [d.cpuPercent.min, d.cpuPercent.max]),
      );
    }
    expect(told).toBeGreaterThan(0);
  });

  test('HZ is that of the assumptions, measured times are those of the measurements', () => {
    for (const reply of said) {
      const flat = reply.text.replace(/\s+/g, ' ');
      const rates = reply.review.estimates.flatMap((e) =>
        e.assumptions.filter((a) => a.name === 'hz').map((a) => Number(a.value)),
      );
      for (const [, hz] of flat.matchAll(/HZ=(\d+)/g)) expect(rates).toContain(Number(hz));
      const values = reply.review.evidence.measurements.flatMap((m) => [...m.before, ...m.after, m.saved ?? 0]);
      const measured =
        /(?:Your log|A log in this thread|The log), measured: (.*?)(?:One boot|Medians of)/.exec(flat)?.[1] ?? '';
      for (const [, number = '', unit = 'ms'] of measured
        .replace(/"[^"]*"|\(kernels.*?\)/g, '')
        .matchAll(/([\d.]+) (s|ms|us)\b/g))
        expectAmong(number, units[unit] ?? 1, values);
    }
  });
});

import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges, type DelayChange } from '../../src/core/delay/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());
const section = 'static int toy_start(struct toy *toy)';

const call = fc.oneof(
  fc.integer({ min: 1, max: 500 }).map((n) => `msleep(${n});`),
  fc.integer({ min: 10, max: 900 }).map((n) => `usleep_range(${n}, ${n * 2});`),
  fc.integer({ min: 1, max: 90 }).map((n) => `udelay(${n});`),
  fc.integer({ min: 1, max: 90 }).map((n) => `toy_write(toy, ${n});`),
);
const line = fc.tuple(fc.constantFrom(' ', '-', '+'), call).map(([mark, text]) => `${mark}\t${text}`);
const lines = fc.array(line, { minLength: 2, maxLength: 12 });

function reversed(text: string): string {
  return text.startsWith('+') ? `-${text.slice(1)}` : text.startsWith('-') ? `+${text.slice(1)}` : text;
}

function outline(change: DelayChange): string {
  return `${change.kind} ${change.effect} ${change.before?.text ?? '-'} > ${change.after?.text ?? '-'}`;
}

const swapped: Readonly<Record<string, string>> = { added: 'removed', removed: 'added' };

describe('findChanges', () => {
  test('swaps before and after when the patch is reversed', () => {
    fc.assert(
      fc.property(lines, (diff) => {
        const there = findChanges(patchOf(diff, { section }), kit);
        const back = findChanges(patchOf(diff.map(reversed), { section }), kit);
        const sides = (list: DelayChange[], swap: boolean): string[] =>
          list
            .flatMap((c) => {
              const [a, b] = swap ? [c.after?.text, c.before?.text] : [c.before?.text, c.after?.text];
              return [`${swap ? (swapped[c.effect] ?? c.effect) : c.effect} ${a ?? '-'} > ${b ?? '-'}`];
            })
            .sort();
        expect(sides(back, true)).toEqual(sides(there, false));
      }),
      { numRuns: 60 },
    );
  });

  test('moves its lines with the hunk and changes nothing else', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 5000 }), (diff, k) => {
        const here = findChanges(patchOf(diff, { section, oldStart: 100 }), kit);
        const there = findChanges(patchOf(diff, { section, oldStart: 100 + k }), kit);
        const shift = (n: number | undefined) => (n === undefined ? undefined : n + k);
        const moved = here.map((c) => ({ ...c, oldLine: shift(c.oldLine), newLine: shift(c.newLine) }));
        expect(JSON.parse(JSON.stringify(there))).toEqual(JSON.parse(JSON.stringify(moved)));
      }),
      { numRuns: 40 },
    );
  });

  test('is not moved by hunks of other files', () => {
    fc.assert(
      fc.property(lines, (diff) => {
        const alone = findChanges(patchOf(diff, { section }), kit);
        const other = { lines: [' int a;', '-int b;', '+int c;', ' int d;'], file: 'drivers/toy/other.c' };
        const both = findChanges(patchOfHunks([other, { lines: diff, section }]), kit);
        expect(both.map(outline)).toEqual(alone.map(outline));
      }),
      { numRuns: 40 },
    );
  });

  test('never throws, whatever the lines are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(' ', '-', '+'), fc.string()), { maxLength: 20 }), (rows) => {
        const diff = rows.map(([mark, text]) => `${mark}${text.replace(/[\r\n]/g, ' ')} msleep(`);
        findChanges(patchOf([' x', ...diff], { section }), kit);
      }),
      { numRuns: 60 },
    );
  });
});

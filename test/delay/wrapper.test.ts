import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());

function outlineOf(lines: readonly string[]): string[] {
  const changes = findChanges(patchOf(lines, { section: 'static int toy_start(struct toy *toy)' }), kit);
  return changes.map((c) => `${c.effect} ${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`);
}

test.each([
  ['toy_delay_us(toy, 10);', 'toy_delay_us(toy, 50);', 'sleep 10..10 > 50..50'],
  ['ToyDelayMs(10);', 'ToyDelayMs(5);', 'sleep 10000..10000 > 5000..5000'],
  ['toy_mdelay_os(10);', 'toy_mdelay_os(5);', 'busy 10000..10000 > 5000..5000'],
  ['toy_delay_micro_seconds(9);', 'toy_delay_micro_seconds(90);', 'sleep 9..9 > 90..90'],
  ['err = toy_sleep_ms(toy, 10);', 'err = toy_sleep_ms(toy, 20);', 'sleep 10000..10000 > 20000..20000'],
  ['TOY_DELAY(10);', 'TOY_DELAY(20);', 'busy ? > ?'],
  ['toy_delay(toy, 10);', 'toy_delay(toy, 20);', 'busy ? > ?'],
  ['toy_set_delay_us(toy, 10);', 'toy_set_delay_us(toy, 20);', 'constant 10..10 > 20..20'],
])('a function that nobody sees waits by its name: %s', (old, fresh, expected) => {
  expect(outlineOf([`-\t${old}`, `+\t${fresh}`])).toEqual([`changed ${expected}`]);
});

test('a wrapper that comes is a wait, a function that keeps a delay is none', () => {
  expect(outlineOf([' \tput(toy);', '+\ttoy_msec_delay(20);'])).toEqual(['added sleep - > 20000..20000']);
  expect(outlineOf([' \tput(toy);', '+\ttoy_set_delay_us(toy, 20);'])).toEqual([]);
  expect(outlineOf([' \tput(toy);', '+\ttoy_get_delay_us(toy);'])).toEqual([]);
});

test('a wrapper that is only called by another name is no change', () => {
  expect(outlineOf(['-\ttoy_phy_udelay(10);', '+\ttoy_udelay(10);'])).toEqual([]);
});

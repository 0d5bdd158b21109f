import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges, type DelayChange } from '../../src/core/delay/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());

function outline(changes: readonly DelayChange[]): string[] {
  return changes.map((c) => `${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`);
}

function outlineOf(lines: readonly string[], section: string, file = 'drivers/toy/toy.c'): string[] {
  return outline(findChanges(patchOf(lines, { section, file }), kit));
}

describe('a member of a record that the kernel knows', () => {
  test.each([
    [
      'static const struct panel_desc toy_lcd = {',
      '.unprepare = 500',
      '.unprepare = 300',
      '500000..500000 > 300000..300000',
    ],
    ['static const struct panel_delay toy_delays = {', '.hpd_absent = 2', '.hpd_absent = 9', '2000..2000 > 9000..9000'],
    [
      'static const struct regulator_desc toy_ldo = {',
      '.enable_time = 100',
      '.enable_time = 500',
      '100..100 > 500..500',
    ],
    [
      'static struct watchdog_device toy_wdd = {',
      '.timeout = 3',
      '.timeout = 6',
      '3000000..3000000 > 6000000..6000000',
    ],
  ])('has its unit: %s %s', (section, old, fresh, expected) => {
    expect(outlineOf([' \t.type = 1,', `-\t${old},`, `+\t${fresh},`, ' };'], section)).toEqual([
      `constant ${expected}`,
    ]);
  });

  test('is no time where it is written in hexadecimal', () => {
    expect(
      outlineOf(['-\t.delay_irq = 0x620c,', '+\t.delay_irq = 0x420c,'], 'static const struct toy_regs toy = {'),
    ).toEqual([]);
  });

  test('is no time in another record', () => {
    expect(
      outlineOf(['-\t.enable_time = 100,', '+\t.enable_time = 500,'], 'static const struct toy_desc toy = {'),
    ).toEqual([]);
  });

  test('has the unit that stands beside it', () => {
    const lines = [
      '-\txfer.delay.value = 10;',
      '+\txfer.delay.value = 50;',
      ' \txfer.delay.unit = SPI_DELAY_UNIT_USECS;',
    ];
    expect(outlineOf(lines, 'static int toy_put(struct toy *toy)')).toEqual(['constant 10..10 > 50..50']);
  });
});

describe('a row of a table', () => {
  test('has a time where its record in sight has a field for one', () => {
    const record = [' struct toy_step {', ' \tu8 reg;', ' \tu8 val;', ' \tunsigned int delay_ms;', ' };', ' '];
    const rows = [
      ' static const struct toy_step toy_steps[] = {',
      ' \t{ 0x10, 0x00, 0 },',
      '-\t{ 0x11, 0x00, 120 },',
      '+\t{ 0x11, 0x00, 20 },',
      ' };',
    ];
    expect(outlineOf([...record, ...rows], '')).toEqual(['constant 120000..120000 > 20000..20000']);
    const hunks = [
      { lines: [...record.slice(0, -1), '-/* old */', '+/* new */'] },
      { lines: rows.slice(1), section: 'static const struct toy_step toy_steps[] = {' },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toEqual(['constant 120000..120000 > 20000..20000']);
  });

  test('changes nothing where only a register or a value does', () => {
    const section = 'static const struct reg_sequence toy_init[] = {';
    expect(outlineOf(['-\t{ 0x11, 0x01, 1000 },', '+\t{ 0x12, 0x07, 1000 },'], section)).toEqual([]);
    expect(outlineOf(['-\t{ 0x11, 0x01, 1000 },', '+\t{ 0x11, 0x01, 5000 },'], section)).toEqual([
      'constant 1000..1000 > 5000..5000',
    ]);
    expect(outlineOf(['-\tREG_SEQ(0x11, 0x01, 1000),', '+\tREG_SEQ(0x11, 0x01, 5000),'], section)).toEqual([
      'constant 1000..1000 > 5000..5000',
    ]);
  });

  test('may be a macro that is named for a delay', () => {
    const section = 'static const struct toy_step toy_steps[] = {';
    const panel = 'drivers/gpu/drm/panel/panel-toy.c';
    expect(outlineOf(['-\tTOY_DELAY(10),', '+\tTOY_DELAY(20),'], section)).toEqual(['constant ? > ?']);
    expect(outlineOf(['-\tTOY_DELAY(10),', '+\tTOY_DELAY(20),'], section, panel)).toEqual([
      'constant 10000..10000 > 20000..20000',
    ]);
  });
});

describe('a list of numbers', () => {
  test('is one entry where its name says that they are times', () => {
    expect(
      outlineOf(
        ['-static const int toy_backoff_ms[] = { 1, 2, 5 };', '+static const int toy_backoff_ms[] = { 1, 3, 5 };'],
        '',
      ),
    ).toEqual(['constant ? > ?']);
    expect(outlineOf(['-\t100, 200, 400,', '+\t100, 200, 800,'], 'static const u16 toy_delays_us[] = {')).toEqual([
      'constant ? > ?',
    ]);
    expect(outlineOf(['-\t[TOY_ON] = 100,', '+\t[TOY_ON] = 10,'], 'static const int toy_delays[] = {')).toEqual([
      'constant ? > ?',
    ]);
  });

  test('is none where its name says nothing of the kind', () => {
    expect(outlineOf(['-\t100, 200, 400,', '+\t100, 200, 800,'], 'static const u16 toy_poll_regs[] = {')).toEqual([]);
    expect(
      outlineOf(
        ['-\t.period_bytes_min = 32,', '+\t.period_bytes_min = 64,'],
        'static const struct snd_pcm_hardware toy = {',
      ),
    ).toEqual([]);
  });
});

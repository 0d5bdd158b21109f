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

const section = 'static int toy_start(struct toy *toy)';

/** `function kind before > after`, times in microseconds. */
function outline(changes: readonly DelayChange[]): string[] {
  return changes.map((c) => `${c.function ?? '-'} ${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`);
}

function outlineOf(lines: readonly string[]): string[] {
  return outline(findChanges(patchOf(lines, { section }), kit));
}

describe('no change', () => {
  test('is the same member read from another record', () => {
    expect(outlineOf(['-\tudelay(pdata->settle_us);', '+\tudelay(toy->desc->settle_us);'])).toEqual([]);
  });

  test('is a variable that the patch renames throughout', () => {
    const lines = [
      '-\tint d3_nap = toy->nap;',
      '+\tint hot_nap = toy->nap;',
      '-\tmsleep(d3_nap);',
      '+\tmsleep(hot_nap);',
    ];
    expect(outlineOf(lines)).toEqual([]);
  });

  test('is an inner loop whose bound stays while one around it comes', () => {
    const lines = [
      '-\tfor (i = 0; i < MOST * 3; i++) {',
      '-\t\tudelay(50);',
      '-\t\tif (ready(toy))',
      '-\t\t\tbreak;',
      '-\t}',
      '+\tfor (n = 0; n <= again; n++) {',
      '+\t\tfor (i = 0; i < MOST * 3; i++) {',
      '+\t\t\tudelay(50);',
      '+\t\t\tif (ready(toy))',
      '+\t\t\t\tbreak;',
      '+\t\t}',
      '+\t}',
    ];
    expect(outlineOf(lines)).toEqual([]);
  });

  test('is a constant whose number changes with the unit that its use gives it', () => {
    const hunks = [
      { lines: ['-#define TOY_CMD_TIMEOUT HZ', '+#define TOY_CMD_TIMEOUT USEC_PER_SEC'] },
      {
        lines: [
          ' \tkick(toy);',
          '-\tend = jiffies + TOY_CMD_TIMEOUT;',
          '-\twhile (time_before(jiffies, end) && busy(toy))',
          '-\t\tusleep_range(20, 40);',
          '+\terr = readl_poll_timeout(toy->io, v, !v, 20, TOY_CMD_TIMEOUT);',
        ],
        section,
      },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit)).filter((o) => o.includes('constant'))).toEqual([]);
  });
});

describe('no change, still', () => {
  test('is a number that becomes the name that a shared header gives it', () => {
    expect(outlineOf(['-\tmsleep(100);', '+\tmsleep(PCIE_T_PVPERL_MS);'])).toEqual([]);
  });

  test('is it only where the name means that header', () => {
    const lines = ['-\tmsleep(90);', '+\tmsleep(LINK_WAIT_SLEEP_MS);'];
    const inFolder = (folder: string): string[] =>
      outline(findChanges(patchOf(lines, { section, file: `drivers/pci/controller/${folder}/toy.c` }), kit));
    expect(inFolder('dwc')).toEqual([]);
    expect(inFolder('toy')).toEqual(['toy_start sleep 90000..90000 > ?']);
  });

  test('is a condition whose record has another name', () => {
    const lines = ['-\tif (old_toy->gpio)', '+\tif (toy->gpio)', ' \t\tmsleep(100);'];
    expect(outlineOf(lines)).toEqual([]);
  });
});

describe('a change', () => {
  test('is a variable in the place of another that stays', () => {
    const lines = [' \tint nap = a, rest = b;', '-\tmsleep(nap);', '+\tmsleep(rest);', ' \tuse(nap, rest);'];
    expect(outlineOf(lines)).toEqual(['toy_start sleep ? > ?']);
  });

  test('is a polling call that comes beside one that is only indented', () => {
    const call = 'readl_poll_timeout(toy->io, v, !v, 10, 5000)';
    const lines = [
      `-\tret = ${call};`,
      '+\tif (atomic)',
      '+\t\tret = readl_poll_timeout_atomic(toy->io, v, !v, 10, 5000);',
      '+\telse',
      `+\t\tret = ${call};`,
    ];
    const found = findChanges(patchOf(lines, { section }), kit);
    expect(found.map((c) => `${c.effect} ${c.after?.api ?? ''}`)).toEqual([
      'added readl_poll_timeout_atomic',
      'added readl_poll_timeout_atomic',
    ]);
  });

  test('is a number that becomes a build option, with its default as its value', () => {
    const hunks = [
      {
        file: 'drivers/toy/Kconfig',
        lines: ['+config TOY_PATIENCE', '+\tint "How long to wait (s)"', '+\tdefault 10', '+'],
      },
      { lines: ['-\ttoy->timeout = 10 * HZ;', '+\ttoy->timeout = CONFIG_TOY_PATIENCE * HZ;'], section },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toEqual([
      'toy_start constant 10000000..10000000 > 10000000..10000000',
    ]);
  });

  test("is a build option's default that is named for a time", () => {
    const lines = [' config TOY_DELAY_MS', ' \tint "Delay"', '-\tdefault 10', '+\tdefault 50'];
    expect(outline(findChanges(patchOf(lines, { file: 'drivers/toy/Kconfig' }), kit))).toEqual([
      '- constant 10000..10000 > 50000..50000',
    ]);
  });

  test('has the unit of the constant that is assigned, where nothing else names one', () => {
    const lines = ['-\tint timeout = TOY_READY_MS;', '+\tint timeout = TOY_SLOW_MS;'];
    const defines = { lines: [' #define TOY_READY_MS 60', ' #define TOY_SLOW_MS 90', '-#define X', '+#define Y'] };
    expect(outline(findChanges(patchOfHunks([defines, { lines, section }]), kit))).toEqual([
      'toy_start poll-timeout 60000..60000 > 90000..90000',
    ]);
  });

  test('is one of tries where a constant bounds a loop, whatever it is named for', () => {
    const hunks = [
      { lines: ['-#define TOY_RESET_WAIT 15', '+#define TOY_RESET_WAIT 40'] },
      {
        lines: [
          ' \tfor (i = 0; i < TOY_RESET_WAIT; i++) {',
          ' \t\tif (up(toy))',
          ' \t\t\tbreak;',
          ' \t\tmsleep(20);',
          ' \t}',
        ],
        section,
      },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toContain('- retry-count 15 > 40');
  });

  test('has no unit where one of the two numbers counts', () => {
    const lines = ['-#define TOY_CMD_TIMEOUT 250 /* msecs */', '+#define TOY_CMD_TIMEOUT 2500 /* count 2500 times */'];
    expect(outline(findChanges(patchOf(lines), kit))).toEqual(['- constant ? > ?']);
  });
});

describe('a function of the patch that only waits', () => {
  const helper = [
    '+static void toy_nap(unsigned long us, unsigned long more)',
    '+{',
    '+\tif (us < 10)',
    '+\t\tudelay(us);',
    '+\telse',
    '+\t\tusleep_range(us, us + more);',
    '+}',
    ' ',
    ' static int toy_start(struct toy *toy)',
    ' {',
  ];

  test.each([
    ['toy_nap(2000, 500)', 'sleep 5000..5000 > 2000..2500'],
    ['toy_nap(5, 500)', 'busy 5000..5000 > 5..5'],
  ])('is a wait where it is called: %s', (call, wanted) => {
    expect(outlineOf([...helper, '-\tmsleep(5);', `+\t${call};`])).toContain(`toy_start ${wanted}`);
  });

  test('is none where it does more', () => {
    const more = helper.map((l) => (l.includes('udelay') ? '+\t\ttoy_write(us);' : l));
    const found = outlineOf([...more, '+\ttoy_nap(2000, 500);']);
    expect(found).toEqual(['toy_nap sleep - > 2000..2500']);
  });
});

describe('the rounds of a loop', () => {
  const countOf = (lines: readonly string[]) =>
    findChanges(patchOf(lines, { section }), kit).find((c) => c.kind === 'retry-count')?.after?.count;

  test('are counted where the counter is a part of the condition', () => {
    const head = '+\twhile (busy(toy) && left) {';
    expect(countOf(['+\tint left = 500;', head, '+\t\tudelay(100);', '+\t\tleft--;', '+\t}'])).toBe(500);
  });

  test('follow the step of the body', () => {
    const loop = [' \twhile (left > 0) {', ' \t\tudelay(100);', ' \t\tleft -= 100;', ' \t}'];
    expect(countOf(['-\tint left = 500;', '+\tint left = 900;', ...loop])).toBe(9);
  });

  test('follow no step beside that of the head', () => {
    const skip = [' \t\tif (late(toy))', ' \t\t\ti += 9;', ' \t\tudelay(100);'];
    const head = (n: number): string => `\tfor (i = 0; i < ${n}; i++) {`;
    expect(countOf([`-${head(50)}`, `+${head(100)}`, ...skip, ' \t}'])).toBe(100);
    const open = (n: number): string => `\tfor (i = 0; i < ${n};) {`;
    const plain = [' \t\tudelay(100);', ' \t\ti += 9;', ' \t}'];
    expect(countOf([`-${open(50)}`, `+${open(100)}`, ...plain])).toBe(12);
  });

  test('of a new loop that counts time are not told', () => {
    const head = '+\tfor (i = 0; i < 5000; i += 1000) {';
    expect(countOf([head, '+\t\tif (up(toy))', '+\t\t\tbreak;', '+\t\tmsleep(1);', '+\t}'])).toBeUndefined();
  });

  test('are not known from one of two ends to the other', () => {
    const head = '+\tfor (i = up ? 0 : 7; i != end; up ? i++ : i--) {';
    expect(countOf(['+\tint end = 8;', head, '+\t\tmsleep(1);', '+\t}'])).toBeUndefined();
  });
});

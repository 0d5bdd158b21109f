import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOfHunks } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
afterAll(() => parser.close());

/** `function kind before > after`, times in microseconds. */
function outlineOf(hunks: Parameters<typeof patchOfHunks>[0]): string[] {
  return findChanges(patchOfHunks(hunks), { parser, catalogue }).map(
    (c) => `${c.function ?? '-'} ${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`,
  );
}

const helper = (...body: string[]): string[] => [
  '+static void toy_settle(struct toy *toy)',
  '+{',
  ...body.map((l) => `+\t${l}`),
  '+}',
  '+',
];
const caller = (name: string, ...body: string[]): string[] => [
  ` static void ${name}(struct toy *toy)`,
  ' {',
  ...body,
  ' }',
  ' ',
];
const givesAway = (wait: string): string[] => [`-\t${wait}`, '+\ttoy_settle(toy);'];

describe('a helper that the patch makes', () => {
  test('takes the same wait over from several callers, and nothing changes', () => {
    const lines = [
      ...helper('msleep(20);'),
      ...caller('toy_on', ...givesAway('msleep(20);')),
      ...caller('toy_off', ...givesAway('msleep(20);')),
    ];
    expect(outlineOf([{ lines }])).toEqual([]);
  });

  test('waits longer than one of its callers did', () => {
    const lines = [
      ...helper('msleep(20);'),
      ...caller('toy_on', ...givesAway('msleep(20);')),
      ...caller('toy_off', ...givesAway('msleep(5);')),
    ];
    expect(outlineOf([{ lines }])).toEqual(['toy_off sleep 5000..5000 > 20000..20000']);
  });

  test('lets a caller wait that did not wait before', () => {
    const lines = [
      ...helper('usleep_range(150, 200);'),
      ...caller('toy_on', ...givesAway('usleep_range(150, 200);')),
      ...caller('toy_wake', '+\ttoy_settle(toy);'),
    ];
    expect(outlineOf([{ lines }])).toEqual(['toy_wake sleep - > 150..200']);
  });

  test('is given the time that each caller waited, in another file too', () => {
    const taken = (ms: number): string[] => [
      `-\tleft = wait_for_completion_timeout(&toy->done, msecs_to_jiffies(${ms}));`,
      `+\tleft = toy_finish(toy, ${ms});`,
    ];
    const made = [
      '+unsigned long toy_finish(struct toy *toy, int ms)',
      '+{',
      '+\treturn wait_for_completion_timeout(&toy->done, msecs_to_jiffies(ms));',
      '+}',
    ];
    expect(
      outlineOf([
        { lines: [...caller('toy_on', ...taken(100)), ...caller('toy_off', ...taken(250))] },
        { lines: made, file: 'drivers/toy/toy-core.c' },
      ]),
    ).toEqual([]);
  });

  test('counts fewer rounds than one of the loops that it takes the place of', () => {
    const loop = (n: number): string[] => [
      `-\ti = ${n};`,
      '-\twhile (toy_busy(toy) && (--i > 0))',
      '-\t\tudelay(1);',
      '+\ttoy_settle(toy);',
    ];
    const lines = [
      ...helper('int i = 10;', '', 'while (toy_busy(toy) && (--i > 0))', '\tudelay(1);'),
      ...caller('toy_on', ...loop(10)),
      ...caller('toy_off', ...loop(40)),
    ];
    const counts = findChanges(patchOfHunks([{ lines }]), { parser, catalogue });
    expect(counts.map((c) => [c.function, c.kind, c.before?.count, c.after?.count, c.inLoop])).toEqual([
      ['toy_off', 'retry-count', 40, 10, true],
    ]);
  });
});

describe('a helper that the patch drops', () => {
  const macro = '-#define toy_write_udelay(reg, data, us) { writel(data, reg); udelay(us); }';
  const write = (value: string, us: number): string => `-\ttoy_write_udelay(toy->base, ${value}, ${us});`;

  test('gives its wait back, by the argument that it waited by', () => {
    const lines = caller(
      'toy_on',
      write('0x20', 10),
      '+\twritel(0x20, toy->base);',
      '+\tudelay(10);',
      write('0x30', 500),
      '+\twritel(0x30, toy->base);',
      '+\tudelay(500);',
    );
    expect(outlineOf([{ lines: [macro], file: 'drivers/toy/toy.h' }, { lines }])).toEqual([]);
  });

  test('waited for less than what came in its place', () => {
    const lines = caller('toy_on', write('0x20', 10), '+\twritel(0x20, toy->base);', '+\tudelay(30);');
    expect(outlineOf([{ lines: [macro], file: 'drivers/toy/toy.h' }, { lines }])).toEqual([
      'toy_on busy 10..10 > 30..30',
    ]);
  });
});

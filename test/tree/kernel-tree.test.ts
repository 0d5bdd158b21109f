import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges, resolveChanges, type DelayChange } from '../../src/core/delay/index.js';
import { ms, us } from '../../src/core/kernel/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { openTree } from '../../src/shell/tree/index.js';
import { patchOf } from '../support/patch-text.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
const root = mkdtempSync(join(tmpdir(), 'reveille-tree-'));
const cache = join(root, 'cache');
afterAll(() => {
  parser.close();
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${lines.join('\n')}\n`);
}

put('Makefile', ['VERSION = 6', 'PATCHLEVEL = 12', 'SUBLEVEL = 3', 'EXTRAVERSION =']);
put('include/linux/toy.h', ['#define TOY_BASE 20']);
put('drivers/toy/toy.h', ['#include <linux/toy.h>', '#define TOY_STEP (TOY_BASE * 2)', '#define TOY_QUIET_WAIT 300']);
put('drivers/toy/toy.c', [
  '// Copyright 2020 Exemplar Corp',
  '#include "toy.h"',
  'static int toy_com_wait_done(struct toy *toy)',
  '{',
  '\tint i;',
  '\tfor (i = 0; i < 10; i++) {',
  '\t\tif (toy_done(toy))',
  '\t\t\treturn 0;',
  '\t\tmsleep(TOY_STEP);',
  '\t}',
  '\tudelay(TOY_QUIET_WAIT);',
  '\treturn -ETIMEDOUT;',
  '}',
]);
put('drivers/other/cousin.c', [
  '// Copyright 2021 Exemplar Corp',
  '#define COUSIN_MS 50',
  'static int cousin_com_wait_done(struct cousin *c)',
  '{',
  '\twhile (1) {',
  '\t\tif (cousin_done(c))',
  '\t\t\treturn 0;',
  '\t\tmsleep(COUSIN_MS);',
  '\t}',
  '}',
]);
put('drivers/other/quick.c', [
  '// Copyright 2021 Exemplar Corp',
  'static int quick_com_wait_done(struct quick *q)',
  '{',
  '\twhile (!quick_done(q))',
  '\t\tudelay(1);',
  '}',
]);
put('drivers/other/stranger.c', [
  '// Copyright 2021 Somebody Else',
  'static void stranger_poll(void)',
  '{',
  '\twhile (busy())',
  '\t\tmsleep(500);',
  '}',
]);

const diff = [
  ' \tfor (i = 0; i < 10; i++) {',
  ' \t\tif (toy_done(toy))',
  ' \t\t\treturn 0;',
  '-\t\tmsleep(TOY_STEP);',
  '+\t\tusleep_range(100, 200);',
  ' \t}',
];
const place = { file: 'drivers/toy/toy.c', section: 'static int toy_com_wait_done(struct toy *toy)' };

function answered(changes: readonly DelayChange[]): DelayChange[] {
  return resolveChanges(changes, openTree(root, { catalogue, hash: 'h', cache }).answer(changes));
}

describe('a kernel tree', () => {
  test('goes by the version of its Makefile', () => {
    expect(openTree(root, { catalogue, hash: 'h', cache }).version).toBe('6.12.3');
  });

  test('is refused where there is none', () => {
    expect(() => openTree(join(root, 'cache'), { catalogue, hash: 'h', cache })).toThrow(/no kernel tree/);
  });

  test('gives constants of the headers that a file includes, and with them the budget', () => {
    const read = findChanges(patchOf(diff, place), kit);
    expect(read[0]?.before?.span).toBeUndefined();
    const [change] = answered(read);
    expect(change?.before).toMatchObject({ span: { min: ms(40), max: ms(40) }, resolved: 'tree', unknown: [] });
    expect(change?.budget.before).toEqual({ min: ms(400), max: ms(400) });
  });

  test('gives a constant the unit of the call that waits by it', () => {
    const header = { file: 'drivers/toy/toy.c' };
    const read = findChanges(patchOf(['-#define TOY_QUIET_WAIT 300', '+#define TOY_QUIET_WAIT 400'], header), kit);
    expect(read[0]?.after?.span).toBeUndefined();
    expect(answered(read)[0]?.after?.span).toEqual({ min: us(400), max: us(400) });
  });

  test('names polls of the same vendor that wait as long or longer, and no others', () => {
    const [change] = answered(findChanges(patchOf(diff, place), kit));
    expect(change?.siblings).toEqual([
      { file: 'drivers/other/cousin.c', function: 'cousin_com_wait_done', text: 'msleep(COUSIN_MS)', line: 8 },
    ]);
  });

  test('keeps its index for the next time', () => {
    expect(readdirSync(cache).filter((name) => name.endsWith('.json'))).toHaveLength(1);
    rmSync(join(root, 'drivers', 'other', 'cousin.c'));
    expect(answered(findChanges(patchOf(diff, place), kit))[0]?.siblings).toHaveLength(1);
  });
});

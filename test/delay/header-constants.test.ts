import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { askedOf, findChanges, resolveChanges, type DelayChange } from '../../src/core/delay/index.js';
import { ms } from '../../src/core/kernel/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf } from '../support/patch-text.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
afterAll(() => parser.close());

const loop = ['\tfor (i = 0; i < 10; i++) {', '\t\tif (up(toy))', '\t\t\tbreak;'].map((line) => ` ${line}`);
const lines = [...loop, '-\t\tmsleep(20);', '+\t\tmsleep(PCIE_T_PVPERL_MS);', ' \t}'];

function changed(): DelayChange {
  const [change, ...others] = findChanges(patchOf(lines, { section: 'static int toy_start(struct toy *toy)' }), {
    parser,
    catalogue,
  });
  if (change === undefined || others.length > 0) throw new Error('not one change');
  return change;
}

function answered(constants: Readonly<Record<string, string>>): DelayChange | undefined {
  return resolveChanges([changed()], [{ constants, units: {}, siblings: [] }])[0];
}

describe('a constant of a shared header', () => {
  const known = { span: { min: ms(100), max: ms(100) }, resolved: 'define', unknown: [] };

  test('has its value without a tree, and comes from none', () => {
    expect(changed()).toMatchObject({ after: known, budget: { after: { min: ms(1000), max: ms(1000) } } });
  });

  test('is asked of a tree all the same, and what the tree says counts', () => {
    expect(askedOf(changed()).names).toEqual(['PCIE_T_PVPERL_MS']);
    expect(answered({ PCIE_T_PVPERL_MS: '50' })).toMatchObject({
      after: { span: { min: ms(50), max: ms(50) }, resolved: 'tree' },
      budget: { before: { min: ms(200), max: ms(200) }, after: { min: ms(500), max: ms(500) } },
    });
  });

  test('stays what it was where the tree does not know it', () => {
    expect(answered({})).toMatchObject({ after: known, budget: { after: { min: ms(1000), max: ms(1000) } } });
  });
});

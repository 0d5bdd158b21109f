import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';
import { patchOf } from '../support/patch-text.js';

const kit = { catalogue: loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays')) };

function pathIn(name: string, options: { file?: string; title?: string; lines?: readonly string[] } = {}) {
  const { lines = [], ...rest } = options;
  const diff = [' \ttoy_go(toy);', '-\tmsleep(10);', '+\tmsleep(20);', ...lines];
  return findChanges(patchOf(diff, { section: `static int ${name}(struct toy *toy)`, ...rest }), kit)[0]?.path;
}

describe('the path of a wait', () => {
  test('is told by a word of the function, with the rule that says so', () => {
    expect(pathIn('toy_probe')).toMatchObject({ is: 'probe', by: '"probe" in the name' });
    expect(pathIn('toy_resume')).toMatchObject({ is: 'resume' });
    expect(pathIn('toy_flush_tx')).toMatchObject({ is: 'runtime' });
  });

  test('is starting up where a reset line is released, whatever the word "reset" says', () => {
    expect(pathIn('toy_deassert_reset')).toMatchObject({ is: 'probe' });
    expect(pathIn('toy_reset')).toMatchObject({ is: 'reset' });
  });

  test('is that of a caller in sight where the name says nothing', () => {
    const lines = [
      ' \treturn 0;',
      ' }',
      ' ',
      ' static int toy_resume(struct toy *toy)',
      ' {',
      ' \ttoy_settle(toy);',
      ' }',
    ];
    expect(pathIn('toy_settle', { lines })).toMatchObject({ is: 'resume', by: 'toy_resume() calls it' });
  });

  test('is what is true of most such functions of a folder, and less sure', () => {
    const path = pathIn('toy_settle', { file: 'drivers/clk/toy.c' });
    expect(path).toMatchObject({ is: 'runtime', by: '89 % of such functions in clk/ are not reached from a probe' });
    expect(path?.sure).toBeLessThan(0.5);
  });

  test.each([
    ['toy_firmware_update_store', 'runtime', 'called as "store"'],
    ['toy_setup_irq', 'runtime', 'called as "irq"'],
    ['toy_pme_turnoff', 'runtime', '"turnoff" in the name'],
    ['toy_probe1', 'probe', '"probe" in the name'],
    ['toy_vdd_power_up', 'probe', 'brings a device up'],
  ])('of %s is %s', (name, is, by) => {
    expect(pathIn(name)).toMatchObject({ is, by });
  });

  test('is not a reset where the subject speaks of the line that holds a device in reset', () => {
    expect(pathIn('toy_settle', { title: 'toy: add reset gpio' })?.is).toBe('runtime');
    expect(pathIn('toy_settle', { title: 'toy: wait longer after a function reset' })?.is).toBe('reset');
  });

  test('is, with nothing else to go by, what is true of most functions that wait and are named alike', () => {
    expect(pathIn('toy_settle')).toMatchObject({
      is: 'runtime',
      by: '84 % of waiting functions with no word of start-up, resume or reset in their names run in use',
    });
    expect(pathIn('toy_check_fifo')?.by).toContain('68 % of waiting functions with "check"');
  });

  test('is unknown where neither name, message nor folder tells', () => {
    expect(pathIn('toy_settle', { file: 'toys/toy.c' })).toEqual({
      is: 'unknown',
      by: 'neither name, message nor folder tells',
      sure: 0,
    });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/shell/config/index.js';
import { simulate, simulateCommand } from '../../../src/shell/cli/simulate.js';

const root = join(import.meta.dirname, '..', '..', '..');
const usual = { before: 'msleep(100)', after: 'usleep_range(1000, 2000)', waits: '1', seed: '1', format: 'text' };

function schema(name: string): object {
  return JSON.parse(readFileSync(join(root, 'config', 'schema', name), 'utf8')) as object;
}

describe('reveille simulate', () => {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  ajv.addSchema(schema('estimate.json'));
  const validate = ajv.compile(schema('reveille.simulate.v1.json'));

  test.each([
    ['msleep(100)', 'usleep_range(1000, 2000)'],
    ['msleep(5)', 'exponential 100us..5ms'],
    ['readl_poll_timeout(reg, v, c, 10, 1000)', 'readl_poll_timeout_atomic(reg, v, c, 10, 1000)'],
    ['schedule_timeout_uninterruptible(HZ / 10)', 'fsleep(50)'],
    ['udelay(10)', 'linear 1us..1ms'],
  ])('%s to %s fits the contract', (before, after) => {
    const text = simulate({ ...usual, before, after, format: 'json' });
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
  });

  test('its text is no wider than 72 columns and says what it assumes', () => {
    const text = simulate({ ...usual, hz: '250', kernel: '6.1', ready: '200us', devices: '32' });
    expect(Math.max(...text.split('\n').map((l) => l.length))).toBeLessThanOrEqual(72);
    expect(text).toContain('hz (flag): 250');
    expect(text).toContain('ready (flag): 200 us');
  });

  test('the numbers of the text are those of the estimate', () => {
    const asked = { ...usual, hz: '250', kernel: '6.1', ready: '200us' };
    const { estimates } = JSON.parse(simulate({ ...asked, format: 'json' })) as {
      estimates: { savedUs: Record<'min' | 'likely' | 'max', number> }[];
    };
    const saved = /^saved +(\S+) ms +(\S+) ms +(\S+) ms$/m.exec(simulate(asked)) ?? [];
    const wanted = estimates[0]?.savedUs;
    expect(saved.slice(1).map(Number)).toEqual(
      [wanted?.min, wanted?.likely, wanted?.max].map((n) => Number(((n ?? NaN) / 1e3).toPrecision(3))),
    );
  });

  test('one HTML file holds the plot, without scripts and without links', () => {
    const html = simulate({ ...usual, before: 'msleep(1 + 2)', format: 'html' });
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/<script|https?:|src=/);
  });

  test('a device that is ready at once makes no difference', () => {
    const text = simulate({ ...usual, ready: '0us', format: 'json' });
    expect(text).toMatch(/"savedUs": \{\s+"min": 0,\s+"likely": 0,\s+"max": 0/);
  });

  test('equal questions get equal bytes', () => {
    expect(simulate(usual)).toBe(simulate(usual));
  });

  test('a device that never answers costs the loop its bound', () => {
    const text = simulate({ ...usual, before: 'msleep(1)', rounds: '100', ready: 'never', hz: '250', kernel: '6.1' });
    expect(text).toContain('gives up after 1.2 s, with the change after 200 ms');
    expect(text).toContain('ready (flag): never');
    const timed = simulate({ ...usual, timeout: '500ms', ready: 'never', format: 'json' });
    const { estimates } = JSON.parse(timed) as { estimates: { neverUs: { before: number } }[] };
    expect(estimates[0]?.neverUs.before).toBeGreaterThanOrEqual(500_000);
  });

  test('a busy CPU costs a driver that polls often more than one that sleeps long', () => {
    const asked = { ...usual, hz: '250', kernel: '6.1', ready: '300us', waits: '4', format: 'json' };
    const after = (load: string): { afterUs: number; assumed: unknown[] } => {
      const { estimates } = JSON.parse(simulate({ ...asked, load, ...(load === 'busy' ? { cpus: '1' } : {}) })) as {
        estimates: { after: { maxUs: number }; assumptions: { name: string; value: unknown }[] }[];
      };
      const named = estimates[0]?.assumptions.filter((a) => a.name === 'load') ?? [];
      return { afterUs: estimates[0]?.after.maxUs ?? NaN, assumed: named };
    };
    const [idle, busy] = [after('idle'), after('busy')];
    expect(idle.assumed).toEqual([]);
    expect(busy.assumed).toHaveLength(1);
    expect(busy.afterUs).toBeGreaterThan(idle.afterUs + 1_000);
  });

  test('on a busy CPU too, a change of nothing saves exactly nothing', () => {
    const text = simulate({ ...usual, after: usual.before, load: 'busy', format: 'json' });
    expect(text).toMatch(/"savedUs": \{\s+"min": 0,\s+"likely": 0,\s+"max": 0/);
  });

  test.each([
    [{ ready: 'never' }, /nothing ends these loops/],
    [{ rounds: '5', timeout: '1s' }, /one of them/],
    [{ rounds: '0' }, /whole number/],
    [{ timeout: '-1s' }, /not a time/],
    [{ load: 'busy', cpus: '0' }, /whole number/],
    [{ cpus: '4' }, /--load busy/],
    [{ load: 'busy', after: 'udelay(1)', ready: '10s' }, /turns/],
    [{ hz: '7' }, /HZ is 24 to 1200/],
    [{ hz: 'NaN' }, /whole number/],
    [{ before: 'msleep(-5)' }, /negative/],
    [{ after: 'snooze(5)' }, /unknown call snooze/],
    [{ ready: '-3ms' }, /not a time/],
    [{ ready: '5' }, /not a time/],
    [{ waits: '0' }, /whole number/],
    [{ devices: 'many' }, /whole number/],
    [{ kernel: 'latest' }, /not a version/],
    [{ seed: '-1' }, /whole number/],
  ])('%j is refused in words, with status 2', (wrong, words) => {
    let caught: unknown;
    try {
      simulate({ ...usual, ...wrong });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(Failure);
    expect(caught).toMatchObject({ exit: 2 });
    expect(String(caught)).toMatch(words);
  });

  test('the slowest questions are answered by counting turns, not by walking them', () => {
    const text = simulate({ ...usual, after: 'udelay(1)', ready: '3600s', waits: '10', format: 'json' });
    expect(JSON.parse(text)).toMatchObject({ schema: 'reveille.simulate.v1' });
  });

  test('the command has the options that the documents name', () => {
    const flags = simulateCommand().options.map((o) => o.long);
    for (const flag of [
      '--before',
      '--after',
      '--ready',
      '--waits',
      '--devices',
      '--hz',
      '--kernel',
      '--load',
      '--rounds',
      '--timeout',
      '--cpus',
      '--seed',
      '--format',
    ]) {
      expect(flags).toContain(flag);
    }
  });
});

import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges, type DelayChange } from '../../src/core/delay/index.js';
import { ms, seconds, us, type Ns } from '../../src/core/kernel/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());

const section = 'static int toy_start(struct toy *toy)';

function changesIn(lines: readonly string[], options: { section?: string; file?: string; title?: string } = {}) {
  return findChanges(patchOf(lines, { section, ...options }), kit);
}

/** `kind before > after`, times in microseconds. */
function outline(changes: readonly DelayChange[]): string[] {
  return changes.map((c) => `${c.kind} ${timesOf(c.before)} > ${timesOf(c.after)}`);
}

function exactly(time: Ns): { min: Ns; max: Ns } {
  return { min: time, max: time };
}

describe('a deadline that is worked out where it is tested', () => {
  test.each([
    ['time_before(jiffies, start + 2 * HZ)', 'time_before(jiffies, start + 5 * HZ)', seconds(2), seconds(5)],
    ['time_is_after_jiffies(t + HZ / 10)', 'time_is_after_jiffies(t + HZ / 2)', ms(100), ms(500)],
    ['ktime_us_delta(ktime_get(), t) < 100', 'ktime_us_delta(ktime_get(), t) < 900', us(100), us(900)],
    ['jiffies_to_msecs(jiffies - t) < 30', 'jiffies_to_msecs(jiffies - t) < 40', ms(30), ms(40)],
  ])('%s', (old, fresh, before, after) => {
    const [change, ...more] = changesIn([
      `-\twhile (${old}) {`,
      `+\twhile (${fresh}) {`,
      ' \t\tif (toy_ready(toy))',
      ' \t\t\treturn 0;',
      ' \t}',
    ]);
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      kind: 'poll-timeout',
      effect: 'changed',
      before: { span: exactly(before) },
      after: { span: exactly(after) },
    });
  });

  test('that comes or goes with the rest of a loop is no change of its own', () => {
    expect(changesIn(['-\tif (time_after(jiffies, start + HZ))', '-\t\treturn -EIO;', ' \ttoy_go(toy);'])).toEqual([]);
  });
});

describe('a bound that is handed to a function of the driver', () => {
  test('is read where it is a time', () => {
    const found = changesIn(['-\tret = toy_command(toy, cmd, 5 * HZ);', '+\tret = toy_command(toy, cmd, 30 * HZ);']);
    expect(outline(found)).toEqual(['poll-timeout 5000000..5000000 > 30000000..30000000']);
  });

  test('has no unit where nothing names one', () => {
    const found = changesIn(['-\tret = toy_wait_ready(toy, 500);', '+\tret = toy_wait_ready(toy, 900);']);
    expect(outline(found)).toEqual(['poll-timeout ? > ?']);
  });

  test('is none where another argument changed, too', () => {
    expect(changesIn(['-\tret = toy_wait_bit(toy, A, 500);', '+\tret = toy_wait_bit(toy, B, 500);'])).toEqual([]);
  });
});

describe('a variable', () => {
  test('that is set to one of two values spans both', () => {
    const lines = [
      '-\tmsleep(100);',
      '+\tif (toy->old)',
      '+\t\twait = 100;',
      '+\telse',
      '+\t\twait = 20;',
      '+\tmsleep(wait);',
    ];
    expect(outline(changesIn(lines))).toEqual(['sleep 100000..100000 > 20000..100000']);
  });

  test('that is a parameter has the values of the calls in sight', () => {
    const lines = [
      '-static void toy_reset(struct toy *toy)',
      '+static void toy_reset(struct toy *toy, unsigned int wait)',
      ' {',
      '-\tmsleep(10);',
      '+\tmsleep(wait);',
      ' }',
      ' ',
      ' static int toy_probe(struct toy *toy)',
      ' {',
      '-\ttoy_reset(toy);',
      '+\ttoy_reset(toy, 30);',
      ' }',
    ];
    expect(outline(changesIn(lines, { section: '' }))).toEqual(['sleep 10000..10000 > 30000..30000']);
  });

  test('that is cut down by a mask or a remainder is no more than that', () => {
    expect(outline(changesIn(['-\tmsleep(10);', '+\tmsleep(5 * (toy->slot & 0x07));']))).toEqual([
      'sleep 10000..10000 > 0..35000',
    ]);
  });
});

describe('a constant', () => {
  test('without a unit has the one that constants of its kind and size mostly have, as a guess', () => {
    const [change] = changesIn(['-#define TOY_TIMEOUT 1000', '+#define TOY_TIMEOUT 4000'], { section: '' });
    expect(change?.after).toMatchObject({ span: exactly(seconds(4)), resolved: 'no', question: { unit: 'by-use' } });
  });

  test('of which nothing can be said has no value', () => {
    const [change] = changesIn(['-#define TOY_DELAY 20', '+#define TOY_DELAY 40'], { section: '' });
    expect(change?.after?.span).toBeUndefined();
  });

  test('that a command waits by is told from the number of a command', () => {
    expect(
      changesIn(['-#define TOY_CMD_TIMEOUT_MS 250', '+#define TOY_CMD_TIMEOUT_MS 500'], { section: '' }),
    ).toHaveLength(1);
    expect(changesIn(['-#define TOY_TIMEOUT_CMD 25', '+#define TOY_TIMEOUT_CMD 50'], { section: '' })).toEqual([]);
  });

  test('of another file is seen by the waits of this one', () => {
    const found = findChanges(
      patchOfHunks([
        { file: 'drivers/toy/toy.h', lines: [' #define TOY_A 1', '-#define TOY_USEC 100', ' #define TOY_B 2'] },
        { file: 'drivers/toy/toy.c', section, lines: ['-\tudelay(TOY_USEC);', '+\tudelay(100);'] },
      ]),
      kit,
    );
    expect(found).toEqual([]);
  });

  test('that comes alone beside a changed wait is one more change', () => {
    const found = findChanges(
      patchOfHunks([
        { file: 'drivers/toy/toy.h', lines: [' #define TOY_A 1', '+#define TOY_MAX_POLL_MS 800', ' #define TOY_B 2'] },
        { file: 'drivers/toy/toy.c', section, lines: ['-\tmsleep(20);', '+\tmsleep(30);'] },
      ]),
      kit,
    );
    expect(outline(found)).toEqual(['constant - > 800000..800000', 'sleep 20000..20000 > 30000..30000']);
  });

  test('that became a least and a most spans both', () => {
    const lines = ['-#define TOY_POLL_MS 5', '+#define TOY_MIN_POLL_US 100', '+#define TOY_MAX_POLL_US 4000'];
    expect(outline(changesIn(lines, { section: '' }))).toEqual(['constant 5000..5000 > 100..4000']);
  });
});

test('a member of a record of delays is a constant', () => {
  const lines = [' \t.delay = {', '-\t\t.prepare = 100,', '+\t\t.prepare = 200,', ' \t\t.enable = 50,', ' \t},'];
  const found = changesIn(lines, { section: 'static const struct panel_desc toy_panel = {' });
  expect(found.map((c) => `${c.kind} ${c.after?.text ?? ''}`)).toEqual(['constant .prepare = 200']);
});

test('the last line of a call may change alone', () => {
  const lines = [
    ' \tret = usb_bulk_msg(dev, pipe, buf, len,',
    '-\t\t\t   &actual, 1000);',
    '+\t\t\t   &actual, 5000);',
  ];
  expect(outline(changesIn(lines))).toEqual(['poll-timeout 1000000..1000000 > 5000000..5000000']);
});

test('a wait that a new helper took over is one change', () => {
  const lines = [
    '+static void toy_settle(struct toy *toy)',
    '+{',
    '+\tusleep_range(100, 200);',
    '+}',
    '+',
    ' static int toy_start(struct toy *toy)',
    ' {',
    ...Array.from({ length: 20 }, (_, i) => ` \ttoy_write(toy, ${i});`),
    '-\tudelay(500);',
    '+\ttoy_settle(toy);',
    ' }',
  ];
  expect(outline(changesIn(lines, { section: '' }))).toEqual(['sleep 500..500 > 100..200']);
});

test('a timer that is armed for a timeout is a bound', () => {
  const lines = ['-\tmod_timer(&toy->timer, jiffies + HZ);', '+\tmod_timer(&toy->timer, jiffies + toy->cmd_timeout);'];
  expect(changesIn(lines).map((c) => c.kind)).toEqual(['poll-timeout']);
});

test('a sleep that takes the place of cpu_relax() is a change, not a new wait', () => {
  const lines = [' \twhile (!toy_ready(toy)) {', '-\t\tcpu_relax();', '+\t\tusleep_range(10, 20);', ' \t}'];
  expect(outline(changesIn(lines))).toEqual(['sleep ? > 10..20']);
  expect(changesIn(lines)[0]?.before?.text).toBe('cpu_relax()');
  const back = [' \twhile (!toy_ready(toy)) {', '-\t\tusleep_range(10, 20);', '+\t\tcpu_relax();', ' \t}'];
  expect(changesIn(back)[0]?.after?.text).toBe('cpu_relax()');
  expect(changesIn([' \twhile (!toy_ready(toy)) {', '+\t\tcpu_relax();', ' \t}'])).toEqual([]);
});

test('a helper that starts at its cap waits that long from the first step', () => {
  const helper = [
    '+static void toy_backoff_us(u32 exp, u32 delay)',
    '+{',
    '+\tdelay = min_t(u32, TOY_CAP_US, TOY_CAP_US * (1U << exp));',
    '+\tusleep_range(delay, 2 * delay);',
    '+}',
  ];
  const found = changesIn(['+#define TOY_CAP_US 3000', ...helper, ' '], { section: '' });
  expect(outline(found)).toEqual(['sleep - > 3000..6000']);
});

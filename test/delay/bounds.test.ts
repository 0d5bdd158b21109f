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

/** `effect kind before > after`: times in microseconds, counts as they are. */
function outline(changes: readonly DelayChange[]): string[] {
  const of = (w: DelayChange['before']): string => (w?.count === undefined ? timesOf(w) : `x${w.count}`);
  return changes.map((c) => `${c.effect} ${c.kind} ${of(c.before)} > ${of(c.after)}`);
}

function outlineOf(lines: readonly string[], title = 'toy: mend the start'): string[] {
  return outline(findChanges(patchOf(lines, { section, title }), kit));
}

describe('a deadline that comes', () => {
  test('into a loop that nothing ended is told, in the loop', () => {
    const found = findChanges(
      patchOf(
        [
          '+\tunsigned long end = jiffies + msecs_to_jiffies(1000);',
          ' ',
          ' \tfor (v = peek(toy); v != 0; v = peek(toy)) {',
          ' \t\tpoke(toy);',
          '+\t\tif (time_after(jiffies, end))',
          '+\t\t\treturn -ETIMEDOUT;',
          ' \t}',
        ],
        { section },
      ),
      kit,
    );
    expect(outline(found)).toEqual(['added poll-timeout - > 1000000..1000000']);
    expect(found[0]).toMatchObject({ inLoop: true, function: 'toy_start' });
  });

  test('with the loop that it ends is told beside the wait', () => {
    const lines = [
      ' \tkick(toy);',
      '+\tend = jiffies + HZ / 2;',
      '+\twhile (time_before(jiffies, end)) {',
      '+\t\tif (ready(toy))',
      '+\t\t\treturn 0;',
      '+\t\tmsleep(10);',
      '+\t}',
    ];
    expect(outlineOf(lines)).toEqual(['added poll-timeout - > 500000..500000', 'added sleep - > 10000..10000']);
  });

  test('in the place of a count is one change with it', () => {
    const lines = [
      '-\tint n = 0;',
      '+\tunsigned long end = jiffies + toy->limit;',
      ' ',
      ' \tdo {',
      ' \t\tusleep_range(250, 500);',
      ' \t\tv = peek(toy);',
      '-\t} while (v && n++ < 400);',
      '+\t} while (v && time_is_after_jiffies(end));',
    ];
    expect(outlineOf(lines)).toEqual(['changed poll-timeout ? > ?']);
  });

  test('by a polling call is told where the loop before had no end', () => {
    const lines = [
      '-\twhile (!(readl(toy->io) & DONE))',
      '-\t\tudelay(10);',
      '+\terr = readl_poll_timeout_atomic(toy->io, v, v & DONE, 10, 1000);',
    ];
    expect(outlineOf(lines)).toEqual(['added poll-timeout - > 1000..1000']);
  });
});

describe('a number of tries', () => {
  test('is read where it is tested outside a loop', () => {
    expect(outlineOf(['-\t\tif (++toy->retries > 3)', '+\t\tif (++toy->retries > 10)', ' \t\t\treturn -EIO;'])).toEqual(
      ['changed retry-count x3 > x10'],
    );
  });

  test('is no new condition of the wait that it guards', () => {
    const lines = ['-\tif (retry++ < 3) {', '+\tif (retry++ < 5) {', ' \t\tmsleep(10);', ' \t\tgoto again;', ' \t}'];
    expect(outlineOf(lines)).toEqual(['changed retry-count x3 > x5']);
  });

  test('is read where only its start is in the hunk', () => {
    expect(outlineOf(['-\tint tries = 10;', '+\tint tries = 100;', ' \tu32 v;'])).toEqual([
      'changed retry-count x10 > x100',
    ]);
    expect(
      outlineOf([
        '-\tu8 retries = 3;',
        '+\tu8 retries = 5;',
        ' ',
        ' \tdo {',
        ' \t\terr = send(toy);',
        ' \t} while (err && --retries);',
      ]),
    ).toEqual(['changed retry-count x3 > x5']);
  });

  test('is read in a loop of which the wait is out of sight, where the subject speaks of waiting', () => {
    const lines = [
      ' \tkick(toy);',
      '-\tfor (i = 0; i < 10; i++) {',
      '+\tfor (i = 0; i < 100; i++) {',
      ' \t\tv = peek(toy);',
    ];
    expect(outlineOf(lines, 'toy: wait longer')).toEqual(['changed retry-count x10 > x100']);
    expect(outlineOf(lines, 'toy: read all of the table')).toEqual([]);
  });

  test('of a loop that is laid round what was there is told', () => {
    const lines = [
      '+\tint most = 3;',
      '+',
      '-\tif (!wait_event_timeout(toy->wq, toy->done, 5 * HZ))',
      '-\t\terr = -ETIMEDOUT;',
      '-\tif (err) {',
      '-\t\tgoto out;',
      '+\tfor (; most != 0; most--) {',
      '+\t\tif (!wait_event_timeout(toy->wq, toy->done, 5 * HZ))',
      '+\t\t\terr = -ETIMEDOUT;',
      '+\t\tif (err)',
      '+\t\t\tgoto out;',
      ' \t}',
    ];
    expect(outlineOf(lines)).toEqual(['added retry-count - > x3']);
  });

  test('that comes into a loop which nothing ended is told', () => {
    const lines = [
      ' \tu32 most = n;',
      '+\tu32 retries = 1000;',
      ' ',
      ' \twhile (!peek(toy)) {',
      '-\t\tif (!wait)',
      '+\t\tif (!wait || !retries)',
      ' \t\t\treturn 0;',
      '+\t\tusleep_range(30, 60);',
      '+\t\tretries--;',
      ' \t}',
    ];
    expect(outlineOf(lines)).toEqual(['added retry-count - > x1000', 'added sleep - > 30..60']);
  });

  test('is read in the test at the end of a loop of which the head is out of sight', () => {
    const tail = [' \t\tif (peek(toy))', ' \t\t\tbreak;', ' \t\tudelay(10);'];
    expect(outlineOf([...tail, '-\t} while (++i < 100);', '+\t} while (++i < 1000);'])).toEqual([
      'changed retry-count x100 > x1000',
    ]);
    expect(
      outlineOf([' \t\tudelay(10);', '-\t\tif (++i > 100)', '+\t\tif (++i > 1000)', ' \t\t\tbreak;', ' \t}']),
    ).toEqual(['changed retry-count x101 > x1001']);
  });

  test('and the variable that it comes from are one change', () => {
    const lines = [
      '-\tint i, most_tries = 10;',
      '+\tint i, most_tries = 20;',
      ' ',
      ' \tfor (i = 0; i < most_tries; i++) {',
      ' \t\tif (peek(toy))',
      ' \t\t\tbreak;',
      ' \t\tmsleep(1);',
      ' \t}',
    ];
    expect(outlineOf(lines)).toEqual(['changed retry-count x10 > x20']);
  });

  test('is the same where the loop leaves when it is through', () => {
    const lines = [
      '-\twhile (left-- && busy(toy))',
      '-\t\tmsleep(1);',
      '+\twhile (1) {',
      '+\t\tif (!busy(toy))',
      '+\t\t\tbreak;',
      '+\t\tif (!left--)',
      '+\t\t\treturn -EIO;',
      '+\t\tmsleep(1);',
      '+\t}',
    ];
    expect(outlineOf(lines)).toEqual([]);
  });

  test('is read in the argument of a call', () => {
    expect(
      outlineOf(['-\terr = mmc_wait_for_cmd(host, &cmd, 0);', '+\terr = mmc_wait_for_cmd(host, &cmd, TOY_RETRIES);']),
    ).toEqual(['changed retry-count x0 > ?']);
  });
});

describe('the one argument that two calls differ in', () => {
  test('is a bound where a constant becomes a member that is named for one', () => {
    const lines = ['-\terr = toy_request(ctl, req, TOY_TIMEOUT);', '+\terr = toy_request(ctl, req, ctl->timeout_ms);'];
    expect(outlineOf(lines)).toEqual(['changed poll-timeout ? > ?']);
  });

  test('is a bound in the unit of the parameter that the mail shows', () => {
    const hunks = [
      { lines: [' static int toy_delay_go(struct toy *toy, int limit_ms)', ' {', ' \tint v;', '+\tint w;', ' }'] },
      { lines: ['-\terr = toy_delay_go(toy, 20);', '+\terr = toy_delay_go(toy, 50);'], section },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toEqual([
      'changed poll-timeout 20000..20000 > 50000..50000',
    ]);
  });

  test('is no bound where it names a register, or where the old name was given the new one', () => {
    expect(outlineOf(['-\ttoy_set(toy, TOY_ARG(PA_MODE), 1);', '+\ttoy_set(toy, TOY_ARG(PA_TIMEOUT), 1);'])).toEqual(
      [],
    );
    const hunks = [
      {
        lines: [
          ' static int toy_do(struct toy *toy, int timeout_ms)',
          ' {',
          '-\treturn toy_wait_on(toy, timeout_ms);',
          '+\treturn toy_wait_on(toy, TOY_TIMEOUT_MS);',
          ' }',
        ],
      },
      { lines: ['-\ttoy_do(toy, TOY_TIMEOUT_MS);', '+\ttoy_do(toy);'], section },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toEqual([]);
  });
});

describe('a wait that stays', () => {
  const wait = ' \ttoy_set(toy, 1);';
  test('is changed where the condition about it goes or comes', () => {
    expect(
      outlineOf([wait, '-\tif (toy->slow)', '-\t\tmsleep(100);', '+\tmsleep(100);', ' \ttoy_set(toy, 0);']),
    ).toEqual(['guard sleep 0..100000 > 100000..100000']);
    expect(
      outlineOf([wait, '-\tmsleep(100);', '+\tif (toy->slow)', '+\t\tmsleep(100);', ' \ttoy_set(toy, 0);']),
    ).toEqual(['guard sleep 100000..100000 > 0..100000']);
  });

  test('is not where the condition holds more than it, or an early return does what the condition did', () => {
    expect(
      outlineOf([
        '-\ttoy_set(toy, 1);',
        '-\tmsleep(100);',
        '-\ttoy_set(toy, 0);',
        '+\tif (toy->gpio) {',
        '+\t\ttoy_set(toy, 1);',
        '+\t\tmsleep(100);',
        '+\t\ttoy_set(toy, 0);',
        '+\t}',
      ]),
    ).toEqual([]);
    expect(
      outlineOf(['-\tif (toy->slow)', '-\t\tmsleep(100);', '+\tif (!toy->slow)', '+\t\treturn 0;', '+\tmsleep(100);']),
    ).toEqual([]);
  });

  test('is not changed by a condition of its like in another file', () => {
    const hunks = [
      { lines: [' void toy_a(void)', ' {', '-\tmsleep(10);', ' }'], file: 'drivers/toy/a.c' },
      { lines: [' void toy_b(int slow)', ' {', '+\tif (slow)', '+\t\tmsleep(10);', ' }'], file: 'drivers/toy/b.c' },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit)).filter((o) => o.startsWith('guard'))).toEqual([]);
  });

  test('for each of several things is not replaced by one outside the loop', () => {
    const lines = [
      ' \tfor (i = 0; i < toy->ports; i++) {',
      ' \t\tpower(toy, i);',
      '-\t\tmsleep(200);',
      ' \t}',
      '+\tmsleep(20);',
    ];
    expect(outlineOf(lines)).toEqual(['removed sleep 200000..200000 > -', 'added sleep - > 20000..20000']);
  });
});

describe('a value that nobody can tell', () => {
  test('changes with a least or a most that is put to it', () => {
    expect(
      outlineOf(['-\tmsleep(2000000 / rate + 1);', '+\tnap = max(2000000 / rate + 1, 10);', '+\tmsleep(nap);']),
    ).toEqual(['changed sleep ? > ?']);
  });

  test('changes with the constant, where the old one stays beside the new', () => {
    const hunks = [
      { lines: [' #define TOY_ACK_TIMEOUT 30', '+#define TOY_STOP_TIMEOUT 120'], file: 'drivers/toy/toy.h' },
      { lines: ['-\ttimeout = TOY_ACK_TIMEOUT * 10;', '+\ttimeout = TOY_STOP_TIMEOUT * 10;'], section },
    ];
    expect(outline(findChanges(patchOfHunks(hunks), kit))).toEqual(['changed poll-timeout ? > ?']);
  });

  test('changes with a ktime that is added as microseconds', () => {
    expect(
      outlineOf([
        '-\tend = ktime_add_us(ktime_get(), ms_to_ktime(most));',
        '+\tend = ktime_add_ms(ktime_get(), most);',
      ]),
    ).toEqual(['changed poll-timeout ? > ?']);
  });
});

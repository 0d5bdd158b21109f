import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';
import { timesOf } from '../support/times.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
afterAll(() => parser.close());

const section = 'static int toy_start(struct toy *toy)';

/** `effect kind before > after`, times in microseconds, counts of rounds. */
function outlineOf(patches: ReturnType<typeof patchOf>): string[] {
  return findChanges(patches, { parser, catalogue }).map(
    (c) => `${c.effect} ${c.kind} ${c.before?.count ?? timesOf(c.before)} > ${c.after?.count ?? timesOf(c.after)}`,
  );
}

const inStart = (...lines: string[]): string[] => outlineOf(patchOf(lines, { section }));

describe('code that is written another way', () => {
  test('waits in both branches of an `if` as it waited before it', () => {
    const lines = [
      ' \tif (toy->is_old) {',
      ' \t\ttoy_write(toy, TOY_LATCH);',
      '-\t}',
      '-\ttoy_write(toy, TOY_ON);',
      '-\tudelay(10);',
      '+\t\ttoy_write(toy, TOY_ON);',
      '+\t\tudelay(10);',
      '+\t} else {',
      '+\t\ttoy_write(toy, TOY_ON);',
      '+\t\tudelay(10);',
      '+\t}',
      ' \ttoy->is_on = true;',
    ];
    expect(inStart(...lines)).toEqual([]);
  });

  test('waits in one branch only, and that is told', () => {
    const lines = [
      ' \tif (toy->is_old) {',
      ' \t\ttoy_write(toy, TOY_LATCH);',
      '-\t}',
      '-\ttoy_write(toy, TOY_ON);',
      '-\tudelay(10);',
      '+\t\ttoy_write(toy, TOY_ON);',
      '+\t\tudelay(10);',
      '+\t} else {',
      '+\t\ttoy_write(toy, TOY_ON);',
      '+\t}',
      ' \ttoy->is_on = true;',
    ];
    expect(inStart(...lines)).toEqual(['guard busy 10..10 > 0..10']);
  });

  test('polls with the interval and the bound that the loop was given', () => {
    const lines = [
      '-\tdo {',
      '-\t\tif (readl(toy->base) == done)',
      '-\t\t\treturn 0;',
      '-\t\tudelay(step);',
      '-\t\tmost -= step;',
      '-\t} while (most > 0);',
      '-\treturn -ETIMEDOUT;',
      '+\treturn readl_poll_timeout_atomic(toy->base, value, value == done, step, most);',
    ];
    expect(inStart(...lines)).toEqual([]);
  });

  test('polls by a macro of its own, another time apart', () => {
    const lines = [
      '-\tdo {',
      '-\t\tif (toy_ready(toy))',
      '-\t\t\tbreak;',
      '-\t\tusleep_range(10, 20);',
      '-\t} while (ktime_before(ktime_get(), end));',
      '+\tret = toy_read_poll_timeout(toy, TOY_STATE, value, value & TOY_READY, 40, 5000);',
    ];
    expect(inStart(...lines)).toContain('changed poll-interval 10..20 > 40..40');
  });

  test('counts tries where another loop copied data: the tries are new', () => {
    const lines = [
      '-\tfor (i = 0; i < length; i++)',
      '-\t\tdata[i] = toy_read(toy);',
      '+\tdo {',
      '+\t\tif (toy_ready(toy))',
      '+\t\t\treturn 0;',
      '+\t\tusleep_range(500, 505);',
      '+\t} while (++tries < 3);',
    ];
    expect(inStart(...lines)).toEqual(['added sleep - > 500..505', 'added retry-count - > 3']);
  });
});

describe('an argument is no bound', () => {
  test('where a time that is read is converted', () => {
    const lines = ['-\tset_bound(desc, cmd->request->timeout / HZ);', '+\tset_bound(desc, toy_rq(cmd)->timeout / HZ);'];
    expect(inStart(...lines)).toEqual([]);
  });

  test('where it is an address', () => {
    expect(inStart('-\ttoy_poll_done(rq, &wait);', '+\ttoy_poll_done(rq, &wait.done);')).toEqual([]);
  });

  test('where it is a text', () => {
    const lines = [
      '-\tTOY_SAY(say(KERN_INFO "jiffies = %lx, HZ = %d\\n", jiffies, cmd->timeout));',
      '+\tTOY_SAY(say(KERN_INFO "jiffies = %lx, HZ = %d\\n", jiffies, toy_rq(cmd)->timeout));',
    ];
    expect(inStart(...lines)).toEqual([]);
  });
});

describe('constants', () => {
  test('that are given their unit in a block keep their numbers', () => {
    const lines = [
      '-#define TOY_RESET_DELAY 20',
      '-#define TOY_ATTACH_TIMEOUT 500',
      '-#define TOY_DETACH_TIMEOUT 100',
      '+#define TOY_RESET_DELAY_MS 20',
      '+#define TOY_ATTACH_TIMEOUT_MS 500',
      '+#define TOY_DETACH_TIMEOUT_MS 100',
    ];
    const used = (unit: string): string[] => [
      `msleep(TOY_RESET_DELAY${unit});`,
      `left = wait_for_completion_timeout(&toy->gone, msecs_to_jiffies(TOY_DETACH_TIMEOUT${unit}));`,
      `left = wait_for_completion_timeout(&toy->here, msecs_to_jiffies(TOY_ATTACH_TIMEOUT${unit}));`,
    ];
    const code = [...used('').map((l) => `-\t${l}`), ...used('_MS').map((l) => `+\t${l}`)];
    expect(outlineOf(patchOfHunks([{ lines }, { lines: code, section, oldStart: 200 }]))).toEqual([]);
  });

  test('have the unit that makes the number and its remark one', () => {
    const lines = [
      '-#define TOY_CLEAN_TIMEOUT (120 * 1000) /* 120s */',
      '+#define TOY_CLEAN_TIMEOUT (240 * 1000) /* 240s */',
    ];
    expect(outlineOf(patchOf(lines))).toEqual(['changed constant 120000000..120000000 > 240000000..240000000']);
  });
});

describe('new constants', () => {
  const beside = ['-\tmsleep(1);', '+\tmsleep(2);'];
  const added = (define: string): string[] =>
    outlineOf(
      patchOfHunks([{ lines: [` #define TOY 1`, `+#define ${define}`] }, { lines: beside, section, oldStart: 200 }]),
    );

  test.each(['MS_CARD_CLEAR 0x01', 'TOY_DEBOUNCE_SCALE_10MS 0x3', 'TOY_DEBOUNCE_US BIT(3)', 'TOY_MIN_IT_US 15625'])(
    'that are a register are no time: %s',
    (define) => {
      expect(added(define)).toEqual(['changed sleep 1000..1000 > 2000..2000']);
    },
  );

  test('that are named for a wait, with its unit, are', () => {
    expect(added('TOY_RESET_DELAY_MS 5')).toContain('added constant - > 5000..5000');
  });
});

test('a random part of a wait is the same, drawn by a new name', () => {
  const was = '-\tmod_timer(&toy->timer, jiffies + msecs_to_jiffies(toy->most + prandom_u32() % TOY_SEED));';
  const is = '+\tmod_timer(&toy->timer, jiffies + msecs_to_jiffies(toy->most + prandom_u32_max(TOY_SEED)));';
  expect(inStart(was, is)).toEqual([]);
});

test('a deadline by a variable is the timeout of a polling call by the same', () => {
  const lines = [
    '-\tend = jiffies + msecs_to_jiffies(most_ms);',
    '-\twhile (time_before(jiffies, end)) {',
    '-\t	if (toy_ready(toy))',
    '-\t\t\treturn 0;',
    '-\t\tusleep_range(1000, 2000);',
    '-\t}',
    '+\treturn readx_poll_timeout(toy_ready, toy, ready, ready, 2000, most_ms * USEC_PER_MSEC);',
  ];
  expect(inStart(...lines)).toEqual(['changed poll-interval 1000..2000 > 2000..2000']);
});

test('a helper sleeps or spins by the flag that it is given', () => {
  const helper = [
    '+void toy_wait_us(unsigned long us, unsigned long slack, bool can_sleep)',
    '+{',
    '+\tif (us < 10 || !can_sleep)',
    '+\t\tudelay(us);',
    '+\telse',
    '+\t\tusleep_range(us, us + slack);',
    '+}',
  ];
  const code = ['-\tusleep_range(1000, 1100);', '+\ttoy_wait_us(1000, 200, true);'];
  expect(outlineOf(patchOfHunks([{ lines: helper }, { lines: code, section, oldStart: 200 }]))).toContain(
    'changed sleep 1000..1100 > 1000..1200',
  );
});

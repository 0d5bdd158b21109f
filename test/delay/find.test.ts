import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { ms, us } from '../../src/core/kernel/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());

describe('a changed sleep in a poll loop', () => {
  const [change, ...more] = findChanges(
    patchOf(
      [
        ' \twhile ((readl(toy->regs + STATUS) & READY) != want) {',
        '-\t\tmsleep(40);',
        '+\t\tusleep_range(500, 900);',
        ' \t\tif (fatal_signal_pending(current))',
        ' \t\t\treturn -EINTR;',
        ' \t\tif (time_after(jiffies, timeout)) {',
        ' \t\t\treturn -ENODEV;',
        ' \t\t}',
      ],
      { section: 'static int toy_wait_ready(struct toy *toy, bool on)' },
    ),
    kit,
  );

  test('is one change of the call in its function', () => {
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      effect: 'changed',
      kind: 'sleep',
      function: 'toy_wait_ready',
      oldLine: 101,
      newLine: 101,
      before: { text: 'msleep(40)', api: 'msleep', span: { min: ms(40), max: ms(40) }, resolved: 'literal' },
      after: { text: 'usleep_range(500, 900)', api: 'usleep_range', span: { min: us(500), max: us(900) } },
    });
  });

  test('is known as the interval of a loop that a deadline ends on both sides', () => {
    expect(change).toMatchObject({
      role: { is: 'poll-interval' },
      inLoop: true,
      bound: { before: 'deadline', after: 'deadline' },
      looksFirst: true,
    });
  });

  test('is quoted as it stands in the diff', () => {
    expect(change?.quote).toEqual(['-\t\tmsleep(40);', '+\t\tusleep_range(500, 900);']);
  });
});

describe('what is no change', () => {
  test.each([
    ['a re-indented line', ['-\tmsleep(20);', '+\t\tmsleep(20);']],
    ['a mention in a comment', ['-\t/* msleep(20) is enough */', '+\t/* msleep(30) is enough */', ' \tmsleep(20);']],
    ['a mention in a string', ['-\tpr_info("udelay(5)");', '+\tpr_info("udelay(50)");', ' \tmsleep(20);']],
    [
      'a number that a new constant of the same value replaces',
      ['+#define NAP 20', '-\tmsleep(20);', '+\tmsleep(NAP);'],
    ],
  ])('%s', (_what, lines) => {
    expect(findChanges(patchOf(lines, { section: 'static void toy_start(struct toy *toy)' }), kit)).toEqual([]);
  });

  test('a wait that moves within its function', () => {
    const lines = ['-\tmsleep(20);', ' \ttoy_write(toy, 1);', ' \ttoy_write(toy, 2);', '+\tmsleep(20);'];
    expect(findChanges(patchOf(lines, { section: 'static void toy_start(struct toy *toy)' }), kit)).toEqual([]);
  });
});

describe('a changed constant', () => {
  const changes = findChanges(
    patchOfHunks([
      { lines: [' #define TOY_RING 16', '-#define TOY_NAP 30', '+#define TOY_NAP 3', ' '] },
      {
        lines: [' \ttoy_kick(toy);', ' \tmdelay(TOY_NAP);', '-\ttoy_a(toy);', '+\ttoy_b(toy);'],
        section: 'void toy_go(void)',
        oldStart: 300,
      },
    ]),
    kit,
  );

  test('is one entry with its unchanged use, in the unit of that use', () => {
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      kind: 'constant',
      before: { text: 'TOY_NAP 30', span: { min: ms(30), max: ms(30) } },
      after: { text: 'TOY_NAP 3', span: { min: ms(3), max: ms(3) } },
      uses: [{ function: 'toy_go', text: 'mdelay(TOY_NAP)' }],
    });
  });
});

describe('what stands in several hunks', () => {
  test('is one loop: the counter in its head bounds a wait of the next hunk', () => {
    const [change] = findChanges(
      patchOfHunks([
        {
          lines: [
            '-\tspan = span * 100;',
            '+\tspan = jiffies + span;',
            ' ',
            '-\tfor (i = 0; i < span; i++) {',
            '+\twhile (1) {',
            ' \t\tval = toy_read(toy);',
          ],
          section: 'static int toy_wait(struct toy *toy, u32 span)',
        },
        {
          lines: [
            ' \t\tif (val == want)',
            ' \t\t\treturn 0;',
            ' ',
            '-\t\tmsleep(7);',
            '+\t\tif (time_is_before_jiffies(span))',
            '+\t\t\treturn -ETIME;',
            '+\t\tusleep_range(70, 90);',
            ' \t}',
          ],
          section: 'static int toy_wait(struct toy *toy, u32 span)',
          oldStart: 300,
        },
      ]),
      kit,
    );
    expect(change?.bound).toEqual({ before: 'count', after: 'deadline' });
  });

  test('is one wait where it went elsewhere in its function with another time', () => {
    const section = 'static int toy_start(struct toy *toy)';
    const changes = findChanges(
      patchOfHunks([
        { lines: [' \ttoy_a(toy);', '-\tmsleep(30);', ' \ttoy_b(toy);'], section },
        { lines: [' \ttoy_y(toy);', '+\tmsleep(6);', ' \ttoy_z(toy);'], section, oldStart: 160 },
      ]),
      kit,
    );
    expect(changes.map((c) => c.effect)).toEqual(['changed']);
  });
});

describe('a number of tries that nothing waits between', () => {
  const lines = [' #define TOY_RING 16', '-#define TOY_MAX_RETRIES 3', '+#define TOY_MAX_RETRIES 5', ' '];

  test('is no change of a wait', () => {
    expect(findChanges(patchOf(lines, { title: 'toy: follow the new firmware' }), kit)).toEqual([]);
  });

  test('is one where the subject speaks of time', () => {
    expect(findChanges(patchOf(lines, { title: 'toy: raise the timeout' }), kit)).toMatchObject([
      { kind: 'retry-count' },
    ]);
  });
});

test('an assignment to something that is no plain name is read without harm', () => {
  const diff = [' \tx();', '-\t(*timeouts)[i] = jiffies + HZ;', '+\t(*timeouts)[i] = jiffies + 2 * HZ;', ' \ty();'];
  expect(() => findChanges(patchOf(diff, { section: 'static void toy_start(struct toy *toy)' }), kit)).not.toThrow();
});

import { describe, expect, test } from 'vitest';
import { readEvidence, relateEvidence, type Claim } from '../../src/core/evidence/index.js';
import type { DelayChange, Wait } from '../../src/core/delay/index.js';

const claims = (text: string, subject = ''): readonly Claim[] =>
  readEvidence({ subject, text, attachments: [] }).claims;
const checked = (text: string, changes: readonly DelayChange[] = []) =>
  relateEvidence(
    [{ id: '<1@example.org>', byAuthor: true, ...readEvidence({ subject: '', text, attachments: [] }) }],
    changes,
  ).claims;

const wait = (text: string, time: number): Wait => ({
  text,
  span: { min: time, max: time },
  resolved: 'literal',
  unknown: [],
});
const change = (before: Wait, after: Wait): DelayChange => ({
  patch: 0,
  effect: 'changed',
  kind: 'sleep',
  file: 'drivers/pear/flash.c',
  before,
  after,
  uses: [],
  role: { is: 'poll-interval', by: '', sure: 1 },
  path: { is: 'probe', by: '', sure: 1 },
  bound: { before: 'unknown', after: 'unknown' },
  rounds: {},
  budget: {},
  backoff: {},
  siblings: [],
  quote: [],
});

describe('what a sentence claims', () => {
  test.each([
    [
      'This brings pear probe time from 412.5ms down to 3.25 ms, more than 120x faster.',
      { before: 412.5e6, after: 3.25e6, factor: 120, kind: 'improvement' },
    ],
    ['Boot time goes to 3.2s from 5.1s with this.', { before: 5.1e9, after: 3.2e9, kind: 'improvement' }],
    ['Probe: ~5s -> 300ms', { before: 5e9, after: 300e6, kind: 'improvement' }],
    ['Probe takes 20 ms instead of 1.2 seconds now.', { before: 1.2e9, after: 20e6, kind: 'improvement' }],
    ['It used to take 900 ms, now it takes 40 ms.', { before: 900e6, after: 40e6, kind: 'improvement' }],
    ['The pear load time drops from 160 to 40 ms on average.', { before: 160e6, after: 40e6, kind: 'improvement' }],
    ['Cold boot takes 4.2 seconds, down from 9.8 seconds.', { before: 9.8e9, after: 4.2e9 }],
    ['We spend 2 seconds in probe without this patch, and 150 ms with it.', { before: 2e9, after: 150e6 }],
    ['Resume takes 48,000 usecs before and 1min 2s after.', { before: 48e6, after: 62e9, kind: 'regression' }],
    ['probe time: 1200ms => 300ms (75% less)', { before: 1200e6, after: 300e6, percent: 75 }],
    ['This saves about 70 ms at each start.', { delta: 70e6, kind: 'delta-only', hedge: 'about' }],
    ['Shaves off half a second from boot.', { delta: 500e6, kind: 'delta-only' }],
    ['Reduces boot time by two hundred milliseconds.', { delta: 200e6, kind: 'delta-only' }],
    ['The system boots 2-3 seconds sooner.', { delta: 2e9, deltaMax: 3e9 }],
    ['This regresses boot time by 3.5 s.', { delta: 3.5e9, kind: 'regression' }],
    ['This reduces boot time by ~30%.', { percent: 30, kind: 'improvement' }],
    ['This makes the probe twice as fast.', { factor: 2, kind: 'improvement' }],
    ['Change the pear poll interval from 5ms to 10us.', { before: 5e6, after: 10e3, kind: 'parameter' }],
    ['The probe got down from 5 seconds to under 1.', { before: 5e9, after: 1e9, kind: 'improvement' }],
    ['This halves the boot time.', { factor: 2, kind: 'improvement' }],
    ['The load time drops by half.', { factor: 2, kind: 'improvement' }],
    ['It speeds up probing by a factor of 10.', { factor: 10, kind: 'improvement' }],
    ['Probing takes twice as long now.', { factor: 2, kind: 'regression' }],
    ['Pear init: 48 ms -> 16 ms', { before: 48e6, after: 16e6 }],
    ['Time to probe 8 pears goes from 16 s to 2 s.', { before: 16e9, after: 2e9 }],
    ['Cutting the sleep to 10us takes the init time from 173 ms to 2 ms.', { before: 173e6, after: 2e6 }],
    ['With this patch applied the boot takes 2.1 s; without it, 3.4 s.', { before: 3.4e9, after: 2.1e9 }],
    ['It takes 300 ms to probe, with this patch 20 ms.', { before: 300e6, after: 20e6 }],
    ['Probe: 5.02s -> 0.31s (-94%)', { before: 5.02e9, after: 0.31e9, percent: 94 }],
    [
      'It goes from 1.43s to 1.12s, i.e. by 310ms or 22%.',
      { before: 1.43e9, after: 1.12e9, delta: 310e6, percent: 22 },
    ],
    ['Boot is ~3s (25%) faster.', { delta: 3e9, percent: 25 }],
    ['Boot time is down 40%.', { percent: 40, kind: 'improvement' }],
    ['We save 5 to 10 ms of boot time.', { delta: 5e6, deltaMax: 10e6, kind: 'delta-only' }],
    ['Saves more than a second at each resume.', { delta: 1e9, hedge: 'at-least' }],
    ['Boot time improvement: 40 ms', { delta: 40e6, kind: 'delta-only' }],
    ['The probe spends 100 ms less in msleep().', { delta: 100e6, kind: 'delta-only' }],
    ['A missing clock delays boot for 10 seconds.', { delta: 10e9, kind: 'regression' }],
    ['Booting takes an extra 20 s.', { delta: 20e9, kind: 'regression' }],
    ['Use a 1 ms sleep instead of 10 ms.', { before: 10e6, after: 1e6, kind: 'parameter' }],
    ['It needs up to 3 s, so raise it from 1s to 3s.', { before: 1e9, after: 3e9 }],
    [
      'The driver used to sleep 80 ms between reads, now it sleeps 1 ms.',
      { before: 80e6, after: 1e6, kind: 'parameter' },
    ],
    ['The wait for the link now takes 3 ms instead of 100 ms.', { before: 100e6, after: 3e6, kind: 'improvement' }],
    ['PEAR_READY_TIMEOUT: 30ms -> 50ms', { before: 30e6, after: 50e6, kind: 'parameter' }],
    ['Increase the link timeout by 20ms.', { delta: 20e6, kind: 'parameter' }],
    ['This delays boot by hundreds of milliseconds.', { kind: 'delta-only' }],
  ])('%s', (text, wanted) => {
    const [claim] = claims(`${text}\n`);
    expect(claim).toMatchObject(wanted);
    // Nothing is there that the sentence does not say.
    for (const field of ['before', 'after', 'factor', 'percent', 'delta'] as const) {
      if (!(field in wanted)) expect(claim?.[field]).toBeUndefined();
    }
  });

  test.each([
    'Add a 30ms delay after reset, the PHY needs it to be faster.',
    'The transfer of 8 MB at 50 MHz is faster on a 4x link.',
    'A delay of 15ms is insufficient to reduce the races.',
    'Lower CPU usage: 12% of one core at most.',
    'This change reduces code and data size by more than 40%.',
    'Sleeps of 100 ms or longer are quicker to write with msleep().',
    'See section 5.10 of v2.1, page 12-13.',
  ])('claims no time: %s', (text) => {
    expect(claims(`${text}\n`)).toEqual([]);
  });

  test('two pairs in one sentence are two claims, each with its own percentage', () => {
    const found = claims(
      'It improves init time by 2-3% (from 270ms to 261ms) on A and 7-8% (from 201ms to 184ms) on B.\n',
    );
    expect(found).toMatchObject([
      { before: 270e6, after: 261e6, percent: 2, percentMax: 3 },
      { before: 201e6, after: 184e6, percent: 7, percentMax: 8 },
    ]);
  });

  test('a sentence is read over wrapped and quoted lines, and knows its first line', () => {
    const [claim] = claims('Hello.\n\n> On a quince board, this improves probe time from\n> 412.5ms to 3.25ms.\n');
    expect(claim).toMatchObject({ before: 412.5e6, after: 3.25e6, mailLine: 3, quoted: true });
  });

  test('a subject claims, too', () => {
    expect(claims('', '[PATCH v2 3/7] pear: speed up probe 40x')).toMatchObject([{ factor: 40, from: 'subject' }]);
  });
});

describe('whether a claim follows', () => {
  test.each([
    ['probe time drops from 400 ms to 100 ms (4x faster)', 'factor', 'yes'],
    ['probe time drops from 400 ms to 100 ms (40x faster)', 'factor', 'no'],
    ['probe time drops from 400 ms to 100 ms (75%)', 'percent', 'yes'],
    ['probe time drops from 400 ms to 100 ms (90%)', 'percent', 'no'],
    ['probe got 300% faster, from 400 ms to 100 ms', 'percent', 'yes'],
    ['This saves 300 ms: probe time drops from 400 ms to 100 ms', 'delta', 'yes'],
    ['This saves 30 ms: probe time drops from 400 ms to 100 ms', 'delta', 'no'],
  ])('%s: %s %s', (text, of, holds) => {
    expect(checked(`${text}\n`)[0]?.checks).toContainEqual(expect.objectContaining({ of, holds }));
  });

  test('a check that fails names both numbers', () => {
    const [check] = checked('probe time drops from 400 ms to 100 ms (40x faster)\n')[0]?.checks ?? [];
    expect(check?.why).toContain('4.00');
    expect(check?.why).toContain('40.0x');
  });

  test('"usecs" of an old kernel are told from microseconds, and the factor stays', () => {
    const text = `Probe time goes from 120.4ms to 2.050ms.

Before:
[    0.500000] calling  pear_init+0x0/0x63 @ 1
[    0.623295] initcall pear_init+0x0/0x63 returned 0 after 120400 usecs
After:
[    0.500000] calling  pear_init+0x0/0x63 @ 1
[    0.502103] initcall pear_init+0x0/0x63 returned 0 after 2050 usecs
`;
    const [claim] = checked(text);
    expect(claim?.checks).toContainEqual(expect.objectContaining({ of: 'log', holds: 'yes' }));
    const unit = claim?.checks.find((c) => c.of === 'unit');
    expect(unit?.holds).toBe('no');
    expect(unit?.why).toContain('123.29 ms and 2.099 ms');
  });

  test('a parameter is held against the diff, and a slip of the unit is seen', () => {
    const text = 'Lower the pear poll interval from 5ms to 1ms.\n';
    expect(checked(text, [change(wait('msleep(5)', 5e6), wait('msleep(1)', 1e6))])[0]?.checks).toMatchObject([
      { of: 'diff', holds: 'yes' },
    ]);
    expect(checked(text, [change(wait('udelay(5)', 5e3), wait('udelay(1)', 1e3))])[0]?.checks).toMatchObject([
      { of: 'diff', holds: 'no' },
    ]);
  });
});

test.each([
  'Boot time drops from 5 s to 4 s on a board with 4x Cortex-A53.',
  'Improves the boot time from 5 s to 4 s (tested 10 times).',
  'Reduces the resume time from 5 s to 4 s at 100% brightness.',
  'Boot goes from 5 s to 4 s with 8 GB of memory and 50% load.',
])('what is counted beside two times is no change of them: %s', (text) => {
  const [claim] = claims(`${text}\n`);
  expect(claim).toMatchObject({ before: 5e9, after: 4e9 });
  expect(claim).not.toHaveProperty('factor');
  expect(claim).not.toHaveProperty('percent');
});

test.each([
  ['Probing takes 340 ms vs 120 ms with this patch.', 340e6, 120e6],
  ['Probing takes 120 ms with this patch vs 340 ms without.', 340e6, 120e6],
])('the words beside two compared times say which is old: %s', (text, before, after) => {
  expect(claims(`${text}\n`)[0]).toMatchObject({ before, after });
});

test('an arrow between two times softens neither', () => {
  expect(claims('Pear init: 48 ms -> 16 ms\n')[0]).not.toHaveProperty('hedge');
  expect(claims('Pear init: 48 ms => 16 ms\n')[0]).not.toHaveProperty('hedge');
});

describe('whether runs can have met the wait', () => {
  const text = (before: number, after: number) => `Without:

[  10.000000] pear_probe 41
[  ${(10 + before).toFixed(6)}] pear pear0: ready

With:

[  20.000000] pear_probe 41
[  ${(20 + after).toFixed(6)}] pear pear0: ready
`;
  const relate = (before: number, after: number) =>
    relateEvidence(
      [
        {
          id: '<2@example.org>',
          byAuthor: false,
          ...readEvidence({ subject: '', text: text(before, after), attachments: [] }),
        },
      ],
      [change(wait('msleep(300)', 300e6), wait('usleep_range(1000, 2000)', 1e6))],
    ).measurements[0];

  test('runs shorter than one such sleep never slept there', () => {
    expect(relate(0.205, 0.21)).toMatchObject({ reached: 'no' });
    expect(relate(0.205, 0.21)?.reachedBy).toContain('msleep(300)');
  });

  test('runs that lost about as much as one sleep met it', () => {
    expect(relate(0.61, 0.01)?.reached).toBe('yes');
  });

  test('long runs that lost nothing prove neither', () => {
    expect(relate(0.61, 0.6)?.reached).toBe('cannot-tell');
  });
});

test('what a reply quotes again is counted once', () => {
  const original = readEvidence({ subject: '', text: 'Probe time drops from 400 ms to 100 ms.\n', attachments: [] });
  const reply = readEvidence({
    subject: '',
    text: '> Probe time drops from 400 ms to 100 ms.\n\nNice.\n',
    attachments: [],
  });
  const { claims: found } = relateEvidence(
    [
      { id: '<1@example.org>', byAuthor: true, ...original },
      { id: '<2@example.org>', byAuthor: false, ...reply },
    ],
    [],
  );
  expect(found).toHaveLength(1);
});

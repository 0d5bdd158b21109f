import { describe, expect, test } from 'vitest';
import { estimateChanges, type Estimate, type EstimateOptions } from '../../src/core/estimate/index.js';
import type { DelayChange } from '../../src/core/delay/index.js';
import type { Evidence } from '../../src/core/evidence/index.js';
import { ms, us } from '../../src/core/kernel/index.js';
import { change, evidence, log, msleepOf, nothing, usleepOf, wait, withInitcall } from './invented.js';

const options: EstimateOptions = { profiles: [], seed: 1, streamName: '<1@example.org>' };

function only(changes: readonly DelayChange[], found: Evidence, more: Partial<EstimateOptions> = {}): Estimate {
  const [first, ...rest] = estimateChanges(changes, found, { ...options, ...more });
  expect(rest).toEqual([]);
  if (first === undefined) throw new Error('no estimate');
  return first;
}

describe('inference from logs', () => {
  // HZ=1000 up to 6.11: msleep(20) is 22 ms back to back, and 3 waits with the phase 0.4 are 65.6 ms.
  const start: readonly (readonly [number, string])[] = [
    [100_000, 'quux 0000:02:00.0: link training'],
    [100_000 + 65_600 + 700, 'quux 0000:02:00.0: link up'],
    [200_000, 'init'],
  ];
  const before = log('before', start);
  const after = log('after', [
    [90_000, 'quux 0000:02:00.0: link training'],
    [90_000 + 3 * 510 + 690, 'quux 0000:02:00.0: link up'],
    [126_000, 'init'],
  ]);
  const changed = change(msleepOf(20), usleepOf(250, 500));

  test('a before and an after log of another machine give its HZ, era and waits first', () => {
    const found = only([changed], evidence(before, after), { date: '2021-05-01' });
    expect(found.fits[0]).toMatchObject({ hz: 1000, era: '<=6.11', waits: 3 });
    expect(found.saved.likely).toBeGreaterThan(ms(65.6 - 1.6 - 1));
    expect(found.saved.likely).toBeLessThan(ms(65.6 - 1.5 + 1));
    expect(found.bootPath).toBe('on');
  });

  test('the same gain with no earlier init is off the boot path', () => {
    const late = log('after', [
      [90_000, 'quux 0000:02:00.0: link training'],
      [92_220, 'quux 0000:02:00.0: link up'],
      [189_900, 'init'],
    ]);
    expect(only([changed], evidence(before, late))).toMatchObject({ bootPath: 'off' });
  });

  test('a synchronous initcall with seven commands at HZ=100 is cut at its own lines', () => {
    // msleep(10) at HZ=100 up to 6.11 is 30 ms back to back; 2 waits before the firmware line, 5 after it.
    const lines = (base: number, a: number, b: number): (readonly [number, string])[] => [
      [base, 'calling quux_init'],
      [base + 120, 'quux: starting'],
      [base + 120 + a, 'quux: firmware 3.1'],
      [base + 120 + a + b, 'quux: ready'],
    ];
    const a = 54_000;
    const b = 150_000 + 900;
    const old = withInitcall(log('before', lines(400_000, a, b)), 'quux_init', 400_000, 400_150 + a + b);
    const now = withInitcall(log('after', lines(390_000, 60, 1_150)), 'quux_init', 390_000, 390_150 + 1_210);
    const found = only([change(msleepOf(10), usleepOf(20, 40))], evidence(old, now));
    expect(found.fits[0]).toMatchObject({ hz: 100, era: '<=6.11', waits: 7 });
    expect(found.assumptions).toContainEqual({ name: 'waits', value: '2 + 5', from: 'log' });
    expect(found.saved.likely / 1e6).toBeCloseTo(204 - 0.4, 0);
    expect(found.bootPath).toBe('on');
  });

  test('a log that several changed waits share is not divided between them, and every estimate says so', () => {
    const other = change(msleepOf(10), usleepOf(100, 200), { function: 'quux_wait_firmware' });
    const found = estimateChanges([changed, other], evidence(before, after), options);
    expect(found).toHaveLength(2);
    for (const e of found) {
      expect(e.fits).toEqual([]);
      expect(e.assumptions.find((a) => a.name === 'log')?.value).toContain('several changed waits');
    }
  });

  test('without an after log the ready time is open, and the least saving says so', () => {
    const found = only([changed], evidence(before), { waits: [{ change: 0, min: 3, max: 3, from: 'tree' }] });
    expect(found.saved.min).toBeLessThan(ms(10));
    expect(found.saved.max).toBeGreaterThan(ms(60));
  });

  test('work that the old waits hid in their ticks is taken off the saving', () => {
    // HZ=1000 up to 6.11: msleep(5) is 7 ms; 8 waits are (55, 56] ms. 250 us of work before each wait is in no tick's way.
    const first = 100_000;
    const old = log('before', [
      [first, 'quux 0000:02:00.0: link training'],
      [first + 56_300, 'quux 0000:02:00.0: link up'],
    ]);
    const now = log('after', [
      [first, 'quux 0000:02:00.0: link training'],
      [first + 8 * 27 + 8 * 250, 'quux 0000:02:00.0: link up'],
    ]);
    const tree = { waits: [{ change: 0, min: 8, max: 8, from: 'tree' }] } as const;
    const found = only([change(msleepOf(5), usleepOf(10, 20))], evidence(old, now), { ...tree, hz: 1000 });
    expect(found.assumptions.map((a) => a.name)).toContain('work');
    expect(Math.abs(found.saved.likely - us(56_300 - 2_216))).toBeLessThan(ms(1));
    const alone = only([change(msleepOf(5), usleepOf(10, 20))], evidence(old), { ...tree, hz: 1000, ready: 0 + us(1) });
    expect(alone.saved.likely).toBeGreaterThan(found.saved.likely);
  });

  test('a chain that began at the very end of a tick is not counted from the next one', () => {
    // HZ=250: three waits of 16 ms, the first begun so late that it took 12.0 ms; the rest is work that both logs have.
    const old = log('before', [
      [100_000, 'quux 0000:02:00.0: link training'],
      [100_000 + 12_010 + 32_000 + 2_500, 'quux 0000:02:00.0: link up'],
    ]);
    const now = log('after', [
      [100_000, 'quux 0000:02:00.0: link training'],
      [100_000 + 3 * 27 + 2_520, 'quux 0000:02:00.0: link up'],
    ]);
    const found = only([change(msleepOf(5), usleepOf(10, 20))], evidence(old, now), { hz: 250, kernel: '6.1' });
    expect(found.fits[0]).toMatchObject({ waits: 3 });
    expect(Math.abs(found.saved.likely - us(44_010 - 100))).toBeLessThan(ms(1));
  });

  test('a machine whose interval is shorter than one old wait never slept: it saves exactly nothing', () => {
    const measured = { what: '', anchor: '', verdict: '', reached: 'no', stats: {} } as const;
    const samples = { ...measured, before: [ms(13), ms(14.5), ms(12.8)], after: [ms(15)] };
    const found = only([changed], { ...nothing, measurements: [samples] });
    expect(found.saved).toEqual({ min: 0, likely: 0, max: 0 });
  });
});

describe('without a log', () => {
  test('a change of nothing is exactly zero', () => {
    const same = change(msleepOf(20), msleepOf(20));
    const found = only([same], nothing, { hz: 250, kernel: '6.1', ready: ms(50) });
    expect(found.saved).toEqual({ min: 0, likely: 0, max: 0 });
  });

  test('a poll saves nothing when the first look succeeds, and no more than the old wait', () => {
    const found = only([change(msleepOf(100), usleepOf(1000, 2000))], nothing, { hz: 250, kernel: '5.4' });
    expect(found.curve[0]).toMatchObject({ ready: 0, saved: { min: 0, max: 0 } });
    expect(found.saved.min).toBeLessThanOrEqual(0);
    expect(found.saved.max).toBeLessThan(ms(106));
    expect(found.alternatives.map((a) => a.policy.split(' ')[0])).toEqual(['exponential', 'linear', 'half', 'double']);
  });

  test('many devices are told with looks, wake-ups and CPU share; a busy loop wakes nobody and burns all', () => {
    const polled = only([change(msleepOf(100), usleepOf(1000, 2000))], nothing, { hz: 250, kernel: '5.4' });
    const many = polled.devices.at(-1);
    expect(many).toMatchObject({ count: 32, ready: 5e9 });
    expect(many?.looks).toBeGreaterThan(79_000);
    expect(many?.looks).toBeLessThan(81_000);
    expect(many?.wakeUps).toBe((many?.looks ?? 0) - 32);
    const spun = only([change(msleepOf(100), wait('udelay', us(10), us(10), 'udelay(10)'))], nothing, { hz: 250 });
    expect(spun.devices.at(-1)).toMatchObject({ wakeUps: 0, cpuPercent: { min: 3200, max: 3200 } });
  });

  test('loops with a bound are told with what they cost when the device never answers', () => {
    const counted = change(msleepOf(1), usleepOf(1000, 2000), {
      bound: { before: 'count', after: 'count' },
      rounds: { before: 100, after: 100 },
    });
    const found = only([counted], nothing, { hz: 250, kernel: '6.1' });
    expect((found.never?.before ?? 0) / 1e6).toBeCloseTo(1200, 0);
    expect((found.never?.after ?? 0) / 1e6).toBeCloseTo(200, -1);
    const endless = change(msleepOf(1), usleepOf(1000, 2000), { bound: { before: 'none', after: 'none' } });
    expect(only([endless], nothing, { hz: 250 }).never).toBeUndefined();
  });

  test('a wait off the boot path gains the boot nothing, one on it all, and of others nothing is said', () => {
    const on = only([change(msleepOf(20), usleepOf(1000, 2000))], nothing, { hz: 250 });
    expect(on.bootSaved).toEqual(on.saved);
    const resume = { path: { is: 'resume', by: 'named like a resume', sure: 0.9 } } as const;
    const off = only([change(msleepOf(20), usleepOf(1000, 2000), resume)], nothing, { hz: 250 });
    expect(off.saved.likely).toBeGreaterThan(0);
    expect(off.bootSaved).toEqual({ min: 0, likely: 0, max: 0 });
    const unknown = { path: { is: 'unknown', by: '', sure: 0 } } as const;
    expect(only([change(msleepOf(20), usleepOf(1000, 2000), unknown)], nothing, { hz: 250 }).bootSaved).toBeUndefined();
  });

  test('every poll change is weighed against backoffs, half and double the interval', () => {
    const jiffies = (n: number): ReturnType<typeof wait> =>
      wait(
        'schedule_timeout_uninterruptible',
        ms(n),
        ms(n),
        `schedule_timeout_uninterruptible(msecs_to_jiffies(${n}))`,
      );
    for (const after of [usleepOf(1000, 2000), msleepOf(4), jiffies(20)]) {
      const { alternatives } = only([change(msleepOf(100), after)], nothing, { hz: 250 });
      expect(alternatives.map((a) => a.policy.split(' ')[0])).toEqual(['exponential', 'linear', 'half', 'double']);
    }
  });

  test('a settle costs its real length on each side', () => {
    const settle = change(msleepOf(20), usleepOf(5000, 6000), {
      role: { is: 'settle', by: 'no loop', sure: 0.8 },
      inLoop: false,
    });
    const found = only([settle], nothing, { hz: 250, kernel: '6.1' });
    expect(found.model).toBe('settle');
    expect(found.saved.likely / 1e6).toBeCloseTo(26 - 6, 0);
  });

  test('a device of known ready time is asked by its profile', () => {
    const profile = {
      name: 'quux-lab',
      title: 'Quux on a bench',
      files: ['drivers/misc/quux/'],
      ready: [
        { share: 0, at: us(300) },
        { share: 1, at: us(500) },
      ],
      source: 'invented',
    };
    const found = only([change(msleepOf(20), usleepOf(1000, 2000))], nothing, {
      hz: 1000,
      kernel: '6.1',
      profiles: [profile],
    });
    expect(found.saved.likely / 1e6).toBeCloseTo(21.5 - 2, 0);
    expect(found.assumptions).toContainEqual({ name: 'ready', value: 'as in profile quux-lab', from: 'profile' });
  });

  test('a bound costs nothing where the device answers', () => {
    const bound = change(
      wait('wait_for_completion_timeout', ms(1000), ms(1000), 'wait_for_completion_timeout(&done, HZ)'),
      wait('wait_for_completion_timeout', ms(100), ms(100), 'wait_for_completion_timeout(&done, HZ / 10)'),
      { kind: 'poll-timeout', role: { is: 'timeout', by: 'its name', sure: 1 }, inLoop: false },
    );
    const found = only([bound], nothing, { hz: 250 });
    expect(found.saved.likely).toBe(0);
    expect(found.saved.max).toBeGreaterThan(ms(890));
  });

  test('nothing is said of a value that is not known, of run time, or of periodic work', () => {
    const unknown = { text: 'msleep(delay)', api: 'msleep', resolved: 'no', unknown: ['delay'] } as const;
    const silent = [
      change(unknown, msleepOf(5)),
      change(msleepOf(50), msleepOf(5), { path: { is: 'runtime', by: 'ioctl', sure: 0.9 } }),
      change(msleepOf(50), msleepOf(5), { role: { is: 'periodic', by: 're-arms itself', sure: 0.9 } }),
    ];
    expect(estimateChanges(silent, nothing, options)).toEqual([]);
  });

  test('a constant and its call sites count once', () => {
    const constant = change(
      { text: '#define QUUX_POLL_MS 20', span: { min: ms(20), max: ms(20) }, resolved: 'literal', unknown: [] },
      { text: '#define QUUX_POLL_MS 2', span: { min: ms(2), max: ms(2) }, resolved: 'literal', unknown: [] },
      {
        kind: 'constant',
        function: undefined,
        via: 'QUUX_POLL_MS',
        uses: [{ file: 'x.c', text: 'msleep(QUUX_POLL_MS);' }],
      },
    );
    const site = change(msleepOf(20), msleepOf(2), { via: 'QUUX_POLL_MS' });
    expect(estimateChanges([constant, site, site], nothing, options)).toHaveLength(1);
    const [alone] = estimateChanges([constant], nothing, { ...options, hz: 250, kernel: '6.1' });
    expect(alone?.before.max).toBeGreaterThan(ms(24));
  });

  test('a helper that sleeps for its callers is not counted beside them', () => {
    const growth = { kind: 'exponential', first: us(50), cap: ms(4), stretch: 2 } as const;
    const helper = change(undefined, usleepOf(50, 8000), { function: 'quux_backoff', backoff: { after: growth } });
    const site = change(msleepOf(5), { ...usleepOf(50, 8000), api: 'quux_backoff' }, { backoff: { after: growth } });
    const found = only([helper, site], nothing);
    expect(found).toMatchObject({ change: 1, model: 'backoff' });
  });

  test('equal seeds give equal bytes', () => {
    const run = (): string => JSON.stringify(only([change(msleepOf(20), usleepOf(100, 200))], nothing));
    expect(run()).toBe(run());
  });
});

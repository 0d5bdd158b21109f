import { describe, expect, test } from 'vitest';
import {
  boundsOf,
  mechanismOf,
  ms,
  parseCall,
  quietMachine,
  us,
  versionOf,
  waitFor,
  wheelLevel,
  type Call,
  type Machine,
} from '../../src/core/kernel/index.js';

function machine(hz: number, era: '<=6.11' | '6.12' | '>=6.13' = '<=6.11'): Machine {
  return { ...quietMachine(hz, versionOf(era)), overhead: 0 };
}

function call(text: string): Call {
  const parsed = parseCall(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function backToBack(text: string, on: Machine): number {
  return Math.round(waitFor(call(text), on, 0) / 1e3) / 1e3;
}

describe('waits by the timer wheel', () => {
  test.each([
    ['msleep(1)', 100, 30, 20],
    ['msleep(1)', 250, 12, 8],
    ['msleep(1)', 300, 10, 6.667],
    ['msleep(1)', 1000, 3, 2],
    ['msleep(5)', 250, 16, 12],
    ['msleep(5)', 1000, 7, 6],
    ['msleep(20)', 250, 28, 24],
    ['msleep(100)', 100, 120, 110],
    ['msleep(100)', 250, 108, 104],
    ['msleep(100)', 1000, 104, 104],
    ['ssleep(1)', 250, 1024, 1024],
  ])('%s at HZ=%i takes %d ms back to back up to 6.11 and %d since 6.12', (text, hz, old, now) => {
    expect(backToBack(text, machine(hz))).toBe(old);
    expect(backToBack(text, machine(hz, '6.12'))).toBe(now);
  });

  test('msleep(100) at HZ=1000 lands on the second level, where timers fire every 8 ms', () => {
    const on = machine(1000);
    expect(wheelLevel(101)).toBe(1);
    expect(boundsOf(mechanismOf(call('msleep(100)'), on), on)).toEqual({ min: ms(101), max: ms(109) });
  });

  test('msleep(0) sleeps up to 6.11 and returns at once since 6.12', () => {
    expect(backToBack('msleep(0)', machine(250))).toBe(8);
    expect(backToBack('msleep(0)', machine(250, '6.12'))).toBe(0);
  });

  test('schedule_timeout() counts jiffies, HZ / n is divided in integers, and no era adds one', () => {
    expect(backToBack('schedule_timeout_uninterruptible(1)', machine(250))).toBe(8);
    expect(backToBack('schedule_timeout_uninterruptible(HZ / 10)', machine(250))).toBe(104);
    expect(backToBack('schedule_timeout_uninterruptible(HZ / 300)', machine(250))).toBe(4);
    expect(backToBack('schedule_timeout_uninterruptible(63)', machine(250))).toBe(256);
    expect(backToBack('schedule_timeout_uninterruptible(msecs_to_jiffies(10))', machine(300))).toBe(13.333);
  });

  test('delayed work with no delay runs at once, without a timer', () => {
    expect(backToBack('schedule_delayed_work(&priv->work, 0)', machine(250))).toBe(0);
    expect(backToBack('queue_delayed_work(wq, &priv->work, msecs_to_jiffies(10))', machine(250))).toBe(16);
  });
});

describe('waits by hrtimers', () => {
  test('usleep_range() takes its upper end on an idle CPU', () => {
    expect(backToBack('usleep_range(1000, 2000)', machine(250))).toBe(2);
  });

  test('with the tick running it wakes at the last tick inside its range', () => {
    const busy: Machine = { ...machine(250), tick: 'running' };
    expect(waitFor(call('usleep_range(2000, 5000)'), busy, 0)).toBe(ms(4));
    expect(waitFor(call('usleep_range(1000, 2000)'), busy, 0)).toBe(ms(2));
    expect(waitFor(call('usleep_range(10000, 20000)'), busy, 0.5)).toBe(ms(18));
  });

  test('without high resolution it lasts to the first tick after its upper end', () => {
    const early: Machine = { ...machine(250), highres: false };
    expect(waitFor(call('usleep_range(10, 20)'), early, 0)).toBe(ms(4));
    expect(waitFor(call('usleep_range(10000, 20000)'), early, 0)).toBe(ms(20));
    expect(waitFor(call('usleep_range(1000, 2000)'), early, 0.75)).toBe(ms(5));
  });

  test.each([
    ['fsleep(10)', 0.01, 0.01],
    ['fsleep(1000)', 2, 1.25],
    ['fsleep(16000)', 32, 20],
    ['fsleep(20000)', 40, 24],
    ['fsleep(50000)', 60, 56],
  ])('%s at HZ=250 takes %d ms up to 6.11 and %d since 6.13', (text, old, now) => {
    expect(backToBack(text, machine(250))).toBe(old);
    expect(backToBack(text, machine(250, '>=6.13'))).toBe(now);
  });

  test('the sleep argument of a poll macro is the most that one sleep takes', () => {
    const mechanism = mechanismOf(call('readl_poll_timeout(reg, val, val & 1, 1000, 50000)'), machine(250));
    expect(mechanism).toEqual({ kind: 'hrtimer', min: us(251), max: us(1000) });
  });

  test('the atomic poll macro and the delays burn the CPU', () => {
    const mechanism = mechanismOf(call('read_poll_timeout_atomic(op, v, c, 10, 1000, false)'), machine(250));
    expect(mechanism).toEqual({ kind: 'spin', time: us(10) });
    expect(backToBack('mdelay(5)', machine(250))).toBe(5);
  });
});

describe('calls that are none', () => {
  test.each([
    'msleep(-1)',
    'msleep(x)',
    'msleep(NaN)',
    'frobnicate(5)',
    'usleep_range(2000, 1000)',
    'usleep_range(10)',
    'exponential 5ms..100us',
    'constructor(1)',
    '',
    'msleep(99999999999)',
  ])('%j is refused with a reason', (text) => {
    expect(parseCall(text)).toMatchObject({ ok: false });
  });
});

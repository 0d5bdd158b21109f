import { changedWaits, isSleep, placeOf, type Place } from './changed-waits.js';
import type { Rule } from './finding.js';

export const sleepInAtomic: Rule = {
  id: 'sleep-in-atomic',
  title: 'Sleep where sleeping is not allowed',
  nit: false,
  why: 'With a spinlock held, in an interrupt or in a timer the scheduler must not run: the kernel warns or hangs.',
  instead: 'Move the wait out of the atomic part, or use udelay() if it is a few microseconds.',
  level: 'error',
  confidence: 'low',
  source:
    'Documentation/kernel-hacking/hacking.rst, User Context @ v6.12; kernel/sched/core.c, __might_sleep() @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    for (const { change, where } of changedWaits(input)) {
      const { before, after, effect } = change;
      if (after === undefined || !isSleep(after) || (effect !== 'changed' && effect !== 'added')) continue;
      // What slept before may sleep now.
      if (before !== undefined && isSleep(before)) continue;
      const place = placeOf(input, change);
      const because = place === undefined ? undefined : atomicAt(place);
      if (because !== undefined) yield { ...where, text: `${after.text} sleeps, but ${because}.` };
    }
  },
};

const lock =
  /\b(?:(?:raw_)?spin_lock(?:_irq|_irqsave|_bh)?|read_lock(?:_\w+)?|write_lock(?:_\w+)?|local_irq_(?:save|disable)|preempt_disable|rcu_read_lock)\s*\(/;
const unlock =
  /\b(?:(?:raw_)?spin_unlock(?:_irq|_irqrestore|_bh)?|read_unlock(?:_\w+)?|write_unlock(?:_\w+)?|local_irq_(?:restore|enable)|preempt_enable|rcu_read_unlock)\s*\(/;

/** Walks up from the wait to the start of its function: an open lock or what kind of function it is. */
function atomicAt({ lines, at }: Place): string | undefined {
  let left = 0;
  let depth = 0;
  for (let up = at - 1; up >= 0; up--) {
    const code = lines[up]?.code ?? '';
    if (/^\}/.test(code)) return undefined;
    if (/^[a-z]/i.test(code) && code.includes('(') && !code.trimEnd().endsWith(';'))
      return handlerOf(code, lines[up - 1]?.code ?? '');
    // A block that has ended above holds its own locks and returns.
    for (const char of code) {
      if (char === '}') depth++;
      else if (char === '{' && depth > 0) depth--;
    }
    if (depth > 0) continue;
    if (unlock.test(code)) left++;
    else if (lock.test(code) && left-- === 0)
      return `${lock.exec(code)?.[0].replace(/\s*\($/, '()') ?? 'a lock'} is still held`;
  }
  return undefined;
}

function handlerOf(code: string, above: string): string | undefined {
  if (/\birqreturn_t\b/.test(`${above} ${code}`) && !/thread/i.test(code)) return 'this is an interrupt handler';
  if (/\(\s*struct timer_list \*/.test(code)) return 'this is a timer function';
  if (/\benum hrtimer_restart\b/.test(`${above} ${code}`)) return 'this is a timer function';
  return undefined;
}

import { callsIn } from './delay-calls.js';
import { eraAt } from './changed-waits.js';
import type { Rule, RuleInput } from './finding.js';

export const msleepUnder20ms: Rule = {
  id: 'msleep-under-20ms',
  title: 'msleep() of less than 20 ms',
  nit: true,
  why: 'msleep() counts in jiffies, so a short request lasts up to a jiffy longer, and one more up to v6.11.',
  instead:
    'Use fsleep() or usleep_range() if the code needs the time that it asks for; some code needs the longer one.',
  level: 'warning',
  confidence: 'low',
  source: 'kernel/time/timer.c, msleep() @ v6.11 and v6.12; Documentation/timers/delay_sleep_functions.rst @ v6.18',
  since: '0.1.0',
  checkpatch: 'MSLEEP',
  default: false,

  *check(input) {
    for (const { args, where, text, inner, statement } of callsIn(input.patch, 'msleep')) {
      // As checkpatch sees it: a plain decimal, nothing beside it, the call a statement of its own.
      if (args.length !== 1 || !/^\d+$/.test(inner) || !statement || Number(inner) >= 20) continue;
      yield { ...where, text: `${text} sleeps ${reallySleeps(Number(inner), input)}.`, key: text };
    }
  },
};

function reallySleeps(asked: number, input: RuleInput): string {
  const extra = eraAt(input) === '<=6.11' ? 1 : 0;
  return [100, 250, 1000].map((hz) => `${atHz(asked, hz, extra)} ms with HZ=${hz}`).join(', ');
}

function atHz(asked: number, hz: number, extra: number): string {
  const ticks = Math.ceil((asked * hz) / 1000) + extra;
  return `${(ticks * 1000) / hz}-${((ticks + 1) * 1000) / hz}`;
}

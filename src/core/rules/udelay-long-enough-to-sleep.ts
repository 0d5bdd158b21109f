import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const udelayLongEnoughToSleep: Rule = {
  id: 'udelay-long-enough-to-sleep',
  title: 'udelay() of 10 us or more',
  nit: true,
  why: 'udelay() burns the CPU; where the code may sleep, the time can go to others.',
  instead: 'If this context may sleep, use usleep_range() or fsleep(); if it may not, nothing.',
  level: 'note',
  confidence: 'low',
  source: 'Documentation/timers/delay_sleep_functions.rst @ v6.18; Documentation/timers/timers-howto.rst @ v6.12',
  since: '0.1.0',
  checkpatch: 'USLEEP_RANGE',
  default: false,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'udelay')) {
      if (!/^\d+$/.test(args[0] ?? '') || Number(args[0]) < 10) continue;
      yield { ...where, text: `${text} spins; a sleep of that length exists.`, key: text };
    }
  },
};

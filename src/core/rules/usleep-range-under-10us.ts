import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const usleepRangeUnder10us: Rule = {
  id: 'usleep-range-under-10us',
  title: 'usleep_range() of less than 10 us',
  nit: true,
  why: 'Setting up the timer and switching tasks takes about as long as such a sleep: waking alone costs 4 to 50 us.',
  instead: 'Use udelay() for so short a wait, or fsleep(), which does.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/timers/timers-howto.rst, SLEEPING FOR "A FEW" USECS @ v6.12',
  since: '0.1.0',
  default: true,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'usleep_range')) {
      if (args.length !== 2 || !args.every((arg) => /^\d+$/.test(arg)) || Number(args[1]) >= 10) continue;
      yield { ...where, text: `${text} sleeps for less than a sleep costs.`, key: text };
    }
  },
};

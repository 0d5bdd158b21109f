import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const usleepRangeWithoutRange: Rule = {
  id: 'usleep-range-without-range',
  title: 'usleep_range() with equal ends',
  nit: true,
  why: 'The range lets the kernel wake the CPU once for several timers; without one each costs an interrupt of its own.',
  instead: 'Give the range that the hardware allows, or use fsleep().',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/timers/timers-howto.rst @ v6.12; usleep_range_state() @ v6.18',
  since: '0.1.0',
  checkpatch: 'USLEEP_RANGE',
  default: true,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'usleep_range')) {
      if (args.length !== 2 || args[0] !== args[1] || args[0] === '') continue;
      yield { ...where, text: `${text} leaves the timer no range.`, key: text };
    }
  },
};

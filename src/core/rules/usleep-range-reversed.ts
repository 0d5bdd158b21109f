import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const usleepRangeReversed: Rule = {
  id: 'usleep-range-reversed',
  title: 'usleep_range() with its ends reversed',
  nit: true,
  why: 'With the smaller end last the range is negative: it was a huge unsigned number up to v6.12, and is a warning with no range since.',
  instead: 'Give the smaller value first.',
  level: 'warning',
  confidence: 'high',
  source: 'kernel/time/sleep_timeout.c, usleep_range_state() @ v6.13',
  since: '0.1.0',
  checkpatch: 'USLEEP_RANGE',
  default: true,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'usleep_range')) {
      if (args.length !== 2 || !args.every((arg) => /^\d+$/.test(arg)) || Number(args[0]) <= Number(args[1])) continue;
      yield { ...where, text: `${text} has the larger end first.`, key: text };
    }
  },
};

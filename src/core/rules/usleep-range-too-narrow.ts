import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const usleepRangeTooNarrow: Rule = {
  id: 'usleep-range-too-narrow',
  title: 'usleep_range() of one microsecond',
  nit: true,
  why: 'A range of one microsecond lets no two timers share an interrupt; it only hides that there is no range.',
  instead: 'Give the range that the hardware allows, or use fsleep().',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/timers/timers-howto.rst @ v6.12; Documentation/timers/delay_sleep_functions.rst @ v6.18',
  since: '0.1.0',
  default: true,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'usleep_range')) {
      const [min = '', max = ''] = args;
      const next = /^\d+$/.test(min) && /^\d+$/.test(max) ? Number(max) - Number(min) === 1 : isOneMore(min, max);
      if (args.length === 2 && next) yield { ...where, text: `${text} leaves the timer one microsecond.`, key: text };
    }
  },
};

function isOneMore(min: string, max: string): boolean {
  return min !== '' && (max === `${min} + 1` || max === `(${min} + 1)` || max === `${min}+1`);
}

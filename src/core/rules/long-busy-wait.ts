import { formatNs, ms } from '../kernel/index.js';
import { flavourOf } from '../delay/index.js';
import { changedWaits } from './changed-waits.js';
import type { Rule } from './finding.js';

const long = ms(10);

export const longBusyWait: Rule = {
  id: 'long-busy-wait',
  title: 'Busy wait of 10 ms or more',
  nit: false,
  why: 'The CPU does nothing else meanwhile; without preemption everything on it waits.',
  instead: 'May this code sleep? Then msleep() or fsleep() leaves the CPU to others.',
  level: 'note',
  confidence: 'medium',
  source:
    'Documentation/timers/timers-howto.rst, ATOMIC CONTEXT @ v6.12; Documentation/timers/delay_sleep_functions.rst @ v6.18',
  since: '0.1.0',
  default: true,

  *check(input) {
    // A boot loader has nobody to give the CPU to.
    if (flavourOf(input.patch.files, input.message.text) !== 'linux') return;
    for (const { change, where } of changedWaits(input)) {
      const { before, after, kind, effect } = change;
      if (kind !== 'busy' || (effect !== 'added' && effect !== 'changed') || after?.span === undefined) continue;
      if (!/^[mun]delay$/.test(after.api ?? '') || after.span.max < long) continue;
      if (before?.span !== undefined && before.span.max >= after.span.max) continue;
      yield { ...where, text: `${after.text} keeps the CPU busy for ${formatNs(after.span.max)}.` };
    }
  },
};

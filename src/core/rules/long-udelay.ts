import { callsIn } from './delay-calls.js';
import type { Rule } from './finding.js';

export const longUdelay: Rule = {
  id: 'long-udelay',
  title: 'udelay() of more than 2000 us',
  nit: true,
  why: 'A long udelay() overflows its loop count on some machines; mdelay() is made of short ones.',
  instead: 'Use mdelay(), or better a sleep where one is allowed.',
  level: 'warning',
  confidence: 'medium',
  source: 'arch/arm/include/asm/delay.h @ v6.12; include/linux/delay.h, mdelay() @ v6.18',
  since: '0.1.0',
  checkpatch: 'LONG_UDELAY',
  default: true,

  *check({ patch }) {
    for (const { args, where, text } of callsIn(patch, 'udelay')) {
      if (!/^\d+$/.test(args[0] ?? '') || Number(args[0]) <= 2000) continue;
      yield { ...where, text: `${text} is long for udelay().`, key: text };
    }
  },
};

import { formatNs, us } from '../kernel/index.js';
import { backoffsIn, stepOf, type Shifted } from './shifted-backoff.js';
import type { Remark, Rule } from './finding.js';

export const backoffWraps: Rule = {
  id: 'backoff-wraps',
  title: 'Backoff that overflows, wraps to zero or starts at its cap',
  nit: false,
  why: 'The exponent grows with every look: past the width of the variable the shift is undefined, and before that the product wraps, so that the cap is not reached.',
  instead: 'Cap the exponent where the delay has reached its cap.',
  level: 'warning',
  confidence: 'medium',
  source: 'ISO C11 6.5.7 (shifts); evaluated over all exponents with the width of the variable',
  since: '0.1.0',
  default: true,

  *check({ patch }) {
    for (const backoff of backoffsIn(patch)) {
      const wrap = wrapOf(backoff);
      if (wrap !== undefined) yield wrap;
      const flat = startsAtCap(backoff);
      if (flat !== undefined) yield flat;
    }
  },
};

/** Where a backoff wraps or its shift is undefined. Without a known first step the least stands for all: greater ones wrap sooner. */
export function wrapOf(backoff: Shifted): Remark | undefined {
  const { first = 1, cap, bits, exponentCap = Infinity, where, text, exponent } = backoff;
  const reaches = cap === undefined ? undefined : firstAt(backoff, (value) => value >= cap);
  for (let k = (reaches ?? 0) + 1; k <= Math.min(exponentCap, bits - 1); k++) {
    if (stepOf({ ...backoff, first }, k) >= (cap ?? stepOf({ ...backoff, first }, k - 1))) continue;
    const value = stepOf({ ...backoff, first }, k);
    const what = value === 0 ? 'wraps to 0' : `wraps to ${value}`;
    const passed = cap === undefined ? '' : `, though it had reached its cap of ${cap}`;
    const shift = exponentCap >= bits ? ` From ${exponent} ${bits} on the shift is undefined.` : '';
    return { ...where, text: `${text} ${what} at ${exponent} ${k}${passed}.${shift}`, key: text };
  }
  if (exponentCap < bits) return undefined;
  return {
    ...where,
    text: `${text} is undefined from ${exponent} ${bits} on, and nothing caps ${exponent}.`,
    key: text,
  };
}

function firstAt(backoff: Shifted, test: (value: number) => boolean): number | undefined {
  const { first = 1, bits } = backoff;
  for (let k = 0; k < bits; k++) if (test(stepOf({ ...backoff, first }, k))) return k;
  return undefined;
}

function startsAtCap({ first, cap, where, text }: Shifted): Remark | undefined {
  if (first === undefined || cap === undefined || first < cap || cap === 0) return undefined;
  const length = formatNs(us(cap));
  return {
    ...where,
    text: `${text} starts at ${first} and is capped at ${cap}: every step is the longest one (${length} if these are microseconds).`,
    key: `cap ${text}`,
    instead: 'Start below the cap, or say that the interval is constant.',
  };
}

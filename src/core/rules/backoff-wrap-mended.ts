import { wrapOf } from './backoff-wraps.js';
import type { Rule } from './finding.js';
import { boundedBackoffs, stepOf } from './shifted-backoff.js';

export const backoffWrapMended: Rule = {
  id: 'backoff-wrap-mended',
  title: 'A backoff that wrapped, whose exponent the patch now bounds',
  nit: false,
  why: 'Who reviews such a fix asks what the old code really did, and whether the bound is low enough: both follow from the numbers.',
  instead: 'Nothing to do; the figures are for the reviewers.',
  level: 'note',
  confidence: 'medium',
  source: 'ISO C11 6.5.7 (shifts); evaluated over all exponents with the width of the variable',
  since: '0.1.0',
  default: true,

  *check({ patch }) {
    for (const { before, after } of boundedBackoffs(patch)) {
      const wrap = wrapOf(before);
      if (wrap === undefined) continue;
      const left = wrapOf(after);
      const last = stepOf(after, after.exponentCap ?? 0);
      const now =
        left === undefined
          ? `with the bound at ${after.exponentCap} it stays at ${last}`
          : `with the bound at ${after.exponentCap} it still does`;
      yield {
        ...wrap,
        text: `Without this patch ${wrap.text.replace(/\.$/, '')}; ${now}.`,
        key: `mended ${before.text}`,
      };
    }
  },
};

import { formatSpan, type Span } from '../kernel/index.js';
import { callOf, changedWaits, eraAt, reallyTakes } from './changed-waits.js';
import type { Rule, RuleInput } from './finding.js';

const hz = 250;
const kernels = {
  '<=6.11': `HZ=${hz} on kernels up to 6.11`,
  '6.12': `HZ=${hz}`,
  '>=6.13': `HZ=${hz}`,
} as const;

export const budgetWithInterval: Rule = {
  id: 'budget-with-interval',
  title: 'Timeout of a counted loop changed with its interval',
  nit: false,
  why: 'A loop that counts its rounds gives up after rounds times interval: who shortens the interval shortens the timeout.',
  instead: 'Bound the loop by a deadline (read_poll_timeout(), time_after()), or change the count too.',
  level: 'warning',
  confidence: 'medium',
  source: 'include/linux/iopoll.h @ v6.18; kernel/time/timer.c, msleep() @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    const era = eraAt(input);
    for (const { change, where } of changedWaits(input)) {
      const { before, after, bound, rounds, effect } = change;
      if (effect !== 'changed' || bound.before !== 'count' || bound.after !== 'count') continue;
      const [old, fresh] = [before && callOf(before), after && callOf(after)];
      if (old === undefined || fresh === undefined || before === undefined || after === undefined) continue;
      // Without a known count the factor still holds, as long as the count is the same on both sides.
      const [m, n] = [rounds.before ?? 1, rounds.after ?? 1];
      if ((rounds.before === undefined) !== (rounds.after === undefined)) continue;
      if (rounds.before === undefined && countMayChange(input, change.file)) continue;
      const was = times(reallyTakes(old, hz, era), m);
      const is = times(reallyTakes(fresh, hz, era), n);
      if (!shrinks(was, is) && !grows(was, is)) continue;
      const budget =
        rounds.before === undefined
          ? `a round takes ${formatSpan(is)} instead of ${formatSpan(was)}, and the count is unchanged`
          : `it gives up after ${formatSpan(is)} (${n} rounds) instead of ${formatSpan(was)} (${m})`;
      yield {
        ...where,
        text: `The loop counts its rounds: with ${after.text} for ${before.text} ${budget}; that is at ${kernels[era]}.`,
        ...(shrinks(was, is) ? {} : { level: 'note' as const }),
      };
    }
  },
};

/** A changed line that may hold the count, which the loop itself does not show: a number beside a word of counting. */
function countMayChange({ patch }: RuleInput, file: string): boolean {
  return patch.files.some((f) =>
    f.hunks.some((h) =>
      h.lines.some(
        (l) =>
          l.kind !== 'context' &&
          COUNTS.test(l.text) &&
          !/(?:sleep|delay)\w*\s*\(/.test(l.text) &&
          (f.path === file || /define/.test(l.text)),
      ),
    ),
  );
}

const COUNTS = /(?:retr(?:y|ies)|tries|attempts?|count|cnt|loops?|time_?out|polls?|max|limit)[^;]*\d/i;

function times({ min, max }: Span, rounds: number): Span {
  return { min: min * rounds, max: max * rounds };
}

function shrinks(was: Span, is: Span): boolean {
  return is.max * 1.25 < was.min;
}

function grows(was: Span, is: Span): boolean {
  return is.min > was.max * 2;
}

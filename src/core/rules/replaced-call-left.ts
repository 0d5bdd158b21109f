import { logLines } from './log-lines.js';
import { changedWaits, placeOf } from './changed-waits.js';
import type { Rule, RuleInput } from './finding.js';

const reach = 2;
const old = /\b(msleep|ssleep|mdelay|udelay|usleep_range|msleep_interruptible|schedule_timeout\w*)\s*\([^;]*;/;

export const replacedCallLeft: Rule = {
  id: 'replaced-call-left',
  title: 'The call that was to be replaced is still there',
  nit: false,
  why: 'The new wait comes on top of the old one instead of in its place.',
  instead: 'Was the old call meant to go?',
  level: 'warning',
  confidence: 'low',
  source: 'Reviewed patches of the corpus; no document',
  since: '0.1.0',
  default: true,

  *check(input) {
    for (const { change, where } of changedWaits(input)) {
      if (change.effect !== 'added' || (change.kind !== 'sleep' && change.kind !== 'busy')) continue;
      const place = placeOf(input, change);
      if (place === undefined) continue;
      for (let at = place.at - reach; at <= place.at + reach; at++) {
        const line = place.lines[at];
        if (at === place.at || line === undefined || line.kind !== 'context') continue;
        const match = old.exec(line.code);
        if (match === null || !saysReplaced(input, match[1] ?? '')) continue;
        yield {
          ...where,
          text: `${change.after?.text ?? 'The new wait'} is added, and ${match[0].trim()} stays beside it.`,
        };
        break;
      }
    }
  },
};

function saysReplaced(input: RuleInput, name: string): boolean {
  const text = [input.patch.title, ...logLines(input).message.map((line) => line.text)].join(' ');
  const at = text.search(/\b(?:replac|convert|switch|instead of|rather than|change)/i);
  return at !== -1 && text.includes(name);
}

import { formatSpan, type Span } from '../kernel/index.js';
import { changedWaits } from './changed-waits.js';
import { logLines } from './log-lines.js';
import { pairsIn } from './spans-in-text.js';
import type { Rule } from './finding.js';

export const messageDiffersFromDiff: Rule = {
  id: 'message-differs-from-diff',
  title: 'Message and diff name different times',
  nit: false,
  why: 'One of the two is wrong, and the reader cannot know which.',
  instead: 'Which is meant, the message or the diff?',
  level: 'warning',
  confidence: 'low',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    const waits = changedWaits(input).filter(({ change }) => change.effect === 'changed');
    const lines = [{ text: input.patch.title, mailLine: undefined }, ...logLines(input).log];
    for (const { text, mailLine } of lines) {
      for (const said of pairsIn(text)) {
        const near: string[] = [];
        let agrees = false;
        for (const { change } of waits) {
          const [old, fresh] = [change.before?.span, change.after?.span];
          if (old === undefined || fresh === undefined) continue;
          const [first, second] = [holds(old, said.before), holds(fresh, said.after)];
          if (first && second) agrees = true;
          else if (first) near.push(`from ${formatSpan(old)} to ${formatSpan(fresh)}`);
          else if (second && change.after?.resolved !== 'no')
            near.push(`from ${formatSpan(old)} to ${formatSpan(fresh)}`);
        }
        const distinct = [...new Set(near)];
        if (agrees || distinct.length !== 1) continue;
        yield {
          ...(mailLine === undefined ? {} : { mailLine }),
          text: `The message says "${said.text}", the diff goes ${distinct[0]}.`,
          key: said.text,
        };
      }
    }
  },
};

function holds({ min, max }: Span, value: number): boolean {
  return value >= min && value <= max;
}

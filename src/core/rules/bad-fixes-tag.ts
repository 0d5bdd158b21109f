import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const badFixesTag: Rule = {
  id: 'bad-fixes-tag',
  title: 'Fixes tag that tools cannot read',
  nit: true,
  why: 'The stable and linux-next scripts find the broken commit by this line.',
  instead: 'Write Fixes: <12 or more characters of the sha> ("title") on one line.',
  level: 'warning',
  confidence: 'high',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.18',
  since: '0.1.0',
  checkpatch: 'BAD_FIXES_TAG',
  default: true,

  *check(input) {
    const form = isSince(input.kernel, '6.18') ? /^Fixes: [0-9a-f]{12,40} \(".*"\)/ : /^Fixes: [0-9a-f]{12} \(".*"\)/;
    for (const { text, mailLine } of logLines(input).all) {
      if (!/^\s*fixes:?\s*(?:commit\s*)?[0-9a-f]{5,40}(?![\w.-])/i.test(text) || form.test(text)) continue;
      yield { mailLine, text: 'This Fixes line is not in the form that the scripts read.', key: text.trim() };
    }
  },
};

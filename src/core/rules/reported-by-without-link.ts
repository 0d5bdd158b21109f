import { linesOf, logLines } from './log-lines.js';
import { signaturesOf } from './signatures.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const reportedByWithoutLink: Rule = {
  id: 'reported-by-without-link',
  title: 'Reported-by without a link to the report',
  nit: true,
  why: 'A reader who follows the fix wants to see the report, and trackers close it by the link.',
  instead: 'Put a Closes: line with the URL of the report directly under Reported-by:.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, Using Reported-by @ v6.12',
  since: '0.1.0',
  checkpatch: 'BAD_REPORTED_BY_LINK',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    const wanted = isSince(input.kernel, '7.2') ? /^(?:closes|link):\s*/i : /^closes:\s*/i;
    const lines = linesOf(input.message);
    for (const { tag, mailLine } of signaturesOf(logLines(input).all)) {
      if (!/^reported(?:-and-tested)?-by$/i.test(tag) || wanted.test(lines[mailLine] ?? '')) continue;
      yield { mailLine, text: `${tag}: is not followed by a link to the report.`, key: `link ${tag}` };
    }
  },
};

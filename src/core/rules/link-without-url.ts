import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const linkWithoutUrl: Rule = {
  id: 'link-without-url',
  title: 'Link: or Closes: without a URL',
  nit: true,
  why: 'The tag is for a link that anybody can open.',
  instead: 'Give an http(s) URL, or describe the report in the text.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl COMMIT_LOG_WRONG_LINK @ v7.3',
  since: '0.1.0',
  checkpatch: 'COMMIT_LOG_WRONG_LINK',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    for (const { text, mailLine } of logLines(input).log) {
      const match = /^\s*(Link|Closes):\s*(\S+)/.exec(text);
      if (match === null || /^https?:/.test(match[2] ?? '')) continue;
      yield { mailLine, text: `${match[1]}: is not followed by a URL.`, key: text.trim() };
    }
  },
};

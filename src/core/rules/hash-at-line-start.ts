import { isSuggestion, logLines } from './log-lines.js';
import type { Rule } from './finding.js';

export const hashAtLineStart: Rule = {
  id: 'hash-at-line-start',
  title: 'Line of the commit message that begins with #',
  nit: true,
  why: 'git takes such a line for a comment and drops it when the message is edited.',
  instead: 'Indent the line.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl COMMIT_COMMENT_SYMBOL @ v7.3',
  since: '0.1.0',
  checkpatch: 'COMMIT_COMMENT_SYMBOL',
  default: false,

  *check(input) {
    if (isSuggestion(input)) return;
    for (const { text, mailLine } of logLines(input).log) {
      if (text.startsWith('#')) yield { mailLine, text: 'git may drop this line as a comment.', key: text.trim() };
    }
  },
};

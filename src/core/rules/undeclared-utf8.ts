import { headerOf, logLines } from './log-lines.js';
import type { Rule } from './finding.js';

export const undeclaredUtf8: Rule = {
  id: 'undeclared-utf8',
  title: 'Characters that the mail does not declare',
  nit: true,
  why: 'The mail says it is written in another charset than the kernel history, and tools may garble the message.',
  instead: 'Send the mail as UTF-8.',
  level: 'warning',
  confidence: 'low',
  source: 'scripts/checkpatch.pl UTF8_BEFORE_PATCH @ v7.3',
  since: '0.1.0',
  checkpatch: 'UTF8_BEFORE_PATCH',
  default: false,

  *check(input) {
    const charset = /charset="([^"]+)"/i.exec(headerOf(input, 'content-type') ?? '')?.[1];
    if (charset === undefined || /^utf-8$/i.test(charset)) return;
    for (const { text, mailLine } of logLines(input).log) {
      if (!/[^\x00-\x7f]/.test(text)) continue;
      yield { mailLine, text: `The mail declares ${charset}, this line is more than that.`, key: 'charset' };
      return;
    }
  },
};

import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const placeholderText: Rule = {
  id: 'placeholder-text',
  title: 'Placeholder left in the mail',
  nit: true,
  why: 'git format-patch puts these words where the author is to write.',
  instead: 'Replace the placeholder.',
  level: 'error',
  confidence: 'high',
  source: 'scripts/checkpatch.pl PLACEHOLDER_USE @ v7.1',
  since: '0.1.0',
  checkpatch: 'PLACEHOLDER_USE',
  default: true,

  *check(input) {
    if (!isSince(input.kernel, '7.1')) return;
    const pattern = /\*\*\*\s*(?:SUBJECT|BLURB) HERE|\b(?:SUBJECT|BLURB) HERE\b/;
    if (pattern.test(input.message.subject)) yield { text: 'The subject is still the placeholder.', key: 'subject' };
    for (const { text, mailLine } of logLines(input).log) {
      if (pattern.test(text)) yield { mailLine, text: 'A placeholder was left here.', key: 'log' };
    }
  },
};

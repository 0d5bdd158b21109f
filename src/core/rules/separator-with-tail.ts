import { isSuggestion, logLines, runsIntoDiff } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const separatorWithTail: Rule = {
  id: 'separator-with-tail',
  title: 'Line of the commit message that begins with ---',
  nit: true,
  why: 'Some tools cut the commit message there.',
  instead: 'Underline with another character, or indent the line.',
  level: 'error',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl BAD_COMMIT_SEPARATOR @ v7.1',
  since: '0.1.0',
  checkpatch: 'BAD_COMMIT_SEPARATOR',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '7.1') || isSuggestion(input)) return;
    const { log } = logLines(input);
    const diff = runsIntoDiff(input);
    if (diff !== undefined) {
      yield {
        mailLine: diff.mailLine,
        text: 'The diff follows the message without a --- line between them.',
        key: 'diff',
      };
    }
    for (const { text, mailLine } of log) {
      if (!/^---./.test(text) || text === '---\r') continue;
      yield { mailLine, text: 'Some tools end the commit message at this line.', key: text.trim() };
    }
  },
};

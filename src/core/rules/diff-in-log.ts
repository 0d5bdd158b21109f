import { isSuggestion, logLines, runsIntoDiff } from './log-lines.js';
import type { Rule } from './finding.js';

export const diffInLog: Rule = {
  id: 'diff-in-log',
  title: 'Diff lines in the commit message',
  nit: true,
  why: 'patch(1) and git am may take them for the patch.',
  instead: 'Indent the quoted diff and leave its headers out.',
  level: 'error',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl DIFF_IN_COMMIT_MSG @ v7.3',
  since: '0.1.0',
  checkpatch: 'DIFF_IN_COMMIT_MSG',
  default: true,

  *check(input) {
    if (isSuggestion(input)) return;
    const diff = runsIntoDiff(input);
    if (diff?.text.startsWith('--- a/') === true) {
      const { mailLine } = diff;
      // Common in patches that were made by hand, and harmless: the rule for those who ask for all.
      const text = 'The diff follows the message without a --- line between them.';
      yield { mailLine, text, key: 'diff', confidence: 'low' };
    }
    for (const { text, mailLine } of logLines(input).log) {
      if (!isDiffLine(text)) continue;
      yield { mailLine, text: 'The commit message has a line that looks like a diff.', key: text.trim() };
    }
  },
};

function isDiffLine(text: string): boolean {
  if (/^\s*(?:--- a\/|\+\+\+ b\/)/.test(text)) return true;
  return /^\s*@@ -\d+,\d+ \+\d+,\d+ @@/.test(text) || /^\s+diff\b.* b\/\S/.test(text);
}

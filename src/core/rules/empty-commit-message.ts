import { isBareDiff, isSuggestion, logLines, runsIntoDiff } from './log-lines.js';
import type { Rule, RuleInput } from './finding.js';

export const emptyCommitMessage: Rule = {
  id: 'empty-commit-message',
  title: 'No commit message',
  nit: true,
  why: 'The summary alone does not say why the change is made and how it was checked.',
  instead: 'Say what was wrong, what the patch does about it, and on what it was tested.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  checkpatch: 'COMMIT_MESSAGE',
  default: false,

  *check(input) {
    if (isSuggestion(input) || isBareDiff(input)) return;
    const { log, message, all, signedOff } = logLines(input);
    const lines = log.filter(({ text }) => text.trim() !== '').length;
    // Without a header the first line is a title.
    const title = hasHeader(input.message) || (all[0]?.text.trim() ?? '') === '' ? 0 : 1;
    // One line is a message where it is set apart by --- or by the sign-off under it.
    const setApart = !signedOff && (all.length > message.length || runsIntoDiff(input) !== undefined) ? 1 : 0;
    if (lines - title + setApart < 2) yield { text: 'The patch has no commit message.', key: 'message' };
  },
};

function hasHeader({ subject, from }: RuleInput['message']): boolean {
  return subject !== '' || from !== undefined;
}

import { isSuggestion, logLines } from './log-lines.js';
import type { Rule } from './finding.js';

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
    if (isSuggestion(input)) return;
    const { log, message, all, signedOff } = logLines(input);
    const lines = log.filter(({ text }) => text.trim() !== '').length;
    // One line is a message where it is set apart by --- or by the sign-off under it.
    const setApart = !signedOff && all.length > message.length ? 1 : 0;
    if (lines + setApart < 2) yield { text: 'The patch has no commit message.', key: 'message' };
  },
};

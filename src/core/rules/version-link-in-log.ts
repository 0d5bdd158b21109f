import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const versionLinkInLog: Rule = {
  id: 'version-link-in-log',
  title: 'Link to an earlier version in the commit message',
  nit: true,
  why: 'What changed between versions helps reviewers and means nothing in the history.',
  instead: 'Move it below the --- line.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  checkpatch: 'COMMIT_LOG_VERSIONING',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    for (const { text, mailLine } of logLines(input).log) {
      if (/^\s*v\d+:\s*https?:/i.test(text))
        yield { mailLine, text: 'This belongs below the --- line.', key: text.trim() };
    }
  },
};

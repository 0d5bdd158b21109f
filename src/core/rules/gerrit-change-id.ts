import { logLines } from './log-lines.js';
import type { Rule } from './finding.js';

export const gerritChangeId: Rule = {
  id: 'gerrit-change-id',
  title: "Gerrit's Change-Id in the commit message",
  nit: true,
  why: 'The id means nothing outside the review server of its company.',
  instead: 'Remove the Change-Id line; below the --- it does no harm.',
  level: 'error',
  confidence: 'high',
  source: 'scripts/checkpatch.pl GERRIT_CHANGE_ID @ v7.3',
  since: '0.1.0',
  checkpatch: 'GERRIT_CHANGE_ID',
  default: true,

  *check(input) {
    for (const { text, mailLine } of logLines(input).message) {
      if (/^\s*change-id:/i.test(text)) yield { mailLine, text: 'The commit message has a Change-Id line.', key: 'id' };
    }
  },
};

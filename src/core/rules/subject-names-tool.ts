import type { Rule } from './finding.js';

export const subjectNamesTool: Rule = {
  id: 'subject-names-tool',
  title: 'Summary names the tool, not the change',
  nit: true,
  why: 'A reader of the history wants to know what changed; which checker found it belongs into the commit message.',
  instead: 'Say what the patch changes and why; name the tool below.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl EMAIL_SUBJECT @ v7.3',
  since: '0.1.0',
  checkpatch: 'EMAIL_SUBJECT',
  default: false,

  *check({ message }) {
    const tool = /\b(checkpatch|sparse|smatch)\b(?!:)/i.exec(message.subject)?.[1];
    if (tool !== undefined)
      yield { text: `The summary names ${tool}, the tool, instead of the change.`, key: 'summary' };
  },
};

import type { Rule } from './finding.js';

const long = 5;

export const missingCoverLetter: Rule = {
  id: 'missing-cover-letter',
  title: 'Long series without a cover letter',
  nit: true,
  why: 'Reviewers of a long series look first for what it is about, and answer there.',
  instead: 'Send a cover letter (git format-patch --cover-letter).',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  default: false,

  // Of a cover letter that the mail does not answer the mail knows nothing: `review` lets the remark fall where one has come.
  *check({ message, patch }) {
    if (patch.index !== 1 || (patch.total ?? 1) < long) return;
    // A first patch that answers a mail most likely answers its cover letter.
    if (message.inReplyTo.length + message.references.length > 0) return;
    yield { text: `The series has ${patch.total} patches and no cover letter.`, key: 'cover' };
  },
};

import { authorSignOff } from './author-sign-off.js';
import type { Rule } from './finding.js';

export const missingAuthorSignOff: Rule = {
  id: 'missing-author-sign-off',
  title: 'Not signed off by its author',
  nit: true,
  why: 'The author of the patch must certify its origin himself.',
  instead: 'Add the sign-off of the author in From, or correct the From line.',
  level: 'error',
  confidence: 'medium',
  source:
    "Documentation/process/submitting-patches.rst, Sign your work - the Developer's Certificate of Origin @ v6.12",
  since: '0.1.0',
  checkpatch: 'NO_AUTHOR_SIGN_OFF',
  default: false,

  *check(input) {
    const found = authorSignOff(input);
    if (found.kind !== 'absent') return;
    yield { text: `The author, ${found.author}, has not signed off.`, key: 'author' };
  },
};

import { authorSignOff } from './author-sign-off.js';
import type { Rule } from './finding.js';

export const authorSignOffMismatch: Rule = {
  id: 'author-sign-off-mismatch',
  title: 'From and Signed-off-by differ',
  nit: true,
  why: 'The same person should appear under one name and address, or the history counts two.',
  instead: 'Use the same name and address in From and Signed-off-by.',
  level: 'warning',
  confidence: 'low',
  source: 'scripts/checkpatch.pl FROM_SIGN_OFF_MISMATCH @ v7.3',
  since: '0.1.0',
  checkpatch: 'FROM_SIGN_OFF_MISMATCH',
  default: false,

  *check(input) {
    const found = authorSignOff(input);
    if (found.kind !== 'differs') return;
    yield {
      text: `From and Signed-off-by differ in their ${found.what}: "${found.author}" and "${found.signer}".`,
      key: found.what,
      ...(found.what === 'comment' || found.what === 'case' ? { level: 'note' as const } : {}),
    };
  },
};

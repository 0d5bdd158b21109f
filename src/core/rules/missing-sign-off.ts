import { isBareDiff, isSuggestion } from './log-lines.js';
import type { Rule } from './finding.js';

export const missingSignOff: Rule = {
  id: 'missing-sign-off',
  title: 'No Signed-off-by line',
  nit: true,
  why: 'Without a sign-off nobody has certified the origin of the patch, and it cannot be applied.',
  instead: 'Add your Signed-off-by (git commit -s).',
  level: 'error',
  confidence: 'high',
  source:
    "Documentation/process/submitting-patches.rst, Sign your work - the Developer's Certificate of Origin @ v6.12",
  since: '0.1.0',
  checkpatch: 'MISSING_SIGN_OFF',
  default: true,

  *check(input) {
    if (isSuggestion(input) || isBareDiff(input)) return;
    // Below the diff it is of no use to git, but it is there.
    if (/^\s*signed-off-by:/im.test(input.message.text)) return;
    // A diff in a talk, or an RFC, is not meant to be applied yet: who asks for a sign-off there is a pedant.
    const { prefix, tags } = input.patch;
    const isPosted = /patch/i.test(prefix) && !tags.some((tag) => /^rf[ct]$/i.test(tag));
    yield { text: 'There is no Signed-off-by line.', key: 'sign-off', ...(isPosted ? {} : { confidence: 'low' }) };
  },
};

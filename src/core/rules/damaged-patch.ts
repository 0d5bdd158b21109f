import type { Rule } from './finding.js';

export const damagedPatch: Rule = {
  id: 'damaged-patch',
  title: 'Patch damaged on its way',
  nit: true,
  why: 'A hunk with wrapped or missing lines cannot be applied.',
  instead: 'Send it with git send-email, or see Documentation/process/email-clients.rst.',
  level: 'error',
  confidence: 'medium',
  source: 'Documentation/process/email-clients.rst @ v6.12',
  since: '0.1.0',
  checkpatch: 'CORRUPTED_PATCH',
  default: true,

  *check({ patch }) {
    for (const problem of patch.problems) {
      if (problem.kind !== 'wrapped-line' && problem.kind !== 'truncated-hunk') continue;
      const where = problem.mailLine === undefined ? {} : { mailLine: problem.mailLine };
      yield { ...where, text: 'This line is no line of a hunk, though the hunk is not at its end.', key: 'damaged' };
      return;
    }
  },
};

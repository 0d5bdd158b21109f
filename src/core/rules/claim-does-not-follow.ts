import type { Rule } from './finding.js';

export const claimDoesNotFollow: Rule = {
  id: 'claim-does-not-follow',
  title: 'Claim that its own numbers do not bear out',
  nit: false,
  why: 'Readers rely on the figures of a commit message, and they stand in the history for ever.',
  instead: 'Which of the two numbers is meant?',
  level: 'note',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes (quantify optimizations) @ v6.12',
  since: '0.1.0',
  default: true,

  *check({ evidence, patchIndex }) {
    // Claims belong to the mail; they are checked once, with its first patch.
    if (patchIndex !== 0) return;
    for (const { text, mailLine, checks, quoted } of evidence.claims) {
      // Somebody else said it.
      if (quoted) continue;
      const wrong =
        checks.find(({ of, holds }) => holds === 'no' && of !== 'unit') ?? checks.find((c) => c.holds === 'no');
      if (wrong === undefined) continue;
      const remark = { mailLine, text: `"${shorten(text)}": ${wrong.why}.`, key: `${wrong.of}: ${text}` };
      // What the log calls usecs is the kernel's slip, not the writer's: told beside, never a reason to write.
      yield wrong.of === 'unit' ? { ...remark, confidence: 'low', instead: 'The true times are those.' } : remark;
    }
  },
};

function shorten(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
}

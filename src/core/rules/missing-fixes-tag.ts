import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const missingFixesTag: Rule = {
  id: 'missing-fixes-tag',
  title: 'A fix without a Fixes tag',
  nit: true,
  why: 'Without it nobody can tell which released kernels have the fault.',
  instead: 'Name the commit that brought the fault in a Fixes: line, or say that it was always so.',
  level: 'warning',
  confidence: 'low',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  checkpatch: 'MISSING_FIXES_TAG',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    const { message, all } = logLines(input);
    if (all.some(({ text }) => /^\s*fixes:/i.test(text) || /\bthis reverts commit\b/i.test(text))) return;
    for (const { text, mailLine } of message) {
      const sign = /BUG: K?[A-Z]+SAN: |UBSAN: |Call Trace:|stable@|syzkaller/.exec(text)?.[0];
      if (sign === undefined) continue;
      yield { mailLine, text: `The commit message has "${sign.trim()}" but no Fixes: line.`, key: 'fixes' };
      return;
    }
  },
};

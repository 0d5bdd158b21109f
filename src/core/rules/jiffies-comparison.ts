import { addedIn } from './code-lines.js';
import type { Rule } from './finding.js';

const compared =
  /\b(?:jiffies|get_jiffies_64\(\))\s*(?:[<>]=?|[!=]=)(?![<>])|(?:[^<>=!-][<>]=?|[!=]=)\s*(?:jiffies|get_jiffies_64\(\))(?!\w)/;

export const jiffiesComparison: Rule = {
  id: 'jiffies-comparison',
  title: 'jiffies compared directly',
  nit: true,
  why: 'jiffies wraps, five minutes after boot for the first time; then the comparison is wrong for weeks.',
  instead: 'Use time_after(), time_before() and their kin.',
  level: 'warning',
  confidence: 'high',
  source: 'include/linux/jiffies.h, time_after() @ v6.12',
  since: '0.1.0',
  checkpatch: 'JIFFIES_COMPARISON',
  default: true,

  *check({ patch }) {
    for (const { code, raw, line, file } of addedIn(patch, 'h', 'c')) {
      if (!code.includes('jiffies') || !compared.test(code)) continue;
      const { newNumber, mailLine } = line;
      yield {
        file: file.path,
        line: newNumber,
        mailLine,
        text: 'jiffies is compared with an operator.',
        key: raw.trim(),
      };
    }
  },
};

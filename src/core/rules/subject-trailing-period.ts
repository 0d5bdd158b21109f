import { isSuggestion } from './log-lines.js';
import type { Rule } from './finding.js';

export const subjectTrailingPeriod: Rule = {
  id: 'subject-trailing-period',
  title: 'Summary ends with a period',
  nit: true,
  why: 'The summary is a headline: maintainers ask for it without a period.',
  instead: 'Drop the period at the end of the summary.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/maintainer-netdev.rst and reviewers on nine lists, 2019-2026',
  since: '0.1.0',
  default: true,

  *check(input) {
    if (isSuggestion(input)) return;
    if (/[^.\s]\.$/.test(input.patch.title.trim())) yield { text: 'The summary ends with a period.', key: 'summary' };
  },
};

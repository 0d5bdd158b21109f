import { isSuggestion } from './log-lines.js';
import type { Rule } from './finding.js';

const usual = 75;
const noteBand = 5;

export const subjectLength: Rule = {
  id: 'subject-length',
  title: 'Summary longer than 75 characters',
  nit: true,
  why: 'The summary is shown in one-line lists of commits; the kernel asks for at most 70-75 characters, without the brackets.',
  instead: 'Shorten the summary and move detail into the commit message.',
  level: 'warning',
  confidence: 'high',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    if (isSuggestion(input)) return;
    const limit = input.summaryLimit ?? usual;
    const length = [...input.patch.title].length;
    if (length > limit) {
      yield {
        text: `The summary has ${length} characters; ${limit} is the limit, brackets not counted.`,
        key: 'summary',
      };
    } else if (length > limit - noteBand) {
      const text = `The summary has ${length} of ${limit} characters.`;
      yield {
        text,
        key: 'summary',
        level: 'note',
        confidence: 'low',
        instead: 'Nothing; some maintainers ask for 70.',
      };
    }
  },
};

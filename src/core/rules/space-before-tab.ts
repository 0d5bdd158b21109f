import { addedIn } from './code-lines.js';
import type { Rule } from './finding.js';

export const spaceBeforeTab: Rule = {
  id: 'space-before-tab',
  title: 'Space before a tab',
  nit: true,
  why: 'The space cannot be seen and shifts the text for whoever has other tab stops.',
  instead: 'Drop the spaces before the tab.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl SPACE_BEFORE_TAB @ v7.3',
  since: '0.1.0',
  checkpatch: 'SPACE_BEFORE_TAB',
  default: false,

  *check({ patch }) {
    for (const { raw, line, file } of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      if (!raw.includes(' \t')) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'There is a space before a tab.', key: raw.trim() };
    }
  },
};

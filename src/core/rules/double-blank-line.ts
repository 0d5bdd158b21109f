import { addedIn, newSideNeighbour } from './code-lines.js';
import type { Rule } from './finding.js';

export const doubleBlankLine: Rule = {
  id: 'double-blank-line',
  title: 'More than one blank line together',
  nit: true,
  why: 'One blank line sets apart well enough.',
  instead: 'Keep one of the blank lines.',
  level: 'note',
  confidence: 'low',
  source: 'scripts/checkpatch.pl LINE_SPACING (strict) @ v7.3',
  since: '0.1.0',
  checkpatch: 'LINE_SPACING',
  default: false,

  *check({ patch }) {
    let last: number | undefined;
    for (const added of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      if (added.raw.trim() !== '') continue;
      const above = newSideNeighbour(added, -1);
      if (above === undefined || above.text.trim() !== '') continue;
      const { newNumber, mailLine } = added.line;
      const follows = last === mailLine - 1;
      last = mailLine;
      if (follows) continue;
      yield {
        file: added.file.path,
        line: newNumber,
        mailLine,
        text: 'Two blank lines stand together.',
        key: `${mailLine - added.hunk.mailLine}`,
      };
    }
  },
};

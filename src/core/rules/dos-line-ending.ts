import { addedLines } from './code-lines.js';
import type { Rule } from './finding.js';

export const dosLineEnding: Rule = {
  id: 'dos-line-ending',
  title: 'Line that ends in a carriage return',
  nit: true,
  why: 'Kernel sources end their lines in LF alone.',
  instead: 'Convert the file with dos2unix.',
  level: 'error',
  confidence: 'low',
  source: 'scripts/checkpatch.pl DOS_LINE_ENDINGS @ v7.3',
  since: '0.1.0',
  checkpatch: 'DOS_LINE_ENDINGS',
  default: false,

  *check({ patch }) {
    for (const { raw, line, file } of addedLines(patch)) {
      if (!raw.endsWith('\r')) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'The line ends in CR LF.', key: 'cr' };
      return;
    }
  },
};

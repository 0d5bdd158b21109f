import { addedLines } from './code-lines.js';
import type { Rule } from './finding.js';

export const dosLineEnd: Rule = {
  id: 'dos-line-end',
  title: 'Line that ends in a carriage return',
  nit: true,
  why: 'Files of the kernel end their lines in a line feed alone; a carriage return is white space at the end.',
  instead: 'Convert the lines (dos2unix), or the editor saves them so again.',
  level: 'error',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl DOS_LINE_ENDINGS @ v7.3',
  since: '0.1.0',
  checkpatch: 'DOS_LINE_ENDINGS',
  default: false,

  *check({ patch }) {
    // What mail put at every line end is gone by now: what is left is the file's.
    for (const { raw, line, file, hunk } of addedLines(patch)) {
      if (!raw.includes('\r')) continue;
      const wasDos = hunk.lines.some(({ kind, text }) => kind !== 'added' && text.endsWith('\r'));
      const { newNumber, mailLine } = line;
      const place = { file: file.path, line: newNumber, mailLine };
      const text = 'The line has a carriage return.';
      yield { ...place, text, key: 'cr', ...(wasDos ? { confidence: 'low' } : {}) };
    }
  },
};

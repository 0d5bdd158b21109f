import { addedLines } from './code-lines.js';
import type { Rule } from './finding.js';

export const trailingWhitespace: Rule = {
  id: 'trailing-whitespace',
  title: 'White space at the end of a line',
  nit: true,
  why: 'It shows in every later diff of the line and git warns of it.',
  instead: 'Remove the white space at the end.',
  level: 'error',
  confidence: 'medium',
  source: 'Documentation/process/coding-style.rst, Spaces @ v6.12',
  since: '0.1.0',
  checkpatch: 'TRAILING_WHITESPACE',
  default: false,

  *check({ patch }) {
    for (const { raw, line, file } of addedLines(patch)) {
      if (raw === '' || raw.trimEnd() === raw || raw.endsWith('\r')) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'The line ends in white space.', key: raw.trim() };
    }
  },
};

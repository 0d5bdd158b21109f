import { addedIn, sources } from './code-lines.js';
import type { Rule } from './finding.js';

export const missingNewlineAtEnd: Rule = {
  id: 'missing-newline-at-end',
  title: 'No newline at the end of the file',
  nit: true,
  why: 'The next line that is added there changes this one too.',
  instead: 'End the last line with a newline.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl MISSING_EOF_NEWLINE @ v7.3',
  since: '0.1.0',
  checkpatch: 'MISSING_EOF_NEWLINE',
  default: false,

  *check({ patch }) {
    for (const { line, file } of addedIn(patch, ...sources)) {
      if (line.noNewline !== true) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'The file ends without a newline.', key: 'newline' };
    }
  },
};

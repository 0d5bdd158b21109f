import { addedLines } from './code-lines.js';
import type { Rule } from './finding.js';

export const ownFileName: Rule = {
  id: 'own-file-name',
  title: 'File that names its own path',
  nit: true,
  why: 'The name is known to whoever has the file open, and is wrong after the first move.',
  instead: 'Leave the path out.',
  level: 'warning',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl EMBEDDED_FILENAME @ v7.3',
  since: '0.1.0',
  checkpatch: 'EMBEDDED_FILENAME',
  default: false,

  *check({ patch }) {
    for (const { raw, line, file } of addedLines(patch)) {
      if (!namesPath(raw, file.path)) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'The file names its own path.', key: 'path' };
    }
  },
};

function namesPath(raw: string, path: string): boolean {
  const at = raw.indexOf(path);
  if (at === -1) return false;
  return !/\w/.test(raw[at - 1] ?? ' ') && !/\w/.test(raw[at + path.length] ?? ' ');
}

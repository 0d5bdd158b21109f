import type { Rule } from './finding.js';

export const executableSource: Rule = {
  id: 'executable-source',
  title: 'Source file made executable',
  nit: true,
  why: 'Only scripts are run.',
  instead: 'Send the file with mode 100644.',
  level: 'error',
  confidence: 'medium',
  source: 'scripts/checkpatch.pl EXECUTE_PERMISSIONS @ v7.3',
  since: '0.1.0',
  checkpatch: 'EXECUTE_PERMISSIONS',
  default: false,

  *check({ patch }) {
    for (const { path, oldMode, newMode, mailLine, status } of patch.files) {
      // An index line shows the mode of a file that keeps it.
      if (status !== 'added' && oldMode === newMode) continue;
      if (newMode === undefined || status === 'deleted' || !/[1357]\d{0,2}$/.test(newMode.slice(-3))) continue;
      if (path.startsWith('scripts/') || /\.(?:py|pl|awk|sh)$/.test(path)) continue;
      yield { file: path, mailLine, text: `The file gets mode ${newMode}.`, key: newMode };
    }
  },
};

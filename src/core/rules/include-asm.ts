import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const includeAsm: Rule = {
  id: 'include-asm',
  title: 'Change under include/asm/',
  nit: true,
  why: 'include/asm was a link made by the build; the files live with their architecture.',
  instead: 'Change the file under arch/<architecture>/include/asm.',
  level: 'error',
  confidence: 'high',
  source: 'scripts/checkpatch.pl MODIFIED_INCLUDE_ASM @ v6.18',
  since: '0.1.0',
  checkpatch: 'MODIFIED_INCLUDE_ASM',
  default: true,

  *check({ patch, kernel }) {
    for (const { path, mailLine } of patch.files) {
      if (!path.startsWith('include/asm/')) continue;
      const home = isSince(kernel, '6.18') ? 'arch/<architecture>/include/asm' : 'include/asm-<architecture>';
      yield { file: path, mailLine, text: `This file belongs under ${home}.`, key: 'asm' };
    }
  },
};

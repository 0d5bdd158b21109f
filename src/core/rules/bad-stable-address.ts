import { logLines } from './log-lines.js';
import { parsePerson, signaturesOf, stableTail } from './signatures.js';
import type { Rule } from './finding.js';

export const badStableAddress: Rule = {
  id: 'bad-stable-address',
  title: 'Cc: stable with a name or a comment without #',
  nit: true,
  why: 'The stable scripts look for the bare address, with a comment only after #.',
  instead: 'Write "Cc: stable@vger.kernel.org # v6.1+".',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/stable-kernel-rules.rst @ v6.12',
  since: '0.1.0',
  checkpatch: 'BAD_STABLE_ADDRESS_STYLE',
  default: false,

  *check(input) {
    for (const { value, mailLine } of signaturesOf(logLines(input).all)) {
      const read = parsePerson(value);
      if (read === undefined) continue;
      if (!/^stable@(?:vger\.)?kernel\.org,?$/i.test(read.address) && !stableTail.test(read.tail)) continue;
      const comment = read.tail.replace(/^\((.*)\)$/, '$1');
      if (
        read.name === '' &&
        read.comment === '' &&
        (comment === '' || comment.startsWith('#')) &&
        !read.address.endsWith(',')
      )
        continue;
      yield { mailLine, text: `"${value}" is not how the stable scripts write it.`, key: 'stable' };
    }
  },
};

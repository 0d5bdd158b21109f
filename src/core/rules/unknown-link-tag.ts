import { logLines } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

export const unknownLinkTag: Rule = {
  id: 'unknown-link-tag',
  title: 'Link under a tag that tools do not know',
  nit: true,
  why: 'Only Link: and Closes: are followed by scripts and trackers.',
  instead: 'Use Link: for background, Closes: for the report that the patch settles.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  checkpatch: 'COMMIT_LOG_USE_LINK',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    for (const { text, mailLine } of logLines(input).log) {
      const tag = /^\s*(\w+):\s*http/.exec(text)?.[1];
      if (tag === undefined || /^(?:Link|Closes|[vV]\d+)$/.test(tag)) continue;
      yield { mailLine, text: `${tag}: is not a tag for links; Link: and Closes: are.`, key: tag };
    }
  },
};

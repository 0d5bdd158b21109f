import { linesOf } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

const archives =
  /\bhttps?:\/\/(?:[\w.-]+\.)?(?:marc\.info|spinics\.net|lkml\.org|lists\.infradead\.org|mail-archive\.com|lists\.ozlabs\.org\/pipermail|mailman\.alsa-project\.org\/pipermail|lists\.freedesktop\.org\/archives)\b/i;

export const archiveLinkNotLore: Rule = {
  id: 'archive-link-not-lore',
  title: 'Link to an archive other than lore',
  nit: true,
  why: 'Archives have come and gone; lore links carry the message-id and so stay findable.',
  instead: 'Use https://lore.kernel.org/r/<message-id>.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  checkpatch: 'PREFER_LORE_ARCHIVE',
  default: false,

  *check(input) {
    if (!isSince(input.kernel, '6.12')) return;
    // Once a mail; what a list's server adds below is not the author's.
    if (input.patchIndex !== 0 || !archives.test(input.message.text)) return;
    for (const [at, text] of linesOf(input.message).entries()) {
      if (/^_{20,}\s*$/.test(text)) return;
      // A list's own page is no archive of a mail; servers and mailers put its address below.
      if (!archives.test(text) || text.includes('/mailman/listinfo')) continue;
      yield { mailLine: at + 1, text: 'This archive link has a counterpart on lore.', key: text.trim() };
    }
  },
};

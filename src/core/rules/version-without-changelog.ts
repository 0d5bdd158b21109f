import { isSuggestion, logLines } from './log-lines.js';
import type { Rule } from './finding.js';

const changeLog = [
  /\bchange[ds]?(?:[ -]?log)?\b.*(?:\d|:|since|from|in |last|prev)/i,
  /\b(?:patch ?set|patch|version|rev|ver\.?)\s*v?\d/i,
  /\bv\d+(?:\.\d+)?\s*(?:[:\])/,=-]|to\b|$)/i,
  /\bsince\b|\bno (?:functional )?changes?\b|\bhistory\b|\bnew in v\d/i,
  /\b(?:fixed|added|dropped|removed|split|rebased|addressed)\b/i,
];

export const versionWithoutChangelog: Rule = {
  id: 'version-without-changelog',
  title: 'New version without a change log',
  nit: true,
  why: 'Who has read the last version wants to read only what changed.',
  instead: 'Say below the --- line what changed since the last version.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  default: false,

  *check(input) {
    const { patch } = input;
    // In a series the change log may stand in the cover letter.
    if (patch.version < 2 || (patch.total ?? 1) > 1 || isSuggestion(input)) return;
    if (patch.tags.some((tag) => /^(?:re-?sen[dt]|repost)$/i.test(tag))) return;
    const below = patch.notes.lines.filter((line) => !/\|\s*(?:\d+|Bin)|files? changed/.test(line));
    if (below.some(isChange)) return;
    const { message } = logLines(input);
    if (message.some(({ text }) => isChange(text))) return;
    yield { text: `Version ${patch.version} does not say what changed since the last one.`, key: 'changelog' };
  },
};

function isChange(line: string): boolean {
  return changeLog.some((sign) => sign.test(line));
}

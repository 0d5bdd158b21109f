import { isSuggestion, logLines } from './log-lines.js';
import type { Rule } from './finding.js';

const changeLog =
  /\bchange[ds]?(?:[ -]?log)?\b.*(?:\bv?\d|:|since|from|in|last|prev)|\b(?:patch ?set|patch|version|rev|ver\.?)\s*v?\d|\bv\d+(?:\.\d+)?\s*(?:[:\])/,-]|=?-+>|to\b|=|$)|\bsince\b|\bno (?:functional )?changes?\b|\bhistory\b|\bdiff(?:erence)?s?\b.*\bv\d|\bnew in v\d|\b(?:fixed|added|dropped|removed|split|rebased|addressed)\b/i;

export const versionWithoutChangelog: Rule = {
  id: 'version-without-changelog',
  title: 'New version without a change log',
  nit: true,
  why: 'Who has read the last version wants to read only what changed.',
  instead: 'Say below the --- line what changed since the last version.',
  level: 'warning',
  confidence: 'low',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  default: false,

  *check(input) {
    const { patch } = input;
    // In a series the change log may stand in the cover letter.
    if (patch.version < 2 || (patch.total ?? 1) > 1 || isSuggestion(input)) return;
    if (patch.tags.some((tag) => /^re-?send$/i.test(tag))) return;
    const below = patch.notes.lines.filter((line) => !/\|\s*(?:\d+|Bin)|files? changed/.test(line));
    if (below.some((line) => changeLog.test(line))) return;
    const { message } = logLines(input);
    if (message.some(({ text }) => changeLog.test(text))) return;
    yield { text: `Version ${patch.version} does not say what changed since the last one.`, key: 'changelog' };
  },
};

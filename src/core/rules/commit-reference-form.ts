import { isSuggestion, logLines } from './log-lines.js';
import { inStackDump } from './stack-dump.js';
import type { Rule } from './finding.js';

export const commitReferenceForm: Rule = {
  id: 'commit-reference-form',
  title: 'Commit named by its hash alone',
  nit: true,
  why: 'A hash says nothing to a reader, and a short one may become ambiguous.',
  instead: 'Write commit <12 or more characters of the sha> ("title").',
  level: 'error',
  confidence: 'low',
  source: 'Documentation/process/submitting-patches.rst, Describe your changes @ v6.12',
  since: '0.1.0',
  checkpatch: 'GIT_COMMIT_ID',
  default: false,

  *check(input) {
    if (isSuggestion(input)) return;
    const { log } = logLines(input);
    const dump = inStackDump(log);
    for (const [at, { text, mailLine }] of log.entries()) {
      if (
        dump[at] === true ||
        /\bcommit\s*$/i.test(log[at - 1]?.text ?? '') ||
        isExempt(text) ||
        !namesCommit(text, log[at + 1]?.text)
      )
        continue;
      const joined = [text, log[at + 1]?.text ?? ''].map((part) => part.trim()).join(' ');
      if (isWellWritten(joined)) continue;
      yield { mailLine, text: 'A commit is named without its title, or with too short a hash.', key: text.trim() };
    }
  },
};

function isExempt(text: string): boolean {
  return (
    /^\s*(?:link|patchwork|https?|buglink|base-commit):/i.test(text) || /^This reverts commit [0-9a-f]{7,40}/.test(text)
  );
}

function namesCommit(text: string, next: string | undefined): boolean {
  if (/\bcommit\s+[0-9a-f]{5,}\b/i.test(text)) return true;
  if (/\bcommit\s*$/i.test(text) && /^\s*[0-9a-f]{5,}\b/i.test(next ?? '')) return true;
  if (!/(?:^|\s)[0-9a-f]{12,40}(?:[\s"'([]|$)/i.test(text)) return false;
  return !/[<[][0-9a-f]{12,40}[>\]]/i.test(text) && !/\bfixes:\s*[0-9a-f]{12,40}/i.test(text);
}

function isWellWritten(joined: string): boolean {
  return /\b[Cc]ommit [0-9a-f]{12,40}\s*\("[^\n]*"\)/i.test(joined) && !/\bCOMMIT /.test(joined);
}

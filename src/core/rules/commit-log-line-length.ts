import { inStackDump } from './stack-dump.js';
import { isSuggestion, logLines, runsIntoDiff } from './log-lines.js';
import { isSince } from './version.js';
import type { Rule } from './finding.js';

const limit = 75;

// What cannot be wrapped: diffstat lines, a path that ends with a colon, tags.
const exempt = [
  /^\s*[\w./-]+\s*\|\s*\d+\s*[+-]*/,
  /^\s*(?:[\w.+-]*\/)+[\w.+-]+:/,
  /^\s*(?:fixes|link|closes|to|cc|[\w-]+-by):/i,
];

export const commitLogLineLength: Rule = {
  id: 'commit-log-line-length',
  title: 'Commit message line longer than 75 characters',
  nit: true,
  why: 'The commit message is read in terminals and quoted in mail, so it is wrapped at 75 columns.',
  instead: 'Wrap the commit message at 75 columns; logs, links and tags may be longer.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  checkpatch: 'COMMIT_LOG_LONG_LINE',
  default: true,

  *check(input) {
    if (isSuggestion(input)) return;
    const diff = runsIntoDiff(input);
    const { log } = logLines(input);
    const dump = inStackDump(log);
    const link = isSince(input.kernel, '6.18');
    let spoke = false;
    for (const [at, { text, mailLine }] of log.entries()) {
      if (text.length <= limit || dump[at] === true) continue;
      const length = [...text].length;
      if (length <= limit || exempt.some((pattern) => pattern.test(text))) continue;
      if (link && /^https?:/.test(text)) continue;
      const found = {
        mailLine,
        text: `This line of the commit message has ${length} characters; 75 is the limit.`,
        key: 'log',
      };
      if (!cannotWrap(text)) {
        yield found;
        return;
      }
      if (!spoke) yield { ...found, confidence: 'low' };
      spoke = true;
    }
    // A diff that follows without --- is taken for the message by tools.
    if (!spoke && diff !== undefined && diff.text.length > limit) {
      const text = 'The diff follows the message without a --- line, with a long line.';
      yield { mailLine: diff.mailLine, text, key: 'diff', confidence: 'low' };
    }
  },
};

// A link, a table or the output of a tool is longer for a reason; only prose is worth a remark.
function cannotWrap(text: string): boolean {
  if (text.split(/\s+/).some((word) => word.length > 40)) return true;
  return (text.trim().match(/ {2,}|\t/g) ?? []).length > 1 || /^(?:\s{4}|\t|[>|$#])/.test(text);
}

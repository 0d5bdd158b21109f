import { codesOf, commentMark } from './code-lines.js';
import { logLines } from './log-lines.js';
import type { Rule, RuleInput } from './finding.js';
import type { Hunk } from '../patch/index.js';

const reach = 4;
const reason =
  /\b(?:delay|sleep|wait|settl|stabl|stabili|poll|timeout|time|ms|us|milli|micro|udelay|mdelay|fsleep|spec|datasheet|ramp|debounce)/i;

export const delayWithoutReason: Rule = {
  id: 'delay-without-reason',
  title: 'Delay added without a comment or reason',
  nit: true,
  why: 'Nobody dares to touch a delay later whose reason is not written down.',
  instead: 'Could a comment, or the commit message, say what is waited for and where the number comes from?',
  level: 'note',
  confidence: 'low',
  source:
    'Reviewers of timing patches (facts/lists-and-bots.md, section 3); Documentation/process/coding-style.rst, Commenting @ v6.12',
  since: '0.1.0',
  default: false,

  *check(input) {
    const { changes, patchIndex } = input;
    if (logLines(input).all.some(({ text }) => reason.test(text)) || reason.test(input.patch.title)) return;
    for (const [at, change] of changes.entries()) {
      if (change.patch !== patchIndex || change.effect !== 'added') continue;
      if (change.kind !== 'sleep' && change.kind !== 'busy') continue;
      if (change.newLine === undefined || hasComment(input, change.file, change.newLine)) continue;
      yield {
        file: change.file,
        line: change.newLine,
        ...(change.mailLine === undefined ? {} : { mailLine: change.mailLine }),
        change: at,
        text: `What does ${change.after?.text ?? 'this delay'} wait for? Neither the code nor the message says.`,
      };
    }
  },
};

function hasComment(input: RuleInput, path: string, newLine: number): boolean {
  const hunks = input.patch.files.filter((file) => file.path === path).flatMap((file) => file.hunks);
  return hunks.some((hunk) => commentNear(hunk, newLine));
}

function commentNear(hunk: Hunk, newLine: number): boolean {
  const codes = codesOf(hunk);
  return hunk.lines.some((line, at) => {
    if (line.newNumber === undefined || Math.abs(line.newNumber - newLine) > reach || line.newNumber > newLine + 1)
      return false;
    return codes[at]?.includes(commentMark) === true;
  });
}

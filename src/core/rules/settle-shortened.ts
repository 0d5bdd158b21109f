import { formatSpan } from '../kernel/index.js';
import { changedWaits, placeOf, type Place } from './changed-waits.js';
import { logLines } from './log-lines.js';
import type { Rule, RuleInput } from './finding.js';

const backing =
  /\b(?:spec|specification|specs|specified|data ?sheet|manual|reference|trm|errata|erratum|vendor|measured|tested|verified|scope|oscilloscope|section|table|requires?|guarantee|minimum|at most|worst case)\b/i;

export const settleShortened: Rule = {
  id: 'settle-shortened',
  title: 'Settle time shortened without saying by what right',
  nit: false,
  why: 'A fixed wait after a command is what the hardware was given to get ready; nobody checks whether it was enough.',
  instead: 'Which line of the data sheet allows it, and on what hardware was it tried?',
  level: 'note',
  confidence: 'low',
  source: 'Reviewers of timing patches (Kroah-Hartman 2021, Carpenter 2025, Helgaas 2025)',
  since: '0.1.0',
  default: true,

  *check(input) {
    if (saysWhy(input)) return;
    for (const { change, where } of changedWaits(input)) {
      const { before, after, role, effect, inLoop, kind } = change;
      if (
        role.is !== 'settle' ||
        (kind !== 'sleep' && kind !== 'busy') ||
        inLoop === true ||
        before?.span === undefined
      )
        continue;
      if (effect !== 'changed' || after?.span === undefined || after.span.max * 2 > before.span.min) continue;
      const place = placeOf(input, change);
      if (place === undefined || !isOutsideLoops(place)) continue;
      yield {
        ...where,
        text: `The hardware had ${formatSpan(before.span)} to settle and gets ${formatSpan(after.span)}.`,
      };
    }
  },
};

function saysWhy(input: RuleInput): boolean {
  return logLines(input).all.some(({ text }) => backing.test(text));
}

/** The hunk shows every block around the wait, up to its function, and none of them is a loop. */
function isOutsideLoops({ lines, at }: Place): boolean {
  let depth = tabs(lines[at]?.code ?? '');
  for (let up = at - 1; up >= 0 && depth > 1; up--) {
    const code = lines[up]?.code ?? '';
    if (code.trim() === '' || /^\w+:/.test(code) || code.startsWith('#')) continue;
    if (tabs(code) >= depth) continue;
    depth = tabs(code);
    if (/\b(?:for|while|do|\w*for_each\w*)\b/.test(code)) return false;
  }
  return depth <= 1;
}

function tabs(code: string): number {
  return /^\t*/.exec(code)?.[0].length ?? 0;
}

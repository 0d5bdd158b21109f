import { logLines } from './log-lines.js';
import { changedWaits } from './changed-waits.js';
import type { Rule, RuleInput } from './finding.js';

export const unitSlip: Rule = {
  id: 'unit-slip',
  title: 'Same number, other unit',
  nit: false,
  why: 'A call was replaced by one that counts in another unit, and its argument was kept: the wait is a thousand times shorter or longer.',
  instead: 'Is the new length meant? If not, convert the argument.',
  level: 'warning',
  confidence: 'low',
  source: 'include/linux/delay.h @ v6.12; include/linux/sched.h, schedule_timeout() counts in jiffies @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    for (const { change, where } of changedWaits(input)) {
      const { before, after, effect } = change;
      if (effect !== 'changed' || before === undefined || after === undefined || before.api === after.api) continue;
      const [old, fresh] = [numberIn(before.text), numberIn(after.text)];
      if (old === undefined || old !== fresh || saysSo(input, old)) continue;
      const slip = slipOf(before, after);
      if (slip !== undefined) yield { ...where, text: `${before.text} became ${after.text}: ${slip}.` };
    }
  },
};

type Side = { readonly text: string; readonly span?: { readonly min: number; readonly max: number } };

function slipOf(before: Side, after: Side): string | undefined {
  if (isBareJiffies(after.text) && /msleep|msecs_to_jiffies/.test(before.text)) {
    return 'the number was milliseconds and is now jiffies, 4 ms each with HZ=250';
  }
  if (before.span === undefined || after.span === undefined || after.span.min === 0 || before.span.min === 0)
    return undefined;
  const factor = before.span.min / after.span.min;
  if (near(factor, 1e3) || near(factor, 1e6)) return `the same number is now ${Math.round(factor)} times shorter`;
  if (near(1 / factor, 1e3) || near(1 / factor, 1e6))
    return `the same number is now ${Math.round(1 / factor)} times longer`;
  return undefined;
}

function near(value: number, wanted: number): boolean {
  return Math.abs(value - wanted) < wanted * 0.001;
}

function isBareJiffies(text: string): boolean {
  return /^schedule_timeout\w*\s*\(\s*\d+\s*\)$/.test(text);
}

function numberIn(text: string): string | undefined {
  return /[(,]\s*(\d+)\s*[,)]/.exec(text)?.[1];
}

// "sleep 10 us instead of 10 ms" is meant.
function saysSo(input: RuleInput, number: string): boolean {
  const text = [input.patch.title, ...logLines(input).message.map((line) => line.text)].join(' ');
  return new RegExp(`\\b${number}\\s*(?:us|µs|usec|micro|ns|nano|jiffies)`, 'i').test(text);
}

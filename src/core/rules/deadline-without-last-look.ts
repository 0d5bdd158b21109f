import { changedWaits, isSleep, placeOf, type Place } from './changed-waits.js';
import type { Rule } from './finding.js';

const reach = 8;
const expired =
  /\b(?:time_after(?:_eq)?|time_is_before_jiffies|time_before(?:_eq)?|ktime_(?:after|compare|before))\s*\(/;

export const deadlineWithoutLastLook: Rule = {
  id: 'deadline-without-last-look',
  title: 'Timeout reported without a last look',
  nit: false,
  why: 'If the sleep ends after the deadline, the device may have become ready meanwhile, and the code reports a timeout all the same.',
  instead: 'Look once more after the deadline, as read_poll_timeout() does.',
  level: 'note',
  confidence: 'low',
  source: 'include/linux/iopoll.h, read_poll_timeout() reads once more @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    for (const { change, where } of changedWaits(input)) {
      const { before, after, effect } = change;
      if (after === undefined || !isSleep(after) || (effect !== 'added' && effect !== 'changed')) continue;
      // A shorter sleep makes an old loop better, not worse.
      if (before?.span !== undefined && (after.span === undefined || after.span.max <= before.span.max)) continue;
      const place = placeOf(input, change);
      if (place === undefined || !givesUpBlindly(place)) continue;
      yield {
        ...where,
        text: `After ${after.text} the deadline is tested, and the loop gives up without another look.`,
      };
    }
  },
};

/** Directly after the sleep comes the test of the deadline, and what it leads to is an error. */
function givesUpBlindly({ lines, at }: Place): boolean {
  const next = lines.slice(at + 1, at + 1 + reach).map(({ code }) => code.trim());
  const first = next.findIndex((code) => code !== '' && code !== '}');
  const test = next[first] ?? '';
  if (!expired.test(test)) return false;
  const rest = next.slice(first + 1).filter((code) => code !== '' && code !== '}');
  if (/^\}?\s*while\s*\(/.test(test)) return isError(rest[0] ?? '');
  if (!/^if\s*\(/.test(test) || /&&|\|\|/.test(test)) return false;
  return isError(rest[0] ?? '') || (/^\w+\s*\([^;]*\);$/.test(rest[0] ?? '') && isError(rest[1] ?? ''));
}

function isError(code: string): boolean {
  return /^(?:return|(?:err|ret|rc|status)\s*=)\s*-E(?:TIME|TIMEDOUT|IO|NODEV|BUSY|AGAIN)\b/.test(code);
}

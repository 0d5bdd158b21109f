import type { ArgumentUnit } from './catalogue.js';

/** Words of an identifier, lower case: `ENA_POLL_DELAY_US` and `pollDelayUs` alike. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((w) => w !== '');
}

/** A subject that speaks of waiting. */
export const SPEAKS_OF_TIME = /time-?(?:d )?out|\b(?:delay|wait|sleep|poll|retr)/i;

const TIME =
  /^(?:timeouts?|timeo|tmo|tout|delays?|udelay|mdelay|waits?|sleep|usleep|msleep|intervals?|periods?|poll|polling|settle|debounce|deadline|expires?|watchdog|autosuspend|latency|backoff|ms|us|usecs?|msecs?|secs|jiffies|holdoff|dwell)$/;

/** The name speaks of time that somebody waits. */
export function isTimeName(name: string): boolean {
  const words = wordsOf(name);
  if (!words.some((w) => TIME.test(w) || /(?:timeout|delay|sleep|interval)$/.test(w))) return false;
  return unitOfName(name) !== undefined || !words.some((w) => OF_TIME.test(w));
}

/** What a period, a poll or a timeout has, and is no time: `period_bytes`, `poll_regs`, `timeout_bits`. */
const OF_TIME =
  /^(?:bytes|sizes?|len|regs?|registers?|offsets?|freqs?|frames?|samples?|coeffs?|names?|ids?|states?|modes?|bits?|str|strings|attrs?|ops|fops|masks?|shift)$/;

/** The name speaks of an upper bound. */
export function isTimeoutName(name: string): boolean {
  return wordsOf(name).some((w) => /timeout|^(?:timeo|tmo|tout|deadline|expires?)$/.test(w));
}

/** The name counts tries. */
export function isCountName(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((w) => /^(?:retry|retries|retrys|tries|attempts?|loops|maxloops?|spins?|iterations)$/.test(w)))
    return true;
  const some = (pattern: RegExp): boolean => words.some((w) => pattern.test(w));
  if (some(/^(?:loops?|polls?|waits?|try|busy|timeout)$/) && some(/^(?:count|cnt|num|nr)$/)) return true;
  // The longest wait is a time, the most polls are a count unless a unit says otherwise.
  return some(/^(?:loop|polls?|try|busy)$/) && some(/^(?:max|limit)$/) && unitOfName(name) === undefined;
}

/** The unit that a name ends in or carries: only used where the use of the constant does not tell. */
export function unitOfName(name: string): ArgumentUnit | undefined {
  for (const word of wordsOf(name).reverse()) {
    if (/^(?:us|usec|usecs|udelay|usleep|microseconds|microsec)$/.test(word)) return 'us';
    if (/^(?:ms|msec|msecs|mdelay|msleep|milliseconds|millisec|mseconds)$/.test(word)) return 'ms';
    if (/^(?:ns|nsec|nsecs|ndelay|nanoseconds)$/.test(word)) return 'ns';
    if (/^(?:s|sec|secs|seconds)$/.test(word)) return 's';
    if (/^(?:jiffies)$/.test(word)) return 'jiffies';
  }
  return undefined;
}

/** The unit that a remark beside a constant names: `/* msec *\/`. */
export function unitOfRemark(text: string): ArgumentUnit | undefined {
  if (/\b(?:us|usecs?|microsec(?:ond)?s?)\b|\d ?us\b|µs/i.test(text)) return 'us';
  if (/\b(?:ms|msecs?|millisec(?:ond)?s?)\b|\d ?ms\b/i.test(text)) return 'ms';
  if (/\b(?:ns|nsecs?|nanosec(?:ond)?s?)\b/i.test(text)) return 'ns';
  if (/\b(?:secs?|seconds?)\b|\d ?s\b/i.test(text)) return 's';
  if (/\bjiffies\b/i.test(text)) return 'jiffies';
  return undefined;
}

/** `b` of `a->b[0]`; a text that does not end in a name as it is. */
export function lastName(text: string): string {
  return /(\w+)(?:\[[^\]]*\])*$/.exec(text)?.[1] ?? text;
}

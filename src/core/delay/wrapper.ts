import type { ArgumentUnit } from './catalogue.js';
import { wordsOf } from './words.js';

type Shape = readonly [RegExp, 'sleep' | 'busy', ArgumentUnit];

const US = '(?:us|usecs?|micro_?sec(?:ond)?s?)';
const MS = '(?:ms|msecs?|milli_?sec(?:ond)?s?)';

const SHAPES: readonly Shape[] = [
  [/(?:^|_)usleep(?:_range)?$/, 'sleep', 'us'],
  [/(?:^|_)msleep(?:_\w+)?$/, 'sleep', 'ms'],
  [/(?:^|_)ssleep$/, 'sleep', 's'],
  [/(?:^|_)fsleep$/, 'sleep', 'us'],
  [/(?:^|_)udelay(?:_\w{1,3})?$/, 'busy', 'us'],
  [/(?:^|_)mdelay(?:_\w{1,3})?$/, 'busy', 'ms'],
  [/(?:^|_)ndelay$/, 'busy', 'ns'],
  [/(?:^|_)wait_ms$/, 'busy', 'ms'],
  [/(?:^|_)wait_us$/, 'busy', 'us'],
  [new RegExp(`(?:^|_)(?:sleep|delay|backoff|pause)_?${US}$`), 'sleep', 'us'],
  [new RegExp(`(?:^|_)(?:sleep|delay|backoff|pause)_?${MS}$`), 'sleep', 'ms'],
  [new RegExp(`(?:^|_)${US}_(?:sleep|delay)(?:_irq)?$`), 'busy', 'us'],
  [new RegExp(`(?:^|_)${MS}_(?:sleep|delay)(?:_irq)?$`), 'sleep', 'ms'],
];

/** A name outside the catalogue that says by itself that it waits, in which unit: foo_msleep, BAR_DELAY_US, DelayMs. */
export function wrapperUnit(name: string): { kind: 'sleep' | 'busy'; unit: ArgumentUnit } | undefined {
  // Every name of a hunk is asked about: most have none of the words.
  if (!/sleep|delay|wait|backoff|pause/i.test(name)) return undefined;
  const words = wordsOf(name);
  if (words.some((w) => NO_WAIT.test(w))) return undefined;
  const lower = words.join('_');
  for (const [pattern, kind, unit] of SHAPES) {
    if (pattern.test(lower)) return { kind, unit };
  }
  return undefined;
}

/** Functions that keep a delay, tell it or work it out, and wait for nothing. */
const NO_WAIT =
  /^(?:set|get|show|store|calc\w*|compute|to|parse|config|update|read|write|init|max|min|is|has|add|sub)$/;

/** `toy_delay(10)`: a name that says that it waits, not in which unit. */
export function isDelayName(name: string): boolean {
  const words = /delay$/i.test(name) ? wordsOf(name) : [];
  return (
    words.length > 1 &&
    words.at(-1) === 'delay' &&
    !words.some((w) => NO_WAIT.test(w) || /^(?:tx|rx|clk|work)$/.test(w))
  );
}

import type { ArgumentUnit } from './catalogue.js';

const SHAPES: readonly [RegExp, 'sleep' | 'busy', ArgumentUnit][] = [
  [/(?:^|_)usleep(?:_range)?$/, 'sleep', 'us'],
  [/(?:^|_)msleep(?:_\w+)?$/, 'sleep', 'ms'],
  [/(?:^|_)ssleep$/, 'sleep', 's'],
  [/(?:^|_)fsleep$/, 'sleep', 'us'],
  [/(?:^|_)udelay$/, 'busy', 'us'],
  [/(?:^|_)mdelay$/, 'busy', 'ms'],
  [/(?:^|_)ndelay$/, 'busy', 'ns'],
  [/(?:^|_)wait_ms$/, 'busy', 'ms'],
  [/(?:^|_)wait_us$/, 'busy', 'us'],
  [/(?:^|_)(?:sleep|delay)_(?:us|usecs?)$/, 'sleep', 'us'],
  [/(?:^|_)(?:sleep|delay)_(?:ms|msecs?)$/, 'sleep', 'ms'],
  [/(?:^|_)backoff_(?:us|usecs?)$/, 'sleep', 'us'],
  [/(?:^|_)backoff_(?:ms|msecs?)$/, 'sleep', 'ms'],
];

/** A name outside the catalogue that says by itself that it waits, in which unit: foo_msleep, BAR_DELAY_US. */
export function wrapperUnit(name: string): { kind: 'sleep' | 'busy'; unit: ArgumentUnit } | undefined {
  const lower = name.toLowerCase();
  for (const [pattern, kind, unit] of SHAPES) {
    if (pattern.test(lower)) return { kind, unit };
  }
  return undefined;
}

import type { Ns, Span } from '../kernel/index.js';
import type { Inference } from './infer.js';
import type { Segment } from './log-window.js';
import type { PairedRuns } from './paired-runs.js';

/**
 * Work between the waits that the old waits hid: a sleep by the timer wheel ends on a tick, so what a driver does before it
 * falls asleep again costs nothing until it is longer than what is left of the tick. With short sleeps it costs all of its time.
 * The least of it that both logs allow: what the after log has beside its waits, less what the before log can have beside its own.
 */
export function hiddenWork(segments: readonly Segment[], fit: Inference, short: Span): Ns {
  let hidden = 0;
  let first = true;
  for (const [i, segment] of segments.entries()) {
    const count = fit.perSegment[i] ?? 0;
    if (count === 0) continue;
    if (segment.after === undefined) return 0;
    const least = (first ? fit.first.min : fit.each) + (count - 1) * fit.each;
    // As much as cannot have been otherwise: the longest short sleeps, the shortest old ones.
    const work = segment.after - count * short.max;
    const shown = Math.max(0, segment.before - least);
    hidden += Math.min(count * fit.each, Math.max(0, work - shown));
    first = false;
  }
  return Math.round(hidden);
}

/** The runs with what the old waits no longer hide put on the new side. */
export function withHiddenWork(runs: PairedRuns, hidden: Ns): PairedRuns {
  if (hidden === 0) return runs;
  const { after, saved } = runs;
  return {
    before: runs.before,
    after: { ...after, min: after.min + hidden, likely: after.likely + hidden, max: after.max + hidden },
    saved: { min: saved.min - hidden, likely: saved.likely - hidden, max: saved.max - hidden },
  };
}

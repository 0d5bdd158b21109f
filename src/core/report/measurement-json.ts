import type { Measurement } from '../evidence/index.js';
import { toUs } from '../kernel/index.js';

type Measured = Pick<Measurement, 'what' | 'anchor' | 'before' | 'after' | 'saved' | 'verdict' | 'reached'>;

/** What every contract says of a measurement, in microseconds; each adds its own fields behind. */
export function measurementToJson(m: Measured): Record<string, unknown> {
  return {
    what: m.what,
    anchor: m.anchor,
    before: m.before.map(toUs),
    after: m.after.map(toUs),
    savedUs: m.saved === undefined ? null : toUs(m.saved),
    verdict: m.verdict,
    reached: m.reached,
  };
}

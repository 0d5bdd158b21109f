import type { Measurement } from '../evidence/index.js';
import { sayMeasured, sayNumber } from './say.js';

const mostSaid = 2;

/** What the mail's own logs show, as measured: `Your log: 210.9 ms less to "queues". One boot a side.` Empty without any. */
export function measurementWords(measurements: readonly Measurement[]): string {
  const own = measurements.filter((m) => m.saved !== undefined && m.before.length > 0 && m.after.length > 0);
  if (own.length === 0) return '';
  const said = own.slice(0, mostSaid).map((m) => `${difference(m)} ${placeOf(m)}`);
  const boots = Math.max(...own.map((m) => Math.min(m.before.length, m.after.length)));
  const runs = boots === 1 ? 'One boot a side, so no spread is known.' : `Medians of ${sayNumber(boots)} boots a side.`;
  const missed = own.find((m) => m.reached === 'no');
  const reach =
    missed === undefined ? '' : ` These runs cannot have met the changed wait: ${missed.reachedBy ?? 'too short'}.`;
  return `Your log, measured: ${said.join('; ')}. ${runs}${reach}`;
}

function difference(m: Measurement): string {
  const saved = m.saved ?? 0;
  const [before] = m.before;
  const [after] = m.after;
  const single = m.before.length === 1 && m.after.length === 1 && before !== undefined && after !== undefined;
  const detail = single ? ` (${sayMeasured(before)} to ${sayMeasured(after)})` : '';
  return saved >= 0 ? `${sayMeasured(saved)} less${detail}` : `${sayMeasured(-saved)} more${detail}`;
}

function placeOf(m: Measurement): string {
  return `for ${m.what} from "${m.anchor}"`;
}

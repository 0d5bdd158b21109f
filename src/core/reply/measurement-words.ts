import type { Measurement } from '../evidence/index.js';
import { sayMeasured, sayNumber } from './say.js';

/** What the mail's own logs show, as measured: the largest difference and that up to init. Empty without any. */
export function measurementWords(measurements: readonly Measurement[]): string {
  const all = measurements.filter((m) => m.saved !== undefined && m.before.length > 0 && m.after.length > 0);
  const largest = Math.max(...all.map((m) => Math.abs(m.saved ?? 0)));
  // A difference of a hundredth of the largest is the log's own noise.
  const told = all.filter((m) => Math.abs(m.saved ?? 0) >= largest / 100);
  const [first] = told;
  if (first === undefined) return '';
  const init = told.find((m) => m !== first && /\binit\b/.test(m.what));
  const said = [first, ...(init === undefined ? [] : [init])].map((m) => `${difference(m)} ${placeOf(m)}`);
  const boots = Math.min(first.before.length, first.after.length);
  const runs = boots === 1 ? 'One boot a side.' : `Medians of ${sayNumber(boots)} boots a side.`;
  const missed = told.find((m) => m.reached === 'no');
  const reach =
    missed === undefined ? '' : ` These runs cannot have met the changed wait: ${missed.reachedBy ?? 'too short'}.`;
  const unit = first.unitNs === 1024 ? ' Its "usecs" are 1024 ns each (kernels up to v5.17).' : '';
  return `${whose(first)}, measured: ${said.join(', ')}.${unit} ${runs}${reach}`;
}

function whose(m: Measurement): string {
  if (m.byAuthor === undefined) return 'The log';
  return m.byAuthor ? 'Your log' : 'A log in this thread';
}

function difference(m: Measurement): string {
  const saved = m.saved ?? 0;
  const [before] = m.before;
  const [after] = m.after;
  const single = m.before.length === 1 && m.after.length === 1 && before !== undefined && after !== undefined;
  const detail = single ? ` (${sayMeasured(before)} to ${sayMeasured(after)})` : '';
  return saved >= 0 ? `${sayMeasured(saved)} less${detail}` : `${sayMeasured(-saved)} more${detail}`;
}

const longestName = 40;

function placeOf(m: Measurement): string {
  return m.anchor === '' || m.anchor === 'its call' ? `in ${shortened(m.what)}` : `to "${shortened(m.what)}"`;
}

function shortened(text: string): string {
  return text.length <= longestName ? text : `...${text.slice(text.length - longestName + 3)}`;
}

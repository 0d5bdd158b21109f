import type { DelayChange } from '../delay/index.js';
import type { Evidence } from '../evidence/index.js';

/** Below this a path is a guess from names, and a boot log in the mail knows better. */
const guess = 0.5;

/** Changes whose path the code does not tell, placed on the way to init by a boot log that shows them there. */
export function placeByLog(changes: readonly DelayChange[], evidence: Evidence): DelayChange[] {
  const boots = evidence.logs.some((log) => log.initcalls.length > 0);
  const met = evidence.measurements.some((m) => m.reached !== 'no' && m.byAuthor !== false && (m.saved ?? 0) !== 0);
  if (!boots || !met) return [...changes];
  return changes.map((change) => {
    const { is, sure } = change.path;
    if (is !== 'unknown' && (is !== 'runtime' || sure >= guess)) return change;
    return { ...change, path: { is: 'init', by: 'the boot log in the mail', sure: 0.6 } };
  });
}

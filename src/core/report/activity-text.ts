import type { Activity, ActivityRow } from './summary.js';
import { entry, plainLine } from './lines.js';

/** Counts in the order in which they are shown, with their heads. */
export const activityColumns = [
  ['sent', 'sent'],
  ['dryRun', 'dry run'],
  ['approved', 'approved'],
  ['waiting', 'waiting'],
  ['rejected', 'rejected'],
  ['expired', 'expired'],
  ['failed', 'failed'],
  ['parked', 'parked'],
  ['wrong', 'wrong'],
] as const satisfies readonly (readonly [keyof ActivityRow, string])[];

/** What the bot did, by list and month; columns in which nothing happened are left out. */
export function activityToText({ rows, mutes, wrong }: Activity): string[] {
  const lines = ['What Reveille did:'];
  if (rows.length === 0) lines.push('   nothing');
  const shown = activityColumns.filter(([key]) => rows.some((row) => row[key] > 0));
  for (const list of [...new Set(rows.map((row) => row.list))]) {
    lines.push(`   ${plainLine(list)}`, `     ${['month  ', ...shown.map(([, head]) => head)].join('  ')}`);
    for (const row of rows.filter((one) => one.list === list)) {
      lines.push(
        `     ${[row.month, ...shown.map(([key, head]) => String(row[key]).padStart(head.length))].join('  ')}`,
      );
    }
  }
  for (const mark of wrong) lines.push(...entry('wrong', `${mark.rule}, by ${mark.by}, ${mark.at.slice(0, 10)}`));
  for (const mute of mutes)
    lines.push(...entry('muted', `${mute.scope} ${mute.key}, by ${mute.by}, ${mute.at.slice(0, 10)}: ${mute.why}`));
  return lines;
}

import { measureLogs, readBootLogs, type Measurement } from '../../../src/core/evidence/index.js';
import type { TextFile } from './boot-logs.js';
import { check } from './halves.js';

/** Pairs NAME-before-runN, NAME-after-runN: what changed locally, and what the boot gained of it. */
export function evalPairs(files: readonly TextFile[]): void {
  const groups = new Map<string, { before: string[]; after: string[] }>();
  for (const { name, text } of files) {
    const m = /^(.*)-(before|after)-run\d+\.log$/.exec(name);
    if (!m) continue;
    const group = groups.get(m[1] ?? '') ?? { before: [], after: [] };
    (m[2] === 'before' ? group.before : group.after).push(text);
    groups.set(m[1] ?? '', group);
  }
  for (const [name, { before, after }] of groups) {
    const logs = (texts: readonly string[]) => texts.flatMap((t) => readBootLogs(t, 'file'));
    const found = measureLogs(logs(before), logs(after));
    console.log(`pair ${name} (${String(before.length)} and ${String(after.length)} runs):`);
    for (const m of found) console.log(`  ${line(m)}`);
    // README: N- is on the path to init, M- saves the same at the driver and nothing at boot.
    const [local, boot] = [/queues$/, /^Run /].map((p) => found.find((m) => p.test(m.what))?.saved ?? NaN);
    if (local === undefined || boot === undefined) continue;
    const told = `${ms(local)} at the driver, ${ms(boot)} at boot`;
    if (name.startsWith('N-')) check(`boot gain, ${name}`, told, 'both alike', Math.abs(local - boot) <= 0.05 * local);
    if (name.startsWith('M-'))
      check(`boot gain, ${name}`, told, 'about 210 ms and none', local > 200e6 && Math.abs(boot) <= 0.05 * local);
  }
}

function line(m: Measurement): string {
  return `${m.what} from ${m.anchor}: saved ${((m.saved ?? 0) / 1e6).toFixed(1)} ms`;
}

function ms(value: number): string {
  return `${(value / 1e6).toFixed(1)} ms`;
}

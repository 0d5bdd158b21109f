import { readBootLogs, slowest, timelineOf } from '../../../src/core/evidence/index.js';
import { check, halfOf, share } from './halves.js';

export type TextFile = { readonly name: string; readonly text: string };

// What grep finds, a line that a mailer wrapped counted as one.
const finished = /initcall (\S+?)(?:\+0x\S+)?(?: \[\S+\])? returned (?:-?\d+ )?after[ \n>|]+(\d+)/g;

/** Every file is read or its format is named unknown; counts, total and the slowest ten equal those of a plain grep. */
export function evalBootLogs(set: string, files: readonly TextFile[], verbose: boolean): void {
  const tally = {
    A: { read: 0, unknown: 0, count: 0, total: 0, slow: 0, of: 0 },
    B: { read: 0, unknown: 0, count: 0, total: 0, slow: 0, of: 0 },
  };
  for (const { name, text } of files) {
    const half = halfOf(name);
    const t = tally[half];
    t.of++;
    const logs = readBootLogs(text, 'file');
    const formats = [...new Set(logs.map((l) => l.format))];
    if (logs.length > 0) t.read++;
    else t.unknown++;
    const grep = [...text.matchAll(finished)].map((m) => ({ name: m[1] ?? '', logged: Number(m[2]) }));
    const traced = logs.filter((l) => l.format === 'ftrace').flatMap((l) => l.initcalls).length;
    const calls = logs.flatMap((l) => l.initcalls.filter((c) => c.kind !== 'probe'));
    const counted = calls.length - traced === grep.length;
    const total = calls.filter(() => traced === 0).reduce((sum, c) => sum + c.logged, 0);
    const summed = total === grep.reduce((sum, c) => sum + c.logged, 0);
    const top = logs
      .flatMap((l) => slowest(timelineOf(l), 10))
      .sort((a, b) => b.logged - a.logged)
      .slice(0, 10);
    const wanted = [...grep].sort((a, b) => b.logged - a.logged).slice(0, 10);
    const slow = traced > 0 || JSON.stringify(top.map((c) => c.logged)) === JSON.stringify(wanted.map((c) => c.logged));
    if (counted) t.count++;
    if (summed) t.total++;
    if (slow) t.slow++;
    if (verbose && half === 'A') {
      const state = `${counted ? '' : ` count ${String(calls.length)} not ${String(grep.length)}`}${summed ? '' : ' total'}${slow ? '' : ' slowest'}`;
      console.log(
        `  ${name}: ${String(logs.length)} logs, ${formats.join(', ') || 'NONE'}; ${String(calls.length)} initcalls${state}`,
      );
      if (!slow)
        console.log(
          `    ${top.map((c) => `${c.name} ${String(c.logged)}`).join(', ')}\n    ${wanted.map((c) => `${c.name} ${String(c.logged)}`).join(', ')}`,
        );
    }
  }
  for (const half of ['A', 'B'] as const) {
    const t = tally[half];
    console.log(
      `${set}, half ${half}: read: ${share(t.read, t.of)}, no known format: ${String(t.unknown)} (all read or named unknown)`,
    );
    console.log(`${set}, half ${half}: initcall count as grep's: ${share(t.count, t.of)} (100 %)`);
    console.log(`${set}, half ${half}: total right: ${share(t.total, t.of)} (100 %)`);
    console.log(`${set}, half ${half}: slowest ten right: ${share(t.slow, t.of)} (100 %)`);
  }
  const sum = (pick: (t: (typeof tally)['A']) => number): number => pick(tally.A) + pick(tally.B);
  const of = sum((t) => t.of);
  for (const [what, right] of [
    ["initcall count as grep's", sum((t) => t.count)],
    ['total right', sum((t) => t.total)],
    ['slowest ten right', sum((t) => t.slow)],
    ['read, or no log in it', sum((t) => t.read + t.unknown)],
  ] as const)
    check(`${set}: ${what}`, share(right, of), '100 %', right === of);
}

/** HZ stands in the names of our own kernels (hz1000), and Debian's are 250; the unit follows from the version line. */
export function evalFingerprints(files: readonly TextFile[], verbose: boolean): void {
  const tally = {
    A: { right: 0, none: 0, wrong: 0, unit: 0, of: 0 },
    B: { right: 0, none: 0, wrong: 0, unit: 0, of: 0 },
  };
  for (const { name, text } of files) {
    if (!/\.(?:log|dmesg)$/.test(name)) continue;
    const version = /Linux version (\d+)\.(\d+)/.exec(text);
    const [log] = readBootLogs(text, 'file');
    if (!version || !log || log.initcalls.length < 100) continue;
    const t = tally[halfOf(name)];
    t.of++;
    const hz = Number(/hz(\d+)/.exec(name)?.[1] ?? 250);
    const unit = Number(version[1]) * 100 + Number(version[2]) < 518 ? 1024 : 1000;
    const print = log.fingerprint;
    if (print?.hz === hz) t.right++;
    else if (print?.hz === undefined) t.none++;
    else t.wrong++;
    if (log.unitNs === unit) t.unit++;
    if (verbose && (print?.hz !== hz || log.unitNs !== unit)) {
      console.log(
        `  ${name}: hz ${String(print?.hz)} (${String(print?.explained)}/${String(print?.of)}) not ${String(hz)}; unit ${String(log.unitNs)} by ${String(log.unitBy)}`,
      );
    }
  }
  for (const half of ['A', 'B'] as const) {
    const t = tally[half];
    console.log(
      `fingerprints, half ${half}: HZ right: ${share(t.right, t.of)}, no answer ${String(t.none)}, wrong ${String(t.wrong)} (wrong 0)`,
    );
    console.log(`fingerprints, half ${half}: unit right: ${share(t.unit, t.of)} (100 %)`);
  }
  const [wrong, of] = [tally.A.wrong + tally.B.wrong, tally.A.of + tally.B.of];
  const [right, unit] = [tally.A.right + tally.B.right, tally.A.unit + tally.B.unit];
  check('fingerprints: HZ', `right ${share(right, of)}, wrong ${String(wrong)}`, 'all right', right === of);
  check('fingerprints: unit', share(unit, of), '100 %', unit === of);
}

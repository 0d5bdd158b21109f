import type { Ns } from '../kernel/index.js';
import { compare } from './compare.js';
import type { BootLog, Measurement } from './evidence.js';
import { runsOf, type Run } from './runs.js';
import { median } from './statistics.js';

export type MeasureOptions = {
  /** Text of the line from which, and to which, time is taken; absent: found by the logs. */
  readonly from?: string;
  readonly to?: string;
  readonly most?: number;
};

const excerpt = 60;
const leastChange = 3e5;

/**
 * Measurements from logs of before and after: intervals between lines that both sides have, from a common anchor; raw
 * stamps of two boots are never subtracted. Full logs give the calls and the gap that changed most, and what the boot gained.
 */
export function measureLogs(
  before: readonly BootLog[],
  after: readonly BootLog[],
  options: MeasureOptions = {},
): Measurement[] {
  const a = before.filter(isTimed).flatMap(runsOf);
  const b = after.filter(isTimed).flatMap(runsOf);
  if (a.length === 0 || b.length === 0) return [];
  const lines = commonLines([...a, ...b]);
  const calls = changedCalls(a, b, options.most ?? 5);
  if (options.from !== undefined || options.to !== undefined) return [...chosen(lines, a, b, options)];
  const short = lines.length > 0 && Math.max(...[...a, ...b].map((r) => r.order.length)) <= excerpt;
  return [...calls, ...(short ? fromFirst(lines, a, b) : fromChange(lines, a, b))];
}

function isTimed(log: BootLog): boolean {
  return !log.coarse || log.initcalls.length > 0;
}

/** Lines that every run has, in an order that holds for all of them. */
function commonLines(runs: readonly Run[]): string[] {
  const [first, ...rest] = runs;
  if (!first) return [];
  const shared = first.order.filter((key) => rest.every((r) => r.at.has(key)));
  const last = runs.map(() => -Infinity);
  return shared.filter((key) => {
    const times = runs.map((r) => r.at.get(key) ?? 0);
    if (times.some((t, i) => t < (last[i] ?? 0))) return false;
    for (const [i, t] of times.entries()) last[i] = t;
    return true;
  });
}

function interval(run: Run, from: string, to: string): Ns {
  return (run.at.get(to) ?? 0) - (run.at.get(from) ?? 0);
}

function between(from: string, to: string, a: readonly Run[], b: readonly Run[]): Measurement {
  return measurement(
    to,
    from,
    a.map((r) => interval(r, from, to)),
    b.map((r) => interval(r, from, to)),
  );
}

/** A comparison as a Measurement; whether the wait was reached is judged later. */
export function measurement(what: string, anchor: string, before: readonly Ns[], after: readonly Ns[]): Measurement {
  const { saved, verdict, stats } = compare(before, after);
  return { what, anchor, before, after, saved, verdict, reached: 'cannot-tell', stats };
}

function fromFirst(lines: readonly string[], a: readonly Run[], b: readonly Run[]): Measurement[] {
  const [anchor, ...rest] = lines;
  if (anchor === undefined) return [];
  return rest.map((line) => between(anchor, line, a, b));
}

/** In whole logs: the neighbouring lines whose distance changed most, and what came of it at the end of the boot. */
function fromChange(lines: readonly string[], a: readonly Run[], b: readonly Run[]): Measurement[] {
  let at = -1;
  let most = leastChange;
  for (let i = 0; i + 1 < lines.length; i++) {
    const from = lines[i];
    const to = lines[i + 1];
    if (from === undefined || to === undefined || isLate(to)) break;
    const change = Math.abs(median(a.map((r) => interval(r, from, to))) - median(b.map((r) => interval(r, from, to))));
    if (change > most) [most, at] = [change, i];
  }
  const anchor = lines[Math.max(0, at)];
  if (anchor === undefined) return [];
  const local = at >= 0 ? lines[at + 1] : undefined;
  const found = local === undefined ? [] : [between(anchor, local, a, b)];
  for (const end of lines) {
    if (isEnd(end) && end !== local && lines.indexOf(end) > at) found.push(between(anchor, end, a, b));
  }
  return found;
}

function isEnd(line: string): boolean {
  return /^Run \S{1,200} as init process$|^VFS: Mounted root/.test(line);
}

/** What follows the start of init is no longer the kernel's boot. */
function isLate(line: string): boolean {
  return /^(?:Run \S{1,200} as init process|Freeing unused)/.test(line);
}

function* chosen(
  lines: readonly string[],
  a: readonly Run[],
  b: readonly Run[],
  options: MeasureOptions,
): Iterable<Measurement> {
  const from = options.from === undefined ? lines[0] : lines.find((l) => l.includes(options.from ?? ''));
  if (from === undefined) return;
  const behind = lines.slice(lines.indexOf(from) + 1);
  const ends =
    options.to === undefined ? behind.filter(isEnd) : behind.filter((l) => l.includes(options.to ?? '')).slice(0, 1);
  for (const to of ends) yield between(from, to, a, b);
}

/** Initcalls and probes of the same name whose duration changed, the most changed first. */
function changedCalls(a: readonly Run[], b: readonly Run[], most: number): Measurement[] {
  const [first] = a;
  if (!first) return [];
  const found: { readonly m: Measurement; readonly change: Ns }[] = [];
  for (const [key, call] of first.calls) {
    const before = a.flatMap((r) => r.calls.get(key)?.took ?? []);
    const after = b.flatMap((r) => r.calls.get(key)?.took ?? []);
    if (before.length < a.length || after.length < b.length) continue;
    const change = Math.abs(median(before) - median(after));
    if (change < leastChange) continue;
    found.push({
      change,
      m: measurement(key, `${call.kind === 'probe' ? 'its own' : 'its call to its'} return`, before, after),
    });
  }
  found.sort((x, y) => y.change - x.change);
  return found.slice(0, most).map(({ m }) => m);
}

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

type Interval = { readonly from: string; readonly to: string; readonly change: Ns };

const excerpt = 60;
const leastChange = 3e5;
/** Instances of one device type whose change is this share of the largest are shown beside it. */
const alike = 0.5;
/** A gap between lines that have nothing to do with each other is taken only if it changed this much more. */
const nameless = 4;
const mostInstances = 8;
/** Calls that changed by less than this share of the largest interval are noise beside it. */
const notable = 0.05;

/**
 * Measurements from logs of before and after: intervals between lines that both sides have, from a common anchor; raw
 * stamps of two boots are never subtracted. Full logs give the calls and intervals that changed most, each device apart,
 * and what the boot gained.
 */
export function measureLogs(
  before: readonly BootLog[],
  after: readonly BootLog[],
  options: MeasureOptions = {},
): Measurement[] {
  const a = before.filter(isTimed).flatMap(runsOf);
  const b = after.filter(isTimed).flatMap(runsOf);
  const samples = measureSamples(before, after);
  if (a.length === 0 || b.length === 0) return samples;
  const lines = commonLines([...a, ...b]);
  if (options.from !== undefined || options.to !== undefined) return [...chosen(a, b, lines, options)];
  const old = [...before, ...after].some((l) => l.unitNs === 1024);
  const calls = changedCalls(a, b, options.most ?? 5, old);
  const short = lines.length > 0 && Math.max(...[...a, ...b].map((r) => r.order.length)) <= excerpt;
  const intervals = short ? fromFirst(lines, a, b) : fromChange(lines, a, b);
  const most = Math.max(0, ...intervals.map((m) => Math.abs(m.saved ?? 0)));
  return [...calls.filter((m) => Math.abs(m.saved ?? 0) >= notable * most), ...intervals, ...samples];
}

/** Measurements between the logs of one mail that are labelled `before` and those labelled `after`. */
export function measureLabelled(logs: readonly BootLog[], options: MeasureOptions = {}): Measurement[] {
  const of = (label: BootLog['label']) => logs.filter((l) => l.label === label);
  return measureLogs(of('before'), of('after'), options);
}

/** A comparison as a Measurement; whether the wait was reached is judged later. */
export function measurement(what: string, anchor: string, before: readonly Ns[], after: readonly Ns[]): Measurement {
  const { saved, verdict, stats } = compare(before, after);
  return { what, anchor, before, after, saved, verdict, reached: 'cannot-tell', stats };
}

function isTimed(log: BootLog): boolean {
  return log.samples === undefined && (!log.coarse || log.initcalls.length > 0);
}

/** Lines that every run has, in an order that holds for all of them. */
function commonLines(runs: readonly Run[]): string[] {
  const last = runs.map(() => -Infinity);
  return sharedLines(runs).filter((key) => {
    const times = runs.map((r) => r.at.get(key) ?? 0);
    if (times.some((t, i) => t < (last[i] ?? 0))) return false;
    for (const [i, t] of times.entries()) last[i] = t;
    return true;
  });
}

function sharedLines(runs: readonly Run[]): string[] {
  const [first, ...rest] = runs;
  return first ? first.order.filter((key) => rest.every((r) => r.at.has(key))) : [];
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

function fromFirst(lines: readonly string[], a: readonly Run[], b: readonly Run[]): Measurement[] {
  const [anchor, ...rest] = lines;
  if (anchor === undefined) return [];
  return rest.map((line) => between(anchor, line, a, b));
}

/**
 * In whole logs: the call, or the interval between two lines of one device, that changed most (its neighbours in time belong
 * to others), else the gap between two neighbouring lines; then what came of it at the end of the boot, from the same anchor.
 */
function fromChange(lines: readonly string[], a: readonly Run[], b: readonly Run[]): Measurement[] {
  const devices = deviceIntervals(a, b);
  const [gap] = neighbours(lines, a, b);
  const [call] = callIntervals(a, b);
  const [device] = devices;
  const known = call && (!device || call.change > device.change) ? call : device;
  const first = known && (!gap || gap.change < nameless * known.change) ? known : gap;
  const anchor = first?.from ?? lines[0];
  if (anchor === undefined) return [];
  const local =
    first === device ? devices.filter((d) => d.change >= alike * (first?.change ?? 0)) : first ? [first] : [];
  const found = local.slice(0, mostInstances).map((l) => between(l.from, l.to, a, b));
  for (const end of sharedLines([...a, ...b]).filter(isEnd)) {
    if ([...a, ...b].every((r) => interval(r, anchor, end) > 0) && end !== first?.to)
      found.push(between(anchor, end, a, b));
  }
  return found;
}

function callIntervals(a: readonly Run[], b: readonly Run[]): Interval[] {
  const shared = sharedLines([...a, ...b]);
  const called = new Set(shared.filter((l) => l.startsWith('calling ')));
  const found: Interval[] = [];
  for (const to of shared) {
    const name = /^initcall (\S{1,200})(?: \[[^\]]{1,64}\])? returned/.exec(to)?.[1];
    const from = name === undefined ? undefined : `calling ${name}`;
    if (from !== undefined && called.has(from)) found.push({ from, to, change: changeOf(from, to, a, b) });
  }
  return largest(found);
}

function neighbours(lines: readonly string[], a: readonly Run[], b: readonly Run[]): Interval[] {
  const found: Interval[] = [];
  for (const [i, from] of lines.entries()) {
    const to = lines[i + 1];
    if (to !== undefined) found.push({ from, to, change: changeOf(from, to, a, b) });
  }
  return largest(found);
}

/** Consecutive lines of one device, by what stands before the colon: `nvme nvme0: ...`. */
function deviceIntervals(a: readonly Run[], b: readonly Run[]): Interval[] {
  const last = new Map<string, string>();
  const found: Interval[] = [];
  for (const to of sharedLines([...a, ...b])) {
    const device = /^(?!calling |initcall |probe of )([^:]{1,40}\d(?:[\w:.]{0,20}\d)?): /.exec(to)?.[1];
    if (device === undefined) continue;
    const from = last.get(device);
    last.set(device, to);
    if (from !== undefined) found.push({ from, to, change: changeOf(from, to, a, b) });
  }
  return largest(found);
}

function changeOf(from: string, to: string, a: readonly Run[], b: readonly Run[]): Ns {
  return Math.abs(median(a.map((r) => interval(r, from, to))) - median(b.map((r) => interval(r, from, to))));
}

function largest(intervals: readonly Interval[]): Interval[] {
  return intervals.filter((i) => i.change >= leastChange).sort((x, y) => y.change - x.change);
}

function isEnd(line: string): boolean {
  return /^Run \S{1,200} as init process$|^VFS: Mounted root/.test(line);
}

function* chosen(
  a: readonly Run[],
  b: readonly Run[],
  lines: readonly string[],
  options: MeasureOptions,
): Iterable<Measurement> {
  const shared = sharedLines([...a, ...b]);
  const from = options.from === undefined ? lines[0] : shared.find((l) => l.includes(options.from ?? ''));
  if (from === undefined) return;
  const behind = shared.slice(shared.indexOf(from) + 1);
  const ends =
    options.to === undefined ? behind.filter(isEnd) : behind.filter((l) => l.includes(options.to ?? '')).slice(0, 1);
  for (const to of ends) yield between(from, to, a, b);
}

/** Initcalls and probes of the same name whose duration changed, the most changed first. */
function changedCalls(a: readonly Run[], b: readonly Run[], most: number, old: boolean): Measurement[] {
  const [first] = a;
  if (!first) return [];
  const found: { readonly m: Measurement; readonly change: Ns }[] = [];
  for (const [key, call] of first.calls) {
    const before = a.flatMap((r) => r.calls.get(key)?.took ?? []);
    const after = b.flatMap((r) => r.calls.get(key)?.took ?? []);
    if (before.length < a.length || after.length < b.length) continue;
    const change = Math.abs(median(before) - median(after));
    if (change < leastChange) continue;
    const anchor = call.kind === 'probe' ? 'its own start' : 'its call';
    const m = measurement(key, anchor, before, after);
    found.push({ change, m: call.kind !== 'probe' && old ? { ...m, unitNs: 1024 } : m });
  }
  found.sort((x, y) => y.change - x.change);
  return found.slice(0, most).map(({ m }) => m);
}

/** Numbers that tools printed, by tool and name: each line of a table, each `real`, is one run. */
function measureSamples(before: readonly BootLog[], after: readonly BootLog[]): Measurement[] {
  const a = valuesByName(before);
  const b = valuesByName(after);
  const found: Measurement[] = [];
  for (const [key, values] of a) {
    const other = b.get(key);
    if (other) found.push(measurement(key, 'as printed', values, other));
  }
  return found;
}

function valuesByName(logs: readonly BootLog[]): Map<string, Ns[]> {
  const found = new Map<string, Ns[]>();
  for (const log of logs) {
    // A graph has thousands of calls, a blame list one value a unit: neither is a set of runs.
    if (log.format === 'function_graph' || log.format === 'ftrace events') continue;
    for (const { name, value } of log.samples ?? []) {
      const key = `${log.format}: ${name}`;
      const values = found.get(key);
      if (values) values.push(value);
      else found.set(key, [value]);
    }
  }
  return found;
}

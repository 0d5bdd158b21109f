import type { BootLog, Evidence } from '../evidence/index.js';
import type { Ns } from '../kernel/index.js';

/** A stretch between two lines that one log, or both, have. */
export type Segment = { readonly from: string; readonly to: string; readonly before: Ns; readonly after?: Ns };

/** Where a log shows the driver at work, cut at the lines that the driver wrote. */
export type LogWindow = {
  readonly segments: readonly Segment[];
  /** An initcall that contains it all: what it takes, the boot takes. */
  readonly initcall?: string;
  /** What one logged "usec" is: 1024 ns dates the kernel to 5.17 or older. */
  readonly unitNs?: 1000 | 1024;
  /** HZ by the early initcalls' whole ticks. */
  readonly hz?: number;
  /** How much sooner init was started, from the same anchor. */
  readonly initSaved?: Ns;
  /** The log may have run without high resolution timers here: tsc-early before, tsc after. */
  readonly lowres: boolean;
  /** Every way through the window is shorter than this. */
  readonly total: Ns;
};

type Point = { readonly key: string; readonly at: Ns };
/** Fields that a log has where all its lines were kept. */
type Lines = { readonly stamps?: readonly Point[]; readonly fingerprint?: { readonly hz?: number } };

/** The part of the before log (and the same part of the after log) in which a driver's waits must lie. */
export function findWindow(evidence: Evidence, words: readonly string[]): LogWindow | undefined {
  const usable = evidence.logs.filter((l) => l.lines > 0);
  const before = usable.find((l) => l.label === 'before' && pointsOf(l).length > 1);
  if (before === undefined) return undefined;
  const after = usable.find((l) => l.label === 'after' && pointsOf(l).length > 1);
  const mine = driverPoints(before, words);
  const theirs = after === undefined ? [] : driverPoints(after, words);
  const sync = initcallOf(before, words);
  const inside = sync === undefined ? mine : between(pointsOf(before), sync.from, sync.to, words);
  const syncAfter = after === undefined ? undefined : initcallOf(after, words);
  const insideAfter =
    after === undefined || sync === undefined || syncAfter === undefined
      ? theirs
      : between(pointsOf(after), syncAfter.from, syncAfter.to, words);
  const segments = cut(inside, insideAfter);
  if (segments.length === 0) return undefined;
  const fingerprint = (before as BootLog & Lines).fingerprint?.hz;
  const saved = initSaved(before, after, segments);
  return {
    segments,
    ...(sync === undefined ? {} : { initcall: sync.name }),
    ...(before.unitNs === undefined ? {} : { unitNs: before.unitNs }),
    ...(fingerprint === undefined ? {} : { hz: fingerprint }),
    ...(saved === undefined ? {} : { initSaved: saved }),
    lowres: isLowres(before, inside),
    total: segments.reduce((sum, s) => sum + s.before, 0),
  };
}

/** Words by which a driver's lines are known: its folder, its file's first part, its function's first part. */
export function driverWords(file: string, func: string | undefined): string[] {
  const parts = file.split('/');
  const base = (parts.at(-1) ?? '').replace(/\.[a-z]+$/, '');
  const words = [
    base,
    ...base.split(/[-_]/).slice(0, 1),
    ...(func ?? '').split('_').slice(0, 1),
    ...parts.slice(-3, -1),
  ];
  const dull = new Set([
    'core',
    'main',
    'drivers',
    'host',
    'net',
    'wait',
    'common',
    'base',
    'hw',
    'init',
    'probe',
    'pci',
    'do',
    'src',
  ]);
  return [...new Set(words.map((w) => w.toLowerCase()))].filter((w) => w.length > 1 && !dull.has(w));
}

function pointsOf(log: BootLog): readonly Point[] {
  const stamps = (log as BootLog & Lines).stamps;
  if (stamps !== undefined && stamps.length > 0) return stamps;
  const points: Point[] = log.milestones.map((m) => ({ key: m.name, at: m.at }));
  for (const call of log.initcalls) {
    if (call.calledAt !== undefined) points.push({ key: `calling ${call.name}`, at: call.calledAt });
    if (call.at !== undefined) points.push({ key: `initcall ${call.name} returned`, at: call.at });
  }
  const seen = new Set<string>();
  return points
    .filter((p) => !seen.has(`${p.key}@${p.at}`) && seen.add(`${p.key}@${p.at}`))
    .sort((a, b) => a.at - b.at);
}

/** The driver's own lines up to the start of init, and of several runs in one log the first. */
function driverPoints(log: BootLog, words: readonly string[]): Point[] {
  const points = pointsOf(log);
  const end = points.find((p) => p.key === 'init' || /^run \S+ as init/i.test(p.key))?.at ?? Infinity;
  const mine = points.filter((p) => p.at <= end && isDriversOwn(p.key, words));
  const again = mine.findIndex((p, i) => i > 0 && p.key === mine[0]?.key);
  return again < 0 ? mine : mine.slice(0, again);
}

/** `nvme nvme0: ...`, `initcall nvme_init`, `nvme_init 3133`; not `nvme0n1: p1`, which is another's line about the device. */
function isDriversOwn(key: string, words: readonly string[]): boolean {
  const text = key.toLowerCase().replace(/^(?:initcall|calling|probe of) +/, '');
  return words.some((word) => text.startsWith(word) && !/[a-z0-9]/.test(text[word.length] ?? ' '));
}

function isDrivers(key: string, words: readonly string[]): boolean {
  const text = key.toLowerCase();
  return words.some((word) => {
    const at = text.indexOf(word);
    return at >= 0 && !/[a-z0-9]/.test(text[at - 1] ?? ' ') && !/[a-z]/.test(text[at + word.length] ?? ' ');
  });
}

/** The driver's own initcall, if it is long enough to hold more than setting up. */
function initcallOf(log: BootLog, words: readonly string[]): { name: string; from: Ns; to: Ns } | undefined {
  let best: { name: string; from: Ns; to: Ns } | undefined;
  for (const call of log.initcalls) {
    if (call.kind === 'async' || call.at === undefined || !isDrivers(call.name, words)) continue;
    const from = call.calledAt ?? call.at - call.took;
    if (call.at - from < 1e6) continue;
    if (best === undefined || call.at - from > best.to - best.from) best = { name: call.name, from, to: call.at };
  }
  return best;
}

/** All lines of a stretch: inside an initcall they are one thread's work, mostly. A long stretch keeps the driver's lines only. */
function between(points: readonly Point[], from: Ns, to: Ns, words: readonly string[]): Point[] {
  const inside = points.filter((p) => p.at >= from && p.at <= to);
  const kept = inside.length > 60 ? inside.filter((p) => isDrivers(p.key, words)) : inside;
  const ends: Point[] = [];
  if ((kept[0]?.at ?? Infinity) > from) ends.push({ key: 'start', at: from });
  ends.push(...kept);
  if ((kept.at(-1)?.at ?? 0) < to) ends.push({ key: 'end', at: to });
  return ends;
}

/** Segments between lines that both logs have in the same order; all of the before log where there is no other. */
function cut(before: readonly Point[], after: readonly Point[]): Segment[] {
  const common: { readonly key: string; readonly before: Ns; readonly after?: Ns }[] = [];
  let next = 0;
  for (const point of before) {
    if (after.length === 0) {
      common.push({ key: point.key, before: point.at });
      continue;
    }
    const at = after.findIndex((p, i) => i >= next && p.key === point.key);
    if (at < 0) continue;
    common.push({ key: point.key, before: point.at, after: after[at]?.at });
    next = at + 1;
  }
  const segments: Segment[] = [];
  for (let i = 1; i < common.length; i++) {
    const [a, b] = [common[i - 1], common[i]];
    if (a === undefined || b === undefined) continue;
    const later = a.after === undefined || b.after === undefined ? {} : { after: b.after - a.after };
    segments.push({ from: a.key, to: b.key, before: b.before - a.before, ...later });
  }
  return segments;
}

/** Init's start from the first common line, before less after. */
function initSaved(before: BootLog, after: BootLog | undefined, segments: readonly Segment[]): Ns | undefined {
  if (after === undefined || segments[0] === undefined) return undefined;
  const anchor = segments[0].from;
  const spans = [before, after].map((log) => {
    const from = pointsOf(log).find((p) => p.key === anchor)?.at;
    const to = log.milestones.find((m) => m.name === 'init' || /^run \S+ as init/i.test(m.name))?.at;
    return from === undefined || to === undefined ? undefined : to - from;
  });
  const [b, a] = spans;
  return b === undefined || a === undefined ? undefined : b - a;
}

/** x86 without a verified TSC: hrtimers expire from the tick until "Switched to clocksource tsc" (kernel/time/clocksource.c). */
function isLowres(log: BootLog, inside: readonly Point[]): boolean {
  const points = pointsOf(log);
  const early = points.find((p) => /switched to clocksource tsc-early/i.test(p.key))?.at;
  const late = points.find((p) => /switched to clocksource tsc$/i.test(p.key.trim()))?.at;
  const reliable = points.some((p) => /command line:.*\btsc=(?:reliable|nowatchdog)\b/i.test(p.key));
  const from = inside[0]?.at;
  return early !== undefined && !reliable && from !== undefined && from > early && (late === undefined || from < late);
}

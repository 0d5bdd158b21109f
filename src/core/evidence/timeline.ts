import { formatLogged, type Ns } from '../kernel/index.js';
import type { BootLog, Fingerprint, Initcall, Milestone, Stamp } from './evidence.js';

export type BootPath = 'on' | 'off' | 'unknown';

/** Something that took time in a boot, and whether the boot waited for it. */
export type TimelineEntry = {
  readonly name: string;
  readonly kind: Initcall['kind'];
  readonly took: Ns;
  readonly logged: number;
  readonly start?: Ns;
  readonly end?: Ns;
  readonly module?: string;
  readonly returned?: number;
  readonly path: BootPath;
  readonly pathBy: string;
};

/** A stretch in which the boot thread waited for others: `async_waiting`, or the wait for the root device. */
export type WaitWindow = { readonly by: string; readonly from: Ns; readonly to: Ns };

export type Timeline = {
  readonly entries: readonly TimelineEntry[];
  /** Finished initcalls (probes are inside of initcalls or beside them and are never added to these). */
  readonly initcallCount: number;
  readonly initcallTotal: Ns;
  readonly milestones: readonly Milestone[];
  readonly windows: readonly WaitWindow[];
  readonly rootMount?: Ns;
  readonly init?: Ns;
  readonly end?: Ns;
  readonly fingerprint?: Fingerprint;
  readonly unitNs?: 1000 | 1024;
  readonly stamps: readonly Stamp[];
};

export type Gain = { readonly gain: Ns; readonly path: BootPath; readonly why: string };

const leastWindow = 1e5;

/** The boot as a line of time, from one log. */
export function timelineOf(log: BootLog): Timeline {
  const stamps = log.stamps ?? [];
  const at = (name: string) => log.milestones.find((m) => m.name === name)?.at;
  const init = at('init') ?? at('free-initmem');
  const root = at('filesystem') ?? at('root-mount');
  const windows = windowsOf(log, root, init);
  const initcalls = log.initcalls.filter((c) => c.kind === 'initcall');
  const entries = log.initcalls.map((call): TimelineEntry => {
    const { name, kind, took, logged } = call;
    const judged = pathOf(call, { windows, stamps, init });
    return {
      name,
      kind,
      took,
      logged,
      ...(call.at === undefined ? {} : { end: call.at, start: call.calledAt ?? Math.max(0, call.at - took) }),
      ...(call.module === undefined ? {} : { module: call.module }),
      ...(call.returned === undefined ? {} : { returned: call.returned }),
      path: judged.path,
      pathBy: judged.why,
    };
  });
  const end = stamps.at(-1)?.at;
  return {
    entries,
    initcallCount: log.initcalls.filter((c) => c.kind !== 'probe').length,
    initcallTotal: initcalls.reduce((total, c) => total + c.took, 0),
    milestones: log.milestones,
    windows,
    ...(root === undefined ? {} : { rootMount: root }),
    ...(init === undefined ? {} : { init }),
    ...(end === undefined ? {} : { end }),
    ...(log.fingerprint === undefined ? {} : { fingerprint: log.fingerprint }),
    ...(log.unitNs === undefined ? {} : { unitNs: log.unitNs }),
    stamps,
  };
}

/** The boot thread waits in `async_waiting @ 1`, and from its last initcall until the root device is there. */
function windowsOf(log: BootLog, root: Ns | undefined, init: Ns | undefined): WaitWindow[] {
  const windows: WaitWindow[] = [];
  for (const wait of log.asyncWaits ?? []) {
    if (wait.pid === 1 && wait.to - wait.from >= leastWindow)
      windows.push({ by: 'async_waiting', from: wait.from, to: wait.to });
  }
  // Behind an initramfs the root is mounted by programs: what those wait for is not the kernel's to tell.
  const rootWaits = root !== undefined && (init === undefined || root <= init);
  const until = rootWaits ? root : init;
  if (until === undefined) return windows;
  let last: Ns | undefined;
  for (const call of log.initcalls) {
    if (isSerial(call) && call.at !== undefined && call.at < until) last = Math.max(last ?? 0, call.at);
  }
  if (last !== undefined && until - last >= leastWindow)
    windows.push({ by: rootWaits ? 'root mount' : 'init', from: last, to: until });
  return windows;
}

/** Built-in initcalls run one after the other in task 1 (task 0 for consoles). */
function isSerial(call: Initcall): boolean {
  if (call.kind !== 'initcall') return false;
  return call.pid === undefined ? call.module === undefined : call.pid <= 1;
}

type Around = {
  readonly windows: readonly WaitWindow[];
  readonly stamps: readonly Stamp[];
  readonly init: Ns | undefined;
};

function pathOf(call: Initcall, { windows, stamps, init }: Around): { path: BootPath; why: string } {
  if (isSerial(call)) {
    if (init !== undefined && call.at !== undefined && call.at > init)
      return { path: 'unknown', why: 'ran after init was started' };
    return { path: 'on', why: 'runs in the boot thread, one after the other' };
  }
  if (call.kind === 'initcall') return { path: 'unknown', why: 'a module, loaded by another task' };
  if (call.at === undefined) return { path: 'unknown', why: 'no time stamps' };
  const judged = inWindow(call.name, call.at, windows, stamps);
  if (judged) return { path: judged.room > 0 ? 'on' : 'off', why: judged.why };
  return { path: 'unknown', why: 'no named waiter follows' };
}

/** The last line of the kernel's boot with this text, that is no milestone of its own. */
function lineOf(timeline: Timeline, name: string): Stamp | undefined {
  const named = new Set(timeline.milestones.filter((m) => !m.name.includes(' ')).map((m) => m.mailLine));
  const end = timeline.init ?? Infinity;
  return timeline.stamps.findLast(
    (s) => s.at <= end && s.key.includes(name) && !named.has(s.mailLine) && !s.key.startsWith('calling '),
  );
}

type Room = { readonly room: Ns; readonly why: string };

/** How much later than every other chain this one ends inside the window in which the boot waited. */
function inWindow(name: string, end: Ns, windows: readonly WaitWindow[], stamps: readonly Stamp[]): Room | undefined {
  const window = windows.find((w) => end > w.from && end <= w.to);
  if (!window) return undefined;
  const own = tokensOf(name);
  let rival: Stamp | undefined;
  for (const stamp of stamps) {
    if (stamp.at <= window.from || stamp.at >= window.to || sharesToken(own, stamp.key)) continue;
    if (rival === undefined || stamp.at >= rival.at) rival = stamp;
  }
  if (rival && rival.at > end) return { room: 0, why: `${window.by} waited longer, for "${rival.key.slice(0, 60)}"` };
  const free = rival?.at ?? window.from;
  return { room: Math.max(0, end - Math.max(free, window.from)), why: `the last to end before ${window.by}` };
}

/** Device names in a line: `nvme0` is in `nvme nvme0: ...` and in `nvme0n1: p1`. */
function tokensOf(text: string): string[] {
  const words = text.slice(0, 160).match(/[a-zA-Z][\w.-]{1,40}\d|\b[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d/g) ?? [];
  return words.length > 0 ? words.slice(0, 8) : [text.slice(0, 80)];
}

function sharesToken(tokens: readonly string[], text: string): boolean {
  return tokens.some((t) => text.includes(t));
}

/**
 * What the boot gains if the named initcall, probe or line came `delta` sooner (negative nanoseconds: a saving): all of it
 * on the boot path, 0 off it. A saving never exceeds what the thing took, nor the lead over the next that is waited for.
 */
export function whatIf(timeline: Timeline, name: string, delta: Ns): Gain | undefined {
  const want = Math.abs(delta);
  const sign = delta <= 0 ? 1 : -1;
  const matching = timeline.entries.filter((e) => e.name === name);
  const entry =
    matching.length > 0
      ? matching.reduce((a, b) => (b.took > a.took ? b : a))
      : timeline.entries
          .filter((e) => e.name.includes(name))
          .reduce<TimelineEntry | undefined>((a, b) => (a === undefined || b.took > a.took ? b : a), undefined);
  const later = entry && want > entry.took ? asyncLine(timeline, matching.length > 0 ? stemOf(name) : name) : undefined;
  const stamp = later ?? lineOf(timeline, name);
  const judged =
    entry && entry.path !== 'unknown' && later === undefined
      ? undefined
      : stamp && inWindow(stamp.key, stamp.at, timeline.windows, timeline.stamps);
  if (entry && judged === undefined) {
    if (entry.path === 'unknown') return { gain: 0, path: 'unknown', why: `${entry.name}: ${entry.pathBy}` };
    if (entry.path === 'off') return { gain: 0, path: 'off', why: `${entry.name}: ${entry.pathBy}` };
    const room =
      entry.kind === 'initcall'
        ? entry.took
        : (inWindow(entry.name, entry.end ?? 0, timeline.windows, timeline.stamps)?.room ?? 0);
    const gain = delta <= 0 ? Math.min(want, entry.took, room) : want;
    return { gain: sign * gain, path: 'on', why: `${entry.name} took ${formatLogged(entry.took)}; ${entry.pathBy}` };
  }
  if (stamp === undefined) return undefined;
  if (judged === undefined) return { gain: 0, path: 'unknown', why: 'no named waiter follows' };
  const why =
    later && entry
      ? `${entry.name} took ${formatLogged(entry.took)}, then "${later.key.slice(0, 60)}": ${judged.why}`
      : judged.why;
  if (judged.room === 0) return { gain: 0, path: 'off', why };
  return { gain: sign * (delta <= 0 ? Math.min(want, judged.room) : want), path: 'on', why };
}

/** `nvme` of nvme_init, what a driver's own lines begin with. */
function stemOf(name: string): string {
  return name.replace(/_(?:(?:pci_|platform_|usb_)?driver_|module_|mod_)?init(?:_module)?$/, '');
}

/**
 * The last line that a driver prints of its own after its initcall has returned: where it probes asynchronously the initcall is
 * short, and what it waits for ends there.
 */
function asyncLine(timeline: Timeline, stem: string): Stamp | undefined {
  const end = timeline.init ?? Infinity;
  return timeline.stamps.findLast(
    (s) =>
      s.at <= end &&
      s.key.startsWith(stem) &&
      /^[ :-]/.test(s.key.slice(stem.length)) &&
      timeline.windows.some((w) => s.at > w.from && s.at <= w.to),
  );
}

/**
 * The slowest initcalls and async calls by the kernel's own field, as `sort` would list them; equal ones in the order of
 * the log. Before the clock source the field counts ticks: `took` then has what the stamps say.
 */
export function slowest(timeline: Timeline, count: number): TimelineEntry[] {
  return timeline.entries
    .filter((e) => e.kind !== 'probe')
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => b.entry.logged - a.entry.logged || a.index - b.index)
    .slice(0, count)
    .map(({ entry }) => entry);
}

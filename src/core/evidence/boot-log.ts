import type { Ns } from '../kernel/index.js';
import type { AsyncWait, BootLog, Initcall, Milestone, Stamp } from './evidence.js';
import { fingerprint, isEarly } from './fingerprint.js';
import { findLogBlocks, joined, type BlockLine, type LogBlock } from './log-block.js';
import { parseLogEvent, type LogEvent } from './log-event.js';
import { unquote, type Unquoted } from './quoting.js';
import { readSampleBlocks } from './sample-block.js';
import { stampKey } from './stamp-key.js';
import { unitFromRelease, unitFromStamps, type FieldAndStamps, type UsecUnit } from './usec-unit.js';

const excerpt = 60;
const maxStamps = 50_000;

type Call = { readonly at?: Ns; readonly pid?: number };
type Raw = Omit<Initcall, 'took'> & { readonly true?: Ns };

/** Every boot log in a text, each as plain values. A `file` may hold prose between its lines, a `mail` starts a new log there. */
export function readBootLogs(text: string, where: 'mail' | 'file', firstLine = 1): BootLog[] {
  return bootLogsIn(text.split('\n').map(unquote), where, firstLine);
}

/** The same of lines that were taken out of their quoting. */
export function bootLogsIn(lines: readonly Unquoted[], where: 'mail' | 'file', firstLine = 1): BootLog[] {
  const logs = shareUnits(findLogBlocks(lines, where, firstLine).filter(isLog).map(readBlock));
  return [...logs, ...readSampleBlocks(lines, firstLine)].sort((a, b) => a.mailLine - b.mailLine);
}

/** A lone stamped line in prose is no log, unless it says how long something took. */
function isLog(block: LogBlock): boolean {
  if (block.lines.some((l) => l.line.shape === 'bare')) return true;
  if (block.lines.length >= 2) return true;
  return block.lines.some((l) => {
    const event = parseLogEvent(joined(l));
    return event?.kind === 'returned' || event?.kind === 'probe';
  });
}

function readBlock(block: LogBlock): BootLog {
  const milestones: Milestone[] = [];
  const raws: Raw[] = [];
  const waits: AsyncWait[] = [];
  const stamps: Stamp[] = [];
  const calls = new Map<string, Call>();
  const waiting = new Map<number, Ns>();
  const pairs: FieldAndStamps[] = [];
  let release: string | undefined;
  const coarse = block.lines.some((l) => l.line.coarse);
  for (const entry of block.lines) {
    const event = eventOf(entry);
    const at = entry.line.coarse ? undefined : entry.line.at;
    const { mailLine } = entry;
    if (at !== undefined && stamps.length < maxStamps) stamps.push({ key: stampKey(joined(entry)), at, mailLine });
    if (event === undefined) continue;
    switch (event.kind) {
      case 'calling': {
        const pid = event.pid === undefined ? {} : { pid: event.pid };
        calls.set(event.name, { ...(at === undefined ? {} : { at }), ...pid });
        break;
      }
      case 'trace-start':
        calls.set(event.name, at === undefined ? {} : { at });
        break;
      case 'returned': {
        const call = calls.get(event.name);
        calls.delete(event.name);
        if (at !== undefined && call?.at !== undefined) pairs.push({ logged: event.logged, between: at - call.at });
        raws.push({
          name: event.name,
          logged: event.logged,
          kind: event.async ? 'async' : 'initcall',
          mailLine,
          ...(at === undefined ? {} : { at }),
          ...(call?.at === undefined ? {} : { calledAt: call.at }),
          ...(call?.pid === undefined ? {} : { pid: call.pid }),
          ...(event.returned === undefined ? {} : { returned: event.returned }),
          ...(event.module === undefined ? {} : { module: event.module }),
        });
        break;
      }
      case 'trace-finish': {
        const from = calls.get(event.name)?.at;
        calls.delete(event.name);
        if (at === undefined || from === undefined) break;
        const took = at - from;
        const { name, returned } = event;
        raws.push({ name, logged: took / 1e3, true: took, kind: 'initcall', mailLine, at, calledAt: from, returned });
        break;
      }
      case 'probe':
        raws.push({
          name: event.name,
          logged: event.logged,
          true: event.logged * 1e3,
          kind: 'probe',
          mailLine,
          returned: event.returned,
          ...(at === undefined ? {} : { at, calledAt: at - event.logged * 1e3 }),
          ...(event.driver === undefined ? {} : { driver: event.driver }),
        });
        break;
      case 'async-waiting':
        if (at !== undefined) waiting.set(event.pid, at);
        break;
      case 'async-continuing': {
        const from = waiting.get(event.pid);
        waiting.delete(event.pid);
        if (at !== undefined && from !== undefined) waits.push({ pid: event.pid, from, to: at });
        break;
      }
      case 'milestone':
        if (event.name === 'start') release = /^Linux version (\S{1,80})/.exec(entry.line.body)?.[1];
        if (at !== undefined) milestones.push({ name: event.name, at, mailLine });
        break;
      case 'level':
        break;
      default:
        event satisfies never;
    }
  }
  const switched = milestones.find((m) => m.name === 'clocksource')?.at;
  const draft = { initcalls: raws.map((r) => finished(r, 1000, switched)), milestones };
  const early = fingerprint(draft);
  const unit =
    unitFromStamps(measuredPairs(block, pairs, raws, switched)) ?? unitFromTicks(early) ?? unitFromRelease(release);
  const log: BootLog = {
    label: block.label?.label ?? 'unknown',
    ...(block.label ? { labelBy: block.label.by } : {}),
    mailLine: block.mailLine,
    format: formatOf(block),
    ...(unit ? { unitNs: unit.unitNs, unitBy: unit.by } : {}),
    lines: block.lines.length,
    milestones: stamps.length <= excerpt ? everyLine(stamps, milestones) : milestones,
    initcalls: raws.map((r) => finished(r, unit?.unitNs ?? 1000, switched)),
    ...(coarse ? { coarse: true as const } : {}),
    ...(release === undefined ? {} : { release }),
    stamps,
    ...(waits.length > 0 ? { asyncWaits: waits } : {}),
    ...(block.quoted ? { quoted: true as const } : {}),
    ...(early.of > 0 ? { fingerprint: early } : {}),
  };
  return log;
}

/** A wrapped line is first tried as it stands: what follows may be prose. */
function eventOf(entry: BlockLine): LogEvent | undefined {
  const { body } = entry.line;
  const event = parseLogEvent(body) ?? (entry.more === '' ? undefined : parseLogEvent(joined(entry)));
  if (event !== undefined) return event;
  const at = body.indexOf('initcall ', 1);
  return at > 0 && body.includes(' returned ', at) ? parseLogEvent(body.slice(at)) : undefined;
}

/** Before the clock source the stamps of a pair are the measurement, the field is not. */
function finished(raw: Raw, unitNs: 1000 | 1024, switched: Ns | undefined): Initcall {
  const { true: known, ...rest } = raw;
  const byStamps = isEarly(raw, switched) && raw.at !== undefined && raw.calledAt !== undefined;
  const took = known ?? (byStamps ? (raw.at ?? 0) - (raw.calledAt ?? 0) : raw.logged * unitNs);
  return { ...rest, took: Math.round(took) };
}

function measuredPairs(
  block: LogBlock,
  pairs: readonly FieldAndStamps[],
  raws: readonly Raw[],
  switched: Ns | undefined,
): readonly FieldAndStamps[] {
  if (switched === undefined || block.lines.length === 0) return pairs;
  const late = raws.filter(
    (r) => r.kind !== 'probe' && r.at !== undefined && r.at > switched && r.calledAt !== undefined,
  );
  return late.map((r) => ({ logged: r.logged, between: (r.at ?? 0) - (r.calledAt ?? 0) }));
}

function unitFromTicks(early: ReturnType<typeof fingerprint>): UsecUnit | undefined {
  if (early.unitNs === undefined) return undefined;
  return {
    unitNs: early.unitNs,
    by: `${String(early.explained)} of ${String(early.of)} early fields are whole ticks of it`,
  };
}

function formatOf(block: LogBlock): string {
  const counts = new Map<string, number>();
  for (const { line } of block.lines) counts.set(line.shape, (counts.get(line.shape) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 'bare';
}

/** Short excerpts are made of what their author found worth showing: every line is a milestone. */
function everyLine(stamps: readonly Stamp[], named: readonly Milestone[]): Milestone[] {
  const names = new Map(named.map((m) => [m.mailLine, m.name]));
  return stamps.map((s) => ({ name: names.get(s.mailLine) ?? s.key, at: s.at, mailLine: s.mailLine }));
}

/** Logs of one mail come from one kernel, before and after: what one of them tells holds for those that do not tell. */
function shareUnits(logs: readonly BootLog[]): BootLog[] {
  const known = new Set(logs.flatMap((l) => (l.unitNs === undefined ? [] : [l.unitNs])));
  const [only] = known;
  if (known.size !== 1 || only === undefined) return [...logs];
  return logs.map((l) => (l.unitNs === undefined && l.initcalls.length > 0 ? withUnit(l, only) : l));
}

function withUnit(log: BootLog, unitNs: 1000 | 1024): BootLog {
  const initcalls = log.initcalls.map((c) =>
    c.kind === 'probe' || c.took !== c.logged * 1000 ? c : { ...c, took: c.logged * unitNs },
  );
  return { ...log, unitNs, unitBy: 'the other log of this mail', initcalls };
}

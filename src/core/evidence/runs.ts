import type { Ns } from '../kernel/index.js';
import type { BootLog, Initcall } from './evidence.js';

/** One boot (or one loading of a driver) as the times of its lines, each the k-th of its text. */
export type Run = {
  readonly at: ReadonlyMap<string, Ns>;
  readonly order: readonly string[];
  readonly calls: ReadonlyMap<string, Initcall>;
};

const maxRuns = 1000;

/** What follows the start of init is no longer the kernel's boot. */
function untilInit<T extends { readonly key: string }>(part: readonly T[]): readonly T[] {
  const at = part.findIndex((s) => /^Run \S{1,200} as init process/.test(s.key));
  return at < 0 ? part : part.slice(0, at + 1);
}

/** The runs in one log: several, where its first line comes again and again. */
export function runsOf(log: BootLog): Run[] {
  const stamps = log.stamps ?? [];
  if (stamps.length === 0) return log.initcalls.length > 0 ? [runOf([], log.initcalls)] : [];
  const first = stamps[0]?.key;
  const starts = stamps.flatMap((s, i) => (s.key === first ? [i] : []));
  const repeated = starts.length > 1 && starts.length <= maxRuns && isRegular(starts, stamps.length);
  const bounds = repeated ? starts : [0];
  return bounds.map((from, k) => {
    const to = bounds[k + 1] ?? stamps.length;
    const part = untilInit(stamps.slice(from, to));
    const lines = new Set(part.map((s) => s.mailLine));
    const calls =
      bounds.length === 1
        ? log.initcalls
        : log.initcalls.filter((c) => c.mailLine !== undefined && lines.has(c.mailLine));
    return runOf(part, calls);
  });
}

/** Segments of about equal length: the same few lines over and over, not one line that happens to come twice. */
function isRegular(starts: readonly number[], total: number): boolean {
  const lengths = starts.map((s, i) => (starts[i + 1] ?? total) - s);
  const longest = Math.max(...lengths);
  const shortest = Math.min(...lengths);
  return shortest >= 2 && longest <= 2 * shortest;
}

function runOf(part: readonly { readonly key: string; readonly at: Ns }[], initcalls: readonly Initcall[]): Run {
  const at = new Map<string, Ns>();
  const order: string[] = [];
  const seen = new Map<string, number>();
  for (const stamp of part) {
    const key = numbered(stamp.key, seen);
    at.set(key, stamp.at);
    order.push(key);
  }
  const calls = new Map<string, Initcall>();
  const seenCalls = new Map<string, number>();
  for (const call of initcalls)
    calls.set(numbered(`${call.kind} ${call.name}${call.module ? ` [${call.module}]` : ''}`, seenCalls), call);
  return { at, order, calls };
}

function numbered(key: string, seen: Map<string, number>): string {
  const times = (seen.get(key) ?? 0) + 1;
  seen.set(key, times);
  return times === 1 ? key : `${key} (${String(times)})`;
}

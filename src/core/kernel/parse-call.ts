import type { Call, Ticks } from './call.js';
import { formatNs, parseNs } from './duration.js';
import { evaluate } from './expression.js';

export type ParsedCall = { readonly ok: true; readonly value: Call } | { readonly ok: false; readonly reason: string };

type Shape =
  | { readonly kind: 'msleep' | 'fsleep' | 'busy' | 'hrtimeout'; readonly unit: number }
  | { readonly kind: 'range'; readonly unit: number }
  | { readonly kind: 'timeout' | 'work'; readonly arg: number; readonly consents?: true }
  | { readonly kind: 'poll'; readonly arg: number; readonly atomic: boolean; readonly sleepsFirst?: number };

const poll = (arg: number, sleepsFirst?: number): Shape => ({ kind: 'poll', arg, atomic: false, sleepsFirst });
const atomicPoll = (arg: number): Shape => ({ kind: 'poll', arg, atomic: true });
const timeout = (arg: number): Shape => ({ kind: 'timeout', arg });
const waitFor = (arg: number): Shape => ({ kind: 'timeout', arg, consents: true });
const work = (arg: number): Shape => ({ kind: 'work', arg });

/** How each call's arguments are to be read: unit in ns, or the position of the argument (0-based). */
const shapes: Readonly<Record<string, Shape>> = {
  msleep: { kind: 'msleep', unit: 1e6 },
  msleep_interruptible: { kind: 'msleep', unit: 1e6 },
  ssleep: { kind: 'msleep', unit: 1e9 },
  usleep_range: { kind: 'range', unit: 1e3 },
  usleep_range_idle: { kind: 'range', unit: 1e3 },
  usleep_idle_range: { kind: 'range', unit: 1e3 },
  usleep_range_state: { kind: 'range', unit: 1e3 },
  fsleep: { kind: 'fsleep', unit: 1e3 },
  udelay: { kind: 'busy', unit: 1e3 },
  mdelay: { kind: 'busy', unit: 1e6 },
  ndelay: { kind: 'busy', unit: 1 },
  schedule_timeout: timeout(0),
  schedule_timeout_interruptible: timeout(0),
  schedule_timeout_killable: timeout(0),
  schedule_timeout_uninterruptible: timeout(0),
  schedule_timeout_idle: timeout(0),
  io_schedule_timeout: timeout(0),
  wait_event_timeout: waitFor(2),
  wait_event_interruptible_timeout: waitFor(2),
  wait_event_killable_timeout: waitFor(2),
  wait_for_completion_timeout: waitFor(1),
  wait_for_completion_interruptible_timeout: waitFor(1),
  wait_for_completion_killable_timeout: waitFor(1),
  queue_delayed_work: work(2),
  mod_delayed_work: work(2),
  schedule_delayed_work: work(1),
  read_poll_timeout: poll(3, 5),
  readx_poll_timeout: poll(4),
  readb_poll_timeout: poll(3),
  readw_poll_timeout: poll(3),
  readl_poll_timeout: poll(3),
  readq_poll_timeout: poll(3),
  readl_relaxed_poll_timeout: poll(3),
  readq_relaxed_poll_timeout: poll(3),
  poll_timeout_us: poll(2, 4),
  regmap_read_poll_timeout: poll(4),
  regmap_field_read_poll_timeout: poll(3),
  phy_read_poll_timeout: poll(4, 6),
  phy_read_mmd_poll_timeout: poll(5, 7),
  read_poll_timeout_atomic: atomicPoll(3),
  readx_poll_timeout_atomic: atomicPoll(4),
  readl_poll_timeout_atomic: atomicPoll(3),
  readl_relaxed_poll_timeout_atomic: atomicPoll(3),
  poll_timeout_us_atomic: atomicPoll(2),
  regmap_read_poll_timeout_atomic: atomicPoll(4),
};

/** The calls that parseCall() knows, sorted. */
export const knownCalls: readonly string[] = Object.keys(shapes).sort();

/** A day: no driver waits longer, and sums of it stay exact. */
const longest = 86_400e9;

/** Reads one delaying call as C writes it, or a growing poll as `exponential 100us..5ms`, `linear 50us..1ms`. */
export function parseCall(text: string): ParsedCall {
  const trimmed = text.trim().replace(/;$/, '');
  if (trimmed.length > 400) return fail('too long for a call');
  const growing = /^(exponential|linear) +(\S+)$/.exec(trimmed);
  if (growing !== null) return parseGrowth(growing[1] === 'linear' ? 'linear' : 'exponential', growing[2] ?? '');
  const match = /^([a-z_]\w*)\s*\(([\s\S]*)\)$/i.exec(trimmed);
  if (match === null) return fail(`not a call: "${trimmed}"; write it as in C, such as msleep(100)`);
  const name = match[1] ?? '';
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  if (shape === undefined) return fail(`unknown call ${name}(); known are ${knownCalls.join(', ')}`);
  const call = read(name, shape, splitArguments(match[2] ?? ''));
  if (!call.ok) return call;
  const least = leastTime(call.value);
  if (least < 0) return fail(`${trimmed} waits a negative time`);
  if (least > longest) return fail(`${trimmed} waits longer than a day`);
  return call;
}

function read(name: string, shape: Shape, args: readonly string[]): ParsedCall {
  switch (shape.kind) {
    case 'msleep':
    case 'fsleep':
    case 'busy': {
      const time = number(args[0], shape.unit);
      if (time === undefined || args.length !== 1) return fail(`${name}() takes one number`);
      return { ok: true, value: { kind: shape.kind, time } };
    }
    case 'hrtimeout': {
      const time = number(args[0], shape.unit);
      return time === undefined
        ? fail(`${name}() takes a number`)
        : { ok: true, value: { kind: 'hrtimeout', time, slack: 0 } };
    }
    case 'range': {
      const min = number(args[0], shape.unit);
      const max = number(args[1], shape.unit);
      if (min === undefined || max === undefined) return fail(`${name}() takes two numbers, least and most`);
      if (max < min) return fail(`${name}(): the most (${formatNs(max)}) is below the least (${formatNs(min)})`);
      return { ok: true, value: { kind: 'range', min, max } };
    }
    case 'timeout':
    case 'work': {
      const text = args[args.length === 1 ? 0 : shape.arg];
      const ticks = text === undefined ? undefined : parseTicks(text);
      if (ticks === undefined) return fail(`${name}() needs jiffies: a number, HZ / 10, msecs_to_jiffies(20)`);
      if (shape.kind === 'work') return { ok: true, value: { kind: 'work', ticks } };
      return {
        ok: true,
        value: { kind: 'timeout', ticks, ...(shape.consents === undefined ? {} : { consents: true }) },
      };
    }
    case 'poll':
      return readPoll(name, shape, args);
    default:
      return shape satisfies never;
  }
}

function readPoll(name: string, shape: Shape & { kind: 'poll' }, args: readonly string[]): ParsedCall {
  // Two numbers alone are taken for interval and timeout.
  const at = args.length === 2 ? 0 : shape.arg;
  const interval = number(args[at], 1e3);
  const limit = number(args[at + 1], 1e3);
  if (interval === undefined || limit === undefined) {
    return fail(`${name}() needs its interval (argument ${at + 1}) and timeout (${at + 2}) as numbers of microseconds`);
  }
  if (limit < 0) return fail(`${name}(): the timeout is negative`);
  const first = shape.sleepsFirst === undefined ? undefined : args[shape.sleepsFirst];
  const sleepsFirst = first === 'true' || first === '1';
  return { ok: true, value: { kind: 'poll', interval, timeout: limit, atomic: shape.atomic, sleepsFirst } };
}

/** Jiffies as source text gives them; undefined where a name in it is not known. */
export function parseTicks(text: string): Ticks | undefined {
  const count = evaluate(text);
  if (count !== undefined) return count < 0 ? undefined : { kind: 'count', count };
  const converted = /^(secs|msecs|usecs|nsecs)_to_jiffies\s*\(([^()]{1,80})\)$/.exec(text.trim());
  if (converted !== null) {
    const unit = { secs: 1e9, msecs: 1e6, usecs: 1e3, nsecs: 1 }[converted[1] ?? ''] ?? 1;
    const time = number(converted[2], unit);
    if (time === undefined || time < 0) return undefined;
    return { kind: converted[1] === 'nsecs' ? 'down' : 'up', time };
  }
  const hz = /^(?:(\d{1,6}) ?\* ?)?HZ(?: ?\* ?(\d{1,6}))?(?: ?\/ ?(\d{1,6}))?$/.exec(
    text.trim().replace(/^\((.*)\)$/, '$1'),
  );
  if (hz === null) return undefined;
  const over = Number(hz[3] ?? 1);
  return over === 0 ? undefined : { kind: 'hz', times: Number(hz[1] ?? 1) * Number(hz[2] ?? 1), over };
}

function parseGrowth(kind: 'exponential' | 'linear', range: string): ParsedCall {
  const [first, cap, rest] = range.split('..');
  const from = parseNs(first ?? '');
  const to = cap === undefined ? undefined : parseNs(cap);
  if (from === undefined || from === 0 || rest !== undefined || (cap !== undefined && to === undefined)) {
    return fail(`"${range}" is no range of times; write ${kind} 100us..5ms`);
  }
  if (to !== undefined && to < from) return fail(`"${range}": the cap is below the first step`);
  return { ok: true, value: { kind: 'growing', growth: { kind, first: from, cap: to, stretch: 2 } } };
}

function number(text: string | undefined, unit: number): number | undefined {
  const value = text === undefined ? undefined : evaluate(text);
  return value === undefined ? undefined : value * unit;
}

function splitArguments(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '(') depth++;
    else if (c === ')') depth--;
    else if (c === ',' && depth === 0) {
      found.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  found.push(text.slice(from).trim());
  return found;
}

function leastTime(call: Call): number {
  switch (call.kind) {
    case 'msleep':
    case 'fsleep':
    case 'busy':
    case 'hrtimeout':
      return call.time;
    case 'range':
      return call.min;
    case 'poll':
      return call.interval;
    case 'growing':
      return call.growth.first;
    case 'timeout':
    case 'work':
      return call.ticks.kind === 'up' || call.ticks.kind === 'down' ? call.ticks.time : 0;
    default:
      return call satisfies never;
  }
}

function fail(reason: string): ParsedCall {
  return { ok: false, reason };
}

import type { Backoff, DelayChange, Use, Wait } from '../delay/index.js';
import { evaluate, parseCall, parseTicks, type Call, type Span, type Ticks } from '../kernel/index.js';

/** What a wait of the patch asks of the kernel; undefined where its value or its meaning is not known. */
export function callOf(wait: Wait, backoff: Backoff | undefined): Call | undefined {
  if (backoff !== undefined) return { kind: 'growing', growth: backoff };
  const { api, span } = wait;
  if (api === undefined || span === undefined || wait.resolved === 'no') return undefined;
  if (!Number.isFinite(span.max) || span.min < 0) return undefined;
  return callOfApi(api, span, wait.text);
}

/** The call behind a changed constant, through one of its unchanged uses: the constant's value is put in its place. */
export function callOfUse(use: Use, name: string, value: number): Call | undefined {
  const call = findCall(use.text);
  if (call === undefined) return undefined;
  const parsed = parseCall(substitute(call, name, String(value)));
  return parsed.ok ? parsed.value : undefined;
}

/** Name and value of a changed constant, from `#define NAME 5`, `NAME = 5` or the bare value with the name beside it. */
export function constantOf(change: DelayChange, side: Wait): { name: string; value: number } | undefined {
  const text = side.text.trim().replace(/^#\s*define\b/, '');
  const named = /^\s*([A-Za-z_]\w*)/.exec(text)?.[1];
  const name = named ?? change.via;
  const rest = named === undefined ? text : text.slice(text.indexOf(named) + named.length);
  const value = evaluate(rest.replace(/[=;,]/g, ' '));
  return name === undefined || value === undefined ? undefined : { name, value };
}

function callOfApi(api: string, span: Span, text: string): Call | undefined {
  if (/_poll_timeout|poll_timeout_us/.test(api)) {
    const atomic = /atomic/.test(api);
    return { kind: 'poll', interval: span.max, timeout: 0, atomic, sleepsFirst: false };
  }
  if (/delayed_work/.test(api)) return { kind: 'work', ticks: ticksOf(span, text) };
  if (/schedule_timeout|_timeout$/.test(api)) return { kind: 'timeout', ticks: ticksOf(span, text) };
  if (/^(?:udelay|mdelay|ndelay)$|_udelay$|_mdelay$/.test(api)) return { kind: 'busy', time: span.max };
  if (/^fsleep$/.test(api)) return { kind: 'fsleep', time: span.max };
  if (/msleep|^ssleep/.test(api)) return { kind: 'msleep', time: span.max };
  if (/usleep|hrtimeout/.test(api)) return { kind: 'range', min: span.min, max: span.max };
  return undefined;
}

/** Jiffies as the call's text has them; else from the nominal span: n bare jiffies are n ms to 10 n ms. */
function ticksOf(span: Span, text: string): Ticks {
  const args = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')).split(',');
  const parsed = parseTicks((args.at(-1) ?? '').trim());
  if (parsed !== undefined) return parsed;
  if (span.max === 10 * span.min && span.min > 0) return { kind: 'count', count: Math.round(span.min / 1e6) };
  return { kind: 'up', time: span.max };
}

/** The first `name(...)` in a line of source, to its closing bracket. */
function findCall(line: string): string | undefined {
  const start = line.search(
    /\b(?:\w{0,60}sleep|\w{0,60}delay|usleep_range\w{0,10}|\w{0,60}_timeout\w{0,20}|\w{0,40}delayed_work) ?\(/,
  );
  if (start < 0) return undefined;
  let depth = 0;
  for (let i = start; i < line.length && i < start + 400; i++) {
    if (line[i] === '(') depth++;
    else if (line[i] === ')' && --depth === 0) return line.slice(start, i + 1);
  }
  return undefined;
}

function substitute(text: string, name: string, value: string): string {
  return text
    .split(/\b/)
    .map((word) => (word === name ? value : word))
    .join('');
}

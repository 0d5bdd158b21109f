/** What a kernel says in a line that matters for the time of a boot. Times as printed, in its own "usecs". */
export type LogEvent =
  | {
      readonly kind: 'calling';
      readonly name: string;
      readonly module?: string;
      readonly pid?: number;
      readonly async: boolean;
    }
  | {
      readonly kind: 'returned';
      readonly name: string;
      readonly module?: string;
      readonly returned?: number;
      readonly logged: number;
      readonly async: boolean;
    }
  | {
      readonly kind: 'probe';
      readonly name: string;
      readonly driver?: string;
      readonly returned: number;
      readonly logged: number;
    }
  | { readonly kind: 'async-waiting'; readonly pid: number }
  | { readonly kind: 'async-continuing'; readonly pid: number; readonly logged: number }
  | { readonly kind: 'level'; readonly name: string }
  | { readonly kind: 'trace-start'; readonly name: string }
  | { readonly kind: 'trace-finish'; readonly name: string; readonly returned: number }
  | { readonly kind: 'milestone'; readonly name: string };

const symbol = '([\\w.$]{1,200})(?:\\+0x[0-9a-f]{1,9}\\/0x[0-9a-f]{1,9})?(?: \\[([\\w-]{1,64})\\])?';
const calling = new RegExp(`^calling {1,2}${symbol}(?: @ (\\d{1,9}))?`);
const returned = new RegExp(
  `^initcall ${symbol} returned (?:(-?\\d{1,9}) )?(?:with [^\\d]{1,60} )?after (\\d{1,12}) usecs?`,
);
const probe = /^probe of (\S{1,120})(?: with driver ([^\n]{1,80}?))? returned (-?\d{1,9}) after (\d{1,12}) usecs?/;
const waiting = /^async_waiting @ (\d{1,9})/;
const continuing = /^async_continuing @ (\d{1,9}) after (\d{1,12}) usec/;
const level = /^entering initcall level: (\w{1,32})/;
const traceStart = /^initcall_start: func=([\w.$]{1,200})/;
const traceFinish = /^initcall_finish: func=([\w.$]{1,200})\S{0,40} ret=(-?\d{1,9})/;
const traceLevel = /^initcall_level: level=(\w{1,32})/;

const milestones: readonly (readonly [RegExp, string])[] = [
  [/^Run \S{1,200} as init process/, 'init'],
  [/^Freeing unused kernel (?:image \(initmem\) )?memory:|^Freeing init memory:/, 'free-initmem'],
  [/^Write protecting the kernel read-only data:/, 'rodata'],
  [/^VFS: Mounted root /, 'root-mount'],
  [/^EXT[234]-fs \([^)]{1,64}\): mounted filesystem/, 'filesystem'],
  [/^clocksource: Switched to clocksource /i, 'clocksource'],
  [/^Switch(?:ed|ing) to clocksource /i, 'clocksource'],
  [/^Waiting for root device /, 'rootwait'],
  [/^Linux version \d/, 'start'],
];

/** The event in a log line's body, if it is one of those that say how long something took. */
export function parseLogEvent(body: string): LogEvent | undefined {
  const first = body.charCodeAt(0);
  if (first === 0x63 /* c */) {
    const m = calling.exec(body);
    if (m?.[1] !== undefined) {
      const pid = m[3] === undefined ? {} : { pid: Number(m[3]) };
      return { kind: 'calling', name: m[1], ...moduleOf(m[2]), ...pid, async: isAsyncName(m[1]) };
    }
  }
  if (first === 0x69 /* i */) {
    const m = returned.exec(body);
    if (m?.[1] !== undefined) {
      const code = m[3] === undefined ? {} : { returned: Number(m[3]) };
      const logged = Number(m[4]);
      return { kind: 'returned', name: m[1], ...moduleOf(m[2]), ...code, logged, async: isAsyncName(m[1]) };
    }
    const start = traceStart.exec(body);
    if (start?.[1] !== undefined) return { kind: 'trace-start', name: start[1] };
    const finish = traceFinish.exec(body);
    if (finish?.[1] !== undefined) return { kind: 'trace-finish', name: finish[1], returned: Number(finish[2]) };
    const at = traceLevel.exec(body);
    if (at?.[1] !== undefined) return { kind: 'level', name: at[1] };
  }
  if (first === 0x70 /* p */) {
    const m = probe.exec(body);
    if (m?.[1] !== undefined) {
      const driver = m[2] === undefined ? {} : { driver: m[2] };
      return { kind: 'probe', name: m[1], ...driver, returned: Number(m[3]), logged: Number(m[4]) };
    }
  }
  if (first === 0x61 /* a */) {
    const w = waiting.exec(body);
    if (w) return { kind: 'async-waiting', pid: Number(w[1]) };
    const c = continuing.exec(body);
    if (c) return { kind: 'async-continuing', pid: Number(c[1]), logged: Number(c[2]) };
  }
  const l = level.exec(body);
  if (l?.[1] !== undefined) return { kind: 'level', name: l[1] };
  for (const [pattern, name] of milestones) if (pattern.test(body)) return { kind: 'milestone', name };
  return undefined;
}

/** Async helpers run under a cookie: `2___driver_attach_async_helper`. */
function isAsyncName(name: string): boolean {
  return /^\d{1,12}_/.test(name);
}

function moduleOf(name: string | undefined): { module?: string } {
  return name === undefined ? {} : { module: name };
}

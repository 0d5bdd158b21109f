import type { Ns } from '../kernel/index.js';

/** What one line of a tool's output says: a format, and durations if the line has any. */
export type SampleLine = {
  readonly format: SampleFormat;
  readonly values: readonly { readonly name: string; readonly value: Ns }[];
  /** The line goes on in the next one (a mailer wrapped it). */
  readonly open?: true;
  /** The line's own arithmetic is wrong: what it should say. */
  readonly wrong?: string;
};

export type SampleFormat =
  | 'systemd-analyze'
  | 'systemd-analyze blame'
  | 'systemd-analyze critical-chain'
  | 'table of differences'
  | 'time'
  | 'perf stat'
  | 'hyperfine'
  | 'function_graph'
  | 'ftrace events'
  | 'labelled times';

const timeSpan = '(?:\\d{1,6}h )?(?:\\d{1,6}min )?(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ms|us|s)|\\d{1,6}min)';
const startup = new RegExp(
  `\\bStartup finished in ((?:${timeSpan} \\(\\w{1,12}\\)(?: \\+ )?){1,8})(?: ?= ?(${timeSpan}))?`,
);
const startupPart = new RegExp(`(${timeSpan}) \\((\\w{1,12})\\)`, 'g');
const blame = new RegExp(
  `^(${timeSpan}) (\\S{1,200}\\.(?:service|device|mount|socket|target|swap|path|timer|scope|slice|automount))$`,
);
const chain = new RegExp(
  `^[\\s\\u2500-\\u257f|\`+-]{0,80}(\\S{1,200}\\.\\w{4,9}) @(${timeSpan})(?: \\+(${timeSpan}))?$`,
);
const difference = /^(\d{0,9}\.\d{3,9}) ?- ?(\d{0,9}\.\d{3,9}) ?= ?(-?\d{0,9}\.\d{1,9})$/;
const real = /^real\s{1,8}(?:(\d{1,6})m ?)?(\d{1,9}\.\d{1,6})s?$/;
const elapsed = /(?:^|\s)(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2}\.\d{1,3})elapsed\b/;
const perf = /^(\d{1,9}(?:[.,]\d{1,12})?)(?: \+- (\d{1,9}(?:[.,]\d{1,12})?))? seconds time elapsed/;
const hyperfine = /^Time \((?:mean|abs)[^)]{0,20}\): {1,12}(\d{1,9}(?:\.\d{1,6})?) (ms|s|us)\b/;
const graph = /^\d{1,3}\)\s{1,4}[!*@$#+]?\s{0,12}(\d{1,9}(?:\.\d{1,6})?) us\s{1,8}\|?\s{0,80}(\S{0,80})/;
const graphOpen = /^\d{1,3}\)\s{1,40}\|\s{1,80}[\w.]{1,80}\(\) \{$/;
const trace = /^\S[^\n[]{0,40}-\d{1,9} +\[\d{3,4}\] [^ ]{4,6} +(\d{1,9}\.\d{6}): (\w{1,64}):/;
const resume = /suspend_resume: (\S{1,80}) (begin|end)$/;

/** A line of systemd-analyze, time, perf stat, hyperfine, a function graph, or a table of differences; nothing for another. */
export function parseSampleLine(text: string): SampleLine | undefined {
  const line = text.length > 1000 ? text.slice(0, 1000) : text;
  const c = line.charCodeAt(0);
  const digit = (c >= 0x30 && c <= 0x39) || c === 0x2e;
  const started = line.includes('Startup finished in ') ? startup.exec(line) : null;
  if (started) {
    const values = [...(started[1] ?? '').matchAll(startupPart)].map((m) => ({
      name: m[2] ?? '',
      value: parseTimeSpan(m[1] ?? ''),
    }));
    const total = started[2] === undefined ? [] : [{ name: 'total', value: parseTimeSpan(started[2]) }];
    return {
      format: 'systemd-analyze',
      values: [...values, ...total],
      ...(started[2] === undefined ? { open: true as const } : {}),
    };
  }
  if (digit) {
    const diff = difference.exec(line);
    if (diff) return differenceLine(diff);
    const blamed = blame.exec(line);
    if (blamed)
      return {
        format: 'systemd-analyze blame',
        values: [{ name: blamed[2] ?? '', value: parseTimeSpan(blamed[1] ?? '') }],
      };
    const counted = perf.exec(line);
    if (counted) return { format: 'perf stat', values: [{ name: 'elapsed', value: secondsOf(counted[1]) }] };
    const called = graph.exec(line);
    if (called) {
      const name = (called[2] ?? '').replace(/\(\)[;{]?.*$/, '');
      const value = Math.round(Number(called[1]) * 1e3);
      return { format: 'function_graph', values: name === '' || name.startsWith('}') ? [] : [{ name, value }] };
    }
    if (graphOpen.test(line)) return { format: 'function_graph', values: [] };
  }
  const timed = line.startsWith('real') ? real.exec(line) : null;
  if (timed)
    return {
      format: 'time',
      values: [{ name: 'real', value: Math.round((Number(timed[1] ?? 0) * 60 + Number(timed[2])) * 1e9) }],
    };
  const used = line.includes('elapsed') ? elapsed.exec(line) : null;
  if (used) {
    const value = Number(used[1] ?? 0) * 3600 + Number(used[2]) * 60 + Number(used[3]);
    return { format: 'time', values: [{ name: 'real', value: Math.round(value * 1e9) }] };
  }
  const mean = line.startsWith('Time (') ? hyperfine.exec(line) : null;
  if (mean) {
    const scale = mean[2] === 's' ? 1e9 : mean[2] === 'us' ? 1e3 : 1e6;
    return { format: 'hyperfine', values: [{ name: 'mean', value: Math.round(Number(mean[1]) * scale) }] };
  }
  const linked = line.includes(' @') ? chain.exec(line) : null;
  if (linked) {
    const values = linked[3] === undefined ? [] : [{ name: linked[1] ?? '', value: parseTimeSpan(linked[3]) }];
    return { format: 'systemd-analyze critical-chain', values };
  }
  if (line.includes('] ') && trace.test(line)) return { format: 'ftrace events', values: [] };
  return undefined;
}

/** `suspend_resume: dpm_resume[16] begin` with its time, for pairing with its end. */
export function parsePhase(
  text: string,
): { readonly name: string; readonly at: Ns; readonly end: boolean } | undefined {
  const head = trace.exec(text.slice(0, 400));
  const phase = head && resume.exec(text.slice(0, 400));
  if (!head || !phase) return undefined;
  return { name: phase[1] ?? '', at: secondsOf(head[1]), end: phase[2] === 'end' };
}

function differenceLine(m: RegExpExecArray): SampleLine {
  const value = Math.round(Number(m[3]) * 1e9);
  const computed = Math.round((Number(m[1]) - Number(m[2])) * 1e9);
  const place = 10 ** (9 - ((m[3] ?? '').length - (m[3] ?? '').indexOf('.') - 1));
  const right = Math.abs(value - computed) <= place;
  return {
    format: 'table of differences',
    values: [{ name: 'difference', value }],
    ...(right
      ? {}
      : { wrong: `${String(m[1])} - ${String(m[2])} is ${(computed / 1e9).toFixed(6)}, not ${String(m[3])}` }),
  };
}

function secondsOf(text: string | undefined): Ns {
  return Math.round(Number((text ?? '').replace(',', '.')) * 1e9);
}

/** systemd's spans: `1min 12.413s`, `899ms`. */
export function parseTimeSpan(text: string): Ns {
  let total = 0;
  for (const m of text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(h|min|ms|us|s)/g)) {
    const scale = { h: 3600e9, min: 60e9, s: 1e9, ms: 1e6, us: 1e3 }[m[2] ?? 's'] ?? 1e9;
    total += Number(m[1]) * scale;
  }
  return Math.round(total);
}

import {
  formatTime,
  slowest,
  type BootLog,
  type Gain,
  type Timeline,
  type TimelineEntry,
} from '../../core/evidence/index.js';
import { markup, page, table, timelinePicture, type Markup } from '../../core/report/index.js';
import { column, plain, right } from './terminal-text.js';

type Part = { readonly log: BootLog; readonly timeline: Timeline };

export type BootView = {
  readonly path: string;
  readonly parts: readonly Part[];
  /** The part with the most in it: the one that is drawn. */
  readonly main: Part;
  readonly top: number;
  readonly gain?: { readonly name: string; readonly delta: number; readonly found: Gain | undefined };
};

const drawn = 40;

/** The slowest as a list, the boot as a drawing of `drawn` columns, one verdict line at the end of each file. */
export function bootText(views: readonly BootView[]): string {
  return views
    .map((v) => `${[...head(v), ...v.parts.flatMap((p) => partText(p, v.top)), verdict(v)].join('\n')}\n`)
    .join('\n');
}

function head({ path, parts }: BootView): string[] {
  return [parts.length === 1 ? plain(path) : `${plain(path)}: ${String(parts.length)} logs`];
}

function partText({ log, timeline }: Part, top: number): string[] {
  const lines = [`  ${facts(log, timeline)}`];
  if (log.samples !== undefined) {
    const shown = [...log.samples].sort((a, b) => b.value - a.value).slice(0, top);
    return [...lines, ...shown.map((s) => `    ${right(formatTime(s.value), 12)}  ${plain(s.name, 60)}`), ''];
  }
  const calls = slowest(timeline, top);
  if (calls.length === 0) return [...lines, ''];
  const scale = scaleOf(timeline, calls);
  lines.push(`    ${right('took', 12)}  ${column('initcall', 30)} path     ${scale.label}`);
  for (const call of calls) {
    const name = call.module === undefined ? call.name : `${call.name} [${call.module}]`;
    lines.push(
      `    ${right(formatTime(call.took), 12)}  ${column(name, 30)} ${column(call.path, 8)} ${bar(call, scale)}${ticks(call, log)}`.trimEnd(),
    );
  }
  for (const w of timeline.windows)
    lines.push(`    ${right(formatTime(w.to - w.from), 12)}  waited for others (${w.by})`);
  return [...lines, ''];
}

function facts(log: BootLog, timeline: Timeline): string {
  const parts = [`line ${String(log.mailLine)}: ${log.format}`];
  if (log.label !== 'unknown') parts.push(log.label);
  if (log.release !== undefined) parts.push(`Linux ${plain(log.release, 40)}`);
  if (timeline.initcallCount > 0)
    parts.push(`${String(timeline.initcallCount)} initcalls, ${formatTime(timeline.initcallTotal)} in all`);
  if (timeline.rootMount !== undefined) parts.push(`root at ${formatTime(timeline.rootMount)}`);
  if (timeline.init !== undefined) parts.push(`init at ${formatTime(timeline.init)}`);
  const print = timeline.fingerprint;
  if (print?.hz !== undefined)
    parts.push(`HZ=${String(print.hz)} (${String(print.explained)} of ${String(print.of)} early fields)`);
  if (log.unitNs !== undefined) parts.push(`"usecs" of ${String(log.unitNs)} ns`);
  return parts.join(', ');
}

/** Before the clock source the kernel's field counts ticks; the stamps have the time. */
function ticks(call: TimelineEntry, log: BootLog): string {
  const field = call.logged * (log.unitNs ?? 1000);
  return Math.abs(field - call.took) > 1e6 ? `  (logged ${formatTime(field)}, whole ticks)` : '';
}

type Scale = { readonly from: number; readonly to: number; readonly label: string };

function scaleOf(timeline: Timeline, calls: readonly TimelineEntry[]): Scale {
  const ends = calls.flatMap((c) => (c.end === undefined ? [] : [c.end]));
  if (ends.length === 0) return { from: 0, to: 0, label: '' };
  const from = Math.min(...calls.flatMap((c) => (c.start === undefined ? [] : [c.start])));
  const to = Math.max(...ends, timeline.init ?? 0);
  return { from, to, label: `${formatTime(from)} .. ${formatTime(to)}` };
}

function bar(call: TimelineEntry, { from, to }: Scale): string {
  if (call.start === undefined || call.end === undefined || to <= from) return '';
  const at = (t: number) => Math.min(drawn - 1, Math.max(0, Math.floor(((t - from) / (to - from)) * drawn)));
  const start = at(call.start);
  const mark = call.path === 'on' ? '#' : call.path === 'off' ? '-' : '?';
  return `|${' '.repeat(start)}${mark.repeat(Math.max(1, at(call.end) - start))}`.padEnd(drawn + 1) + '|';
}

function verdict({ main, gain }: BootView): string {
  if (gain) {
    const wished = `if "${plain(gain.name, 60)}" came ${formatTime(Math.abs(gain.delta))} ${gain.delta <= 0 ? 'sooner' : 'later'}`;
    if (!gain.found) return `${wished}: cannot tell, the log has no such initcall, probe or line`;
    const { path, why } = gain.found;
    const effect = gain.found.gain === 0 ? '0' : formatTime(Math.abs(gain.found.gain));
    if (path === 'unknown') return `${wished}: cannot tell what the boot gains (${plain(why)})`;
    return `${wished}, the boot would ${gain.delta <= 0 ? 'gain' : 'lose'} ${effect} (${path} the boot path: ${plain(why)})`;
  }
  const [first] = slowest(main.timeline, 1);
  if (!first) return `verdict: no initcalls in it, so nothing on where the boot spends its time`;
  return `verdict: slowest is ${plain(first.name, 60)}, ${formatTime(first.took)}, ${first.path} the boot path`.replace(
    'unknown the',
    'unknown whether on the',
  );
}

/** One page for all files: the same list, and the calls drawn over time. */
export function bootHtml(views: readonly BootView[]): string {
  const parts = views.map(
    (view) => markup`<h2>${view.path}</h2>
<p>${verdict(view)}</p>
${view.parts.map((part) => markup`<p class="small soft">${facts(part.log, part.timeline)}</p>\n${timelinePicture(part.timeline)}${slowestTable(part, view.top)}`)}
`,
  );
  return page('Where a boot spent its time', markup`${parts}`);
}

function slowestTable({ timeline }: Part, top: number): Markup {
  const rows = slowest(timeline, top).map((c) => [
    formatTime(c.took),
    markup`<code>${c.name}</code>`,
    c.path,
    c.pathBy,
  ]);
  return table(['took', 'initcall', 'boot path', 'because'], rows, ['n', 'words', '', 'words']);
}

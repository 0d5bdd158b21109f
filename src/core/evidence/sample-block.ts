import type { Ns } from '../kernel/index.js';
import type { BootLog, Sample } from './evidence.js';
import { findLabel, type Label } from './label.js';
import { nothing, type Unquoted } from './quoting.js';
import { parsePhase, parseSampleLine, type SampleFormat, type SampleLine } from './sample-line.js';

type Open = {
  readonly format: SampleFormat;
  readonly mailLine: number;
  readonly label: Label | undefined;
  readonly quoted: boolean;
  readonly samples: Sample[];
  readonly wrong: string[];
  readonly phases: Map<string, Ns>;
  lines: number;
};

const maxSamples = 5000;
const maxLines = 400_000;

/** What tools other than the kernel's log print, in blocks of one format; blank lines and a tool's other lines may lie between. */
export function readSampleBlocks(lines: readonly Unquoted[], firstLine: number): BootLog[] {
  const found: BootLog[] = [];
  let open: Open | undefined;
  let gap = 0;
  let previous: Label | undefined;
  const close = () => {
    if (open && isWorth(open)) found.push(finish(open));
    if (open) previous = open.label;
    open = undefined;
  };
  const limit = Math.min(lines.length, maxLines);
  for (let i = 0; i < limit; i++) {
    const { text, depth } = lines[i] ?? nothing;
    let parsed = parseSampleLine(text);
    if (parsed?.open && i + 1 < limit) {
      const more = parseSampleLine(`${text} ${(lines[i + 1] ?? nothing).text}`);
      parsed = more && more.values.length > parsed.values.length ? more : parsed;
    }
    if (parsed === undefined) {
      if (open && (++gap > 12 || (text !== '' && !isBetween(open.format, text)))) close();
      continue;
    }
    if (open && (open.format !== parsed.format || open.quoted !== depth > 0)) close();
    open ??= {
      format: parsed.format,
      mailLine: firstLine + i,
      label: findLabel(lines, i, previous),
      quoted: depth > 0,
      samples: [],
      wrong: [],
      phases: new Map(),
      lines: 0,
    };
    gap = 0;
    add(open, parsed, text, firstLine + i);
  }
  close();
  return found;
}

function add(open: Open, parsed: SampleLine, text: string, mailLine: number): void {
  open.lines++;
  if (parsed.wrong !== undefined) open.wrong.push(parsed.wrong);
  if (open.samples.length >= maxSamples) return;
  for (const { name, value } of parsed.values) open.samples.push({ name, value, mailLine });
  const phase = parsed.format === 'ftrace events' ? parsePhase(text) : undefined;
  if (!phase) return;
  const from = open.phases.get(phase.name);
  if (!phase.end) open.phases.set(phase.name, phase.at);
  else if (from !== undefined) open.samples.push({ name: phase.name, value: phase.at - from, mailLine });
}

/** What stands between two lines of one tool: `user`, `sys`, counters, braces of a graph. */
function isBetween(format: SampleFormat, text: string): boolean {
  switch (format) {
    case 'time':
      return /^(?:user|sys|real)\s|\d(?:maxresident|inputs|pagefaults)|^[#$] /.test(text);
    case 'perf stat':
    case 'hyperfine':
      return true;
    case 'function_graph':
    case 'ftrace events':
      return /^(?:\d{1,3}\)|-{3,}|#)/.test(text) || text.length < 160;
    case 'systemd-analyze critical-chain':
    case 'systemd-analyze':
    case 'systemd-analyze blame':
    case 'table of differences':
    case 'labelled times':
      return false;
    default:
      return format satisfies never;
  }
}

/** One line that looks like an ftrace event or a graph is no trace. */
function isWorth(open: Open): boolean {
  if (open.format === 'ftrace events' || open.format === 'function_graph') return open.lines >= 3;
  return open.lines > 0;
}

function finish(open: Open): BootLog {
  return {
    label: open.label?.label ?? 'unknown',
    ...(open.label ? { labelBy: open.label.by } : {}),
    mailLine: open.mailLine,
    format: open.format,
    lines: open.lines,
    milestones: [],
    initcalls: [],
    samples: open.samples,
    ...(open.wrong.length > 0 ? { problems: open.wrong } : {}),
    ...(open.quoted ? { quoted: true as const } : {}),
  };
}

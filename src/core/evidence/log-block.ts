import { findLabel, labelOf, type Label } from './label.js';
import { parseLogLine, parseOverrun, type LogLine } from './log-line.js';
import { isElision, nothing, type Unquoted } from './quoting.js';

/** A log line with its place; `more` is the text of the lines it was wrapped into. */
export type BlockLine = { readonly line: LogLine; readonly mailLine: number; more: string };

/** A run of log lines as it stands in a mail or a file. */
export type LogBlock = {
  readonly lines: BlockLine[];
  readonly mailLine: number;
  readonly label?: Label;
  readonly quoted: boolean;
};

type Where = 'mail' | 'file';

const maxLines = 400_000;
const maxBlocks = 200;
const maxWrapped = 3;
const secondsBack = 1e9;
const inline =
  /^((?:before|after|without|with|w\/o|old|new|vanilla|patched|unpatched)\b[^:[\]]{0,40}:)\s{1,8}(?=\[|initcall |calling |probe of )/i;

/**
 * The log blocks of a text. In a mail a block ends where prose begins; in a file it ends only where the clock starts
 * again (another boot). Lines that were wrapped by a mailer are kept with the line they belong to.
 */
export function findLogBlocks(lines: readonly Unquoted[], where: Where, firstLine: number): LogBlock[] {
  const blocks: LogBlock[] = [];
  let open: LogBlock | undefined;
  let last: LogLine | undefined;
  let lastAt: number | undefined;
  let gap = 0;
  let jsonTime: number | undefined;
  const limit = Math.min(lines.length, maxLines);
  for (let i = 0; i < limit; i++) {
    const { text, depth } = lines[i] ?? nothing;
    const time = text.startsWith('"time":') ? /^"time": {1,20}(\d{1,9}\.\d{1,9})/.exec(text) : null;
    if (time) {
      jsonTime = Math.round(Number(time[1]) * 1e9);
      continue;
    }
    const labelled = inline.exec(text);
    let line = parseLogLine(labelled ? text.slice(labelled[0].length) : text);
    const overrun = where === 'file' || open !== undefined ? parseOverrun(text) : undefined;
    if (overrun) line = overrun;
    if (line === undefined) {
      if (open === undefined) continue;
      if (text === '' || isElision(text)) gap++;
      else if (isJsonFrame(text)) continue;
      else if (where === 'file') attach(open, text);
      else if (gap > 0 || isHeading(text) || !attach(open, text)) open = undefined;
      continue;
    }
    if (line.shape === 'dmesg -J' && jsonTime !== undefined) line = { ...line, at: jsonTime };
    if (line.since !== undefined) line = { ...line, at: (lastAt ?? 0) + line.since };
    const back = lastAt !== undefined && line.at !== undefined && line.at < lastAt - secondsBack;
    const otherClock =
      last !== undefined && last.shape !== line.shape && (last.coarse ?? false) !== (line.coarse ?? false);
    const quotedOther = where === 'mail' && open !== undefined && gap > 0 && open.quoted !== depth > 0;
    const boot =
      line.body.startsWith('Linux version ') && (open?.lines.length ?? 0) > 0 && line.shape !== 'bare' && lastAt !== 0;
    if (open === undefined || back || otherClock || quotedOther || boot || labelled !== null) {
      if (blocks.length >= maxBlocks) break;
      const label: Label | undefined = labelled?.[1] ? labelOf(labelled[1]) : findLabel(lines, i, blocks.at(-1)?.label);
      open = { lines: [], mailLine: firstLine + i, quoted: depth > 0, ...(label ? { label } : {}) };
      blocks.push(open);
      lastAt = undefined;
    }
    open.lines.push({ line, mailLine: firstLine + i, more: '' });
    last = line;
    gap = 0;
    lastAt = line.at ?? lastAt;
  }
  return blocks;
}

function attach(open: LogBlock, text: string): boolean {
  const target = open.lines.at(-1);
  if (target === undefined) return false;
  const parts = target.more === '' ? 0 : target.more.split('\n').length;
  if (parts >= maxWrapped) return false;
  target.more = target.more === '' ? text : `${target.more}\n${text}`;
  return true;
}

/** The line with what a mailer wrapped off it. */
export function joined(line: BlockLine): string {
  return line.more === '' ? line.line.body : `${line.line.body} ${line.more.replaceAll('\n', ' ')}`;
}

function isHeading(text: string): boolean {
  return /:[-\s]{0,3}$/.test(text) && text.length < 120;
}

function isJsonFrame(text: string): boolean {
  return /^(?:"(?:pri|fac|caller)":.{0,40}|\}, ?\{|[{}[\]],?|"dmesg": \[)$/.test(text);
}

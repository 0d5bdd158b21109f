import type { LogLine } from './log-lines.js';

// Lines that machines printed: they may be long and hold hex words, up to the next blank line.
const begins = [
  /^\s*\[\s*\d+\.\d{6}\s*\]/,
  /^\s*(?:WARNING:|BUG:)/,
  /^\s*\[<[0-9a-f]{8,}>\]/i,
  /^(?:\s+\w+:\s+[0-9a-f]+){3}/i,
  /^\s*#\d+\s*\[[0-9a-f]+\]\s*\w+ at [0-9a-f]+/i,
];

/** For each line, whether it stands in what looks like a kernel log or a stack dump. */
export function inStackDump(lines: readonly LogLine[]): boolean[] {
  let dump = false;
  return lines.map(({ text }) => {
    if (text.trim() === '') dump = false;
    else if (begins.some((begin) => begin.test(text))) dump = true;
    return dump;
  });
}

import { parseLogLine } from './log-line.js';
import { nothing, type Unquoted } from './quoting.js';

/** A sentence of a mail's prose, its lines joined. */
export type Sentence = { readonly text: string; readonly mailLine: number; readonly quoted: boolean };

const maxSentence = 1200;
const maxLinesRead = 20_000;

/**
 * The prose of a mail as sentences: log lines, diffs, trailers, tables of code and signatures left out, wrapped lines
 * joined, quoting stripped.
 */
export function sentencesOf(lines: readonly Unquoted[], firstLine = 1): Sentence[] {
  const found: Sentence[] = [];
  let open: { parts: { text: string; mailLine: number }[]; quoted: boolean; depth: number } | undefined;
  const close = () => {
    if (open) found.push(...split(open.parts, open.quoted));
    open = undefined;
  };
  let diff = false;
  const limit = Math.min(lines.length, maxLinesRead);
  for (let i = 0; i < limit; i++) {
    const { text, depth } = lines[i] ?? nothing;
    if (/^(?:diff --git |--- a\/|Index: )/.test(text)) diff = true;
    if (diff && isProseAgain(text)) diff = false;
    if (text === '' || diff || isNoProse(text) || parseLogLine(text) !== undefined) {
      close();
      continue;
    }
    if (open !== undefined && (open.depth !== depth || /^(?:[-*•+] |\d{1,2}[.)] |\[\d{1,2}\] )/.test(text))) close();
    open ??= { parts: [], quoted: depth > 0, depth };
    open.parts.push({ text, mailLine: firstLine + i });
    if (open.parts.length > 40) close();
  }
  close();
  return found;
}

/** Prose between hunks of a quoted diff: a plain sentence where a hunk line would begin with a sign. */
function isProseAgain(text: string): boolean {
  return /^[A-Z][a-z]{1,20},? [a-z]/.test(text) && !/[;{}]$/.test(text);
}

function isNoProse(text: string): boolean {
  if (!/[:@|]|^[+i-]/.test(text)) return false;
  return (
    /^[A-Za-z][A-Za-z-]{1,30}-by: |^(?:Fixes|Link|Closes|Cc|To|From|Date|Subject|Message-ID|Reported-and-tested-by): /i.test(
      text,
    ) ||
    /^(?:@@ |\+\+\+ |[+-]\s{2}|index [0-9a-f]{7,})/.test(text) ||
    /^\S{1,200} \| {1,8}\d{1,6} [+-]{1,200}$/.test(text)
  );
}

function split(parts: readonly { text: string; mailLine: number }[], quoted: boolean): Sentence[] {
  const found: Sentence[] = [];
  let text = '';
  let mailLine = parts[0]?.mailLine ?? 1;
  const flush = () => {
    const trimmed = text.trim();
    if (trimmed !== '') found.push({ text: trimmed.slice(0, maxSentence), mailLine, quoted });
    text = '';
  };
  for (const part of parts) {
    if (text === '') mailLine = part.mailLine;
    else if (!text.endsWith('-') || /\s-$/.test(text)) text += ' ';
    let from = 0;
    for (const m of part.text.matchAll(/[.!?]["')\]]?(?= {1,3}["'([]?[A-Z~])/g)) {
      if (/\b(?:e\.g|i\.e|approx|ca|vs|etc|cf)\.$/i.test(part.text.slice(0, m.index + 1))) continue;
      text += part.text.slice(from, m.index + m[0].length);
      from = m.index + m[0].length;
      flush();
      mailLine = part.mailLine;
    }
    text += part.text.slice(from);
    if (/[.!?]["')\]]?$/.test(text) && !/\b(?:e\.g|i\.e|approx|ca|vs)\.$/i.test(text)) flush();
    if (text.length > 4 * maxSentence) flush();
  }
  flush();
  return found;
}

import type { Prose, Trailer } from './patch.js';

const field = /^([A-Za-z][A-Za-z0-9_-]{0,60})[ \t]{0,4}:[ \t]{0,8}(\S.*)$/s;
const known =
  /^(?:[a-z-]+-by|cc|fixes|link|closes|bugzilla|buglink|bug|reference|references|addresses-\S+|change-id|base-commit|message-id|reported-\S+|depends-on|requires|patchwork|lore|bug-id|cve|upstream-commit|acked|reviewed)$/i;
const mostParagraphs = 8;

/** Finds the trailers at the end of a commit message: the last paragraphs as long as they consist of them. */
export function readTrailers(log: Prose): Trailer[] {
  const found: Trailer[][] = [];
  let end = log.lines.length;
  for (let paragraphs = 0; paragraphs < mostParagraphs && end > 0; paragraphs++) {
    let from = end;
    while (from > 0 && (log.lines[from - 1] ?? '').trim() !== '') from--;
    const trailers = readParagraph(log, from, end);
    if (trailers === undefined) break;
    found.unshift(trailers);
    while (from > 0 && (log.lines[from - 1] ?? '').trim() === '') from--;
    end = from;
  }
  return found.flat();
}

/** git's rule (trailer.c): all lines are trailers, or a quarter of them with a well-known one among them. */
function readParagraph(log: Prose, from: number, end: number): Trailer[] | undefined {
  const trailers: Trailer[] = [];
  let others = 0;
  let hasKnown = false;
  for (let at = from; at < end; at++) {
    const text = log.lines[at] ?? '';
    const last = trailers.at(-1);
    const match = field.exec(text);
    if (match !== null) {
      const key = match[1] ?? '';
      hasKnown ||= known.test(key);
      trailers.push({ key, value: (match[2] ?? '').trimEnd(), text, mailLine: log.mailLine + at });
    } else if (/^\s/.test(text) && last !== undefined) {
      trailers[trailers.length - 1] = { ...last, value: `${last.value} ${text.trim()}` };
    } else if (!/^(?:\[|#|\(cherry picked)/.test(text)) {
      others++;
    }
  }
  if (!hasKnown || others > trailers.length * 3) return undefined;
  return trailers;
}

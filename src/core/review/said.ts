import { replyTextLimit } from './unquoted.js';

const aboutWaits =
  /\b(?:[fmus]?sleep\w*|[mun]?delay\w*|poll\w*|timeouts?|timers?|jiff\w*|hz|back-?off|wait\w*|budget|retr\w+|interval|datasheet|spec|slack|\d+ ?(?:ms|us|s|msecs?|usecs?))\b/i;

/**
 * True when a reply quotes one of these diff lines and goes on, right under it, in words about waiting: then somebody has
 * said it, and better. `quote` is byte for byte as in the diff. With another pattern in `about`: in such words.
 */
export function quotesAndRemarks(text: string, quote: readonly string[], about: RegExp = aboutWaits): boolean {
  const wanted = new Set(quote.map((line) => line.trimEnd()).filter((line) => line.trim().length > 3));
  if (wanted.size === 0) return false;
  const lines = text.slice(0, replyTextLimit).split('\n');
  let quoted = -100;
  for (const [at, line] of lines.entries()) {
    const inner = /^> ?(.*)$/.exec(line);
    if (inner !== null) {
      if (wanted.has((inner[1] ?? '').trimEnd())) quoted = at;
      continue;
    }
    // A remark stands within a dozen lines of what it is about; quoted lines between them belong to the same hunk.
    if (at - quoted <= 12 && about.test(line)) return true;
  }
  return false;
}

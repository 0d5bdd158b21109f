import { withoutHedges } from './claim-hedge.js';
import { hasSpeedVerb, isAboutTime } from './claim-words.js';
import type { Quantity } from './quantity.js';

type Place = { readonly start: number; readonly end: number };

const change =
  'faster|quicker|shorter|less|lower|smaller|better|slower|longer|improvement|speed-?up|reduction|gain|boost|decrease';
const factorBehind = new RegExp(`^[-\\s](?:\\w{1,12} )?(?:${change}|as (?:fast|quick|long|slow))\\b`, 'i');
const percentBehind = new RegExp(
  `^\\)?[-\\s](?:\\w{1,12} )?(?:${change}|regression|increase|savings?|of the (?:boot|time))`,
  'i',
);
const percentAhead =
  /\b(?:by|down|up)[\s~(]{1,3}$|\b(?:improvement|reduction|decrease|gain|speed-?up|regression|increase|drop|savings?) (?:of|is|was)[\s~(]{1,3}$/i;
const other =
  /\b(?:cpu|battery|disk|memory|load|usage|utili[sz]ation|power|confidence|brightness|volume|duty|scale|zoom)\b/i;

/** What may stand between two values and the change that they are, as in `3 s to 1 s, an improvement of more than 60 %`. */
const fillers = new Set(
  'a an the or by i e ie that is s which it this are so about around roughly nearly almost over more less than at least up to approx approximately improvement improved reduction reduced decrease savings saving saves of speed speedup factor down faster quicker and us ms s usec msec sec secs second seconds milliseconds'.split(
    ' ',
  ),
);

/** A percentage or factor that says how the time changed, not how busy a CPU or how full a disk is, nor how often a test ran. */
export function isAttached(q: Quantity, text: string, pairs: readonly Place[]): boolean {
  if (q.expected) return false;
  const ahead = `${withoutHedges(text.slice(Math.max(0, q.start - 80), q.start))} `;
  const behind = text.slice(q.end, q.end + 50);
  const beside = pairs.some((p) => closes(p, q, text) || opens(p, q, text));
  if (q.kind === 'factor') {
    if (/hal[fv]/i.test(text.slice(q.start, q.end))) return isAboutTime(text);
    if (factorBehind.test(behind)) return true;
    if (/\b(?:speed-?up|improvement|reduction|gain|factor|boost)s? of(?: an?)?[\s~]{1,3}$/i.test(ahead)) return true;
    if (/\bby(?: a factor of)?[\s~]{1,3}$/i.test(ahead) && hasSpeedVerb(text)) return true;
    if (beside) return true;
    return pairs.length === 0 && /[x×]$/.test(text.slice(q.start, q.end)) && hasSpeedVerb(text) && ends(behind);
  }
  if (other.test(behind.slice(0, 20))) return false;
  if (percentBehind.test(behind)) return true;
  if (percentAhead.test(ahead)) return hasSpeedVerb(text) || pairs.length > 0;
  return beside;
}

/** Nothing is counted by it: `90x by reducing`, not `4x Cortex-A53`. */
function ends(behind: string): boolean {
  return /^\s{0,2}(?:$|[).,;:!?]|(?:and|by|compared|for|in|on|over|when|with)\s)/i.test(behind);
}

function closes(pair: Place, q: Place, text: string): boolean {
  if (q.start < pair.end) return false;
  const between = text.slice(pair.end, q.start);
  const behind = text.slice(q.end, q.end + 20);
  // Alone in brackets, wherever they stand behind.
  if (/^[^()]{0,40}\([\s~+-]{0,3}$/.test(between) && /^\s?(?:\)|x\b|less|faster|[,;])/.test(behind)) return true;
  const words = between.toLowerCase().match(/[a-z]+/g) ?? [];
  return between.length <= 60 && words.every((w) => fillers.has(w)) && ends(behind);
}

function opens(pair: Place, q: Place, text: string): boolean {
  return q.end <= pair.start && /^\s?\(?[^()]{0,40}\(?\s?from\b/i.test(text.slice(q.end, pair.start));
}

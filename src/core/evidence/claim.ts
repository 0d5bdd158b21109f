import { isAttached } from './claim-attached.js';
import { findDeltas } from './claim-delta.js';
import { withoutHedges } from './claim-hedge.js';
import type { Claim } from './evidence.js';
import { findQuantities, inUnitOf, type Quantity } from './quantity.js';
import { claimKind, claimWhat, hasSpeedVerb, isAboutTime, isQualitative } from './claim-words.js';
import type { Sentence } from './sentence.js';

type Pair = { readonly before: Quantity; readonly after: Quantity; readonly start: number; readonly end: number };

const maxGap = 60;

/** The timing claims of one sentence, one for each pair of values or each saving; none for a sentence that claims nothing. */
export function parseClaims(sentence: Sentence): Claim[] {
  const { text } = sentence;
  const quantities = findQuantities(text);
  // Numbers without a unit claim nothing by themselves.
  if (quantities.every((q) => q.kind === 'bare')) return isQualitative(text) ? [claimOf(sentence, {})] : [];
  const times = quantities.filter((q) => q.kind === 'time');
  const pairs = findPairs(text, quantities);
  const used = new Set(pairs.flatMap((p) => [p.before, p.after]));
  const percents = quantities.filter((q) => q.kind === 'percent' && isAttached(q, text, pairs));
  const factors = quantities.filter((q) => q.kind === 'factor' && isAttached(q, text, pairs));
  const free = times.filter(
    (q) => !used.has(q) && !q.expected && !pairs.some((p) => q.start >= p.start && q.end <= p.end),
  );
  const bare = quantities.filter((q) => q.kind === 'bare');
  const deltas = findDeltas(text, free, bare);
  if (pairs.length > 0) {
    return pairs.map((pair) => {
      const own = (list: readonly Quantity[]) => list.find((q) => nearest(q, pairs) === pair);
      return claimOf(sentence, { pair, percent: own(percents), factor: own(factors), delta: own(deltas) });
    });
  }
  if (deltas.length > 0) {
    return deltas.map((delta, i) =>
      claimOf(sentence, { delta, ...(i === 0 ? { percent: percents[0], factor: factors[0] } : {}) }),
    );
  }
  const lone = percents[0] ?? factors[0];
  if (lone && hasSpeedVerb(text) && isAboutTime(text))
    return [claimOf(sentence, { percent: percents[0], factor: factors[0] })];
  return [];
}

type Parts = {
  readonly pair?: Pair | undefined;
  readonly percent?: Quantity | undefined;
  readonly factor?: Quantity | undefined;
  readonly delta?: Quantity | undefined;
};

function claimOf(sentence: Sentence, { pair, percent, factor, delta }: Parts): Claim {
  const hedge = (pair ? (pair.before.hedge ?? pair.after.hedge) : delta?.hedge) ?? factor?.hedge ?? percent?.hedge;
  const at = pair?.start ?? delta?.start ?? percent?.start ?? factor?.start;
  const slack = {
    ...(pair ? { before: Math.round(pair.before.slack), after: Math.round(pair.after.slack) } : {}),
    ...(delta ? { delta: Math.round(delta.slack) } : {}),
  };
  const values = {
    ...(pair ? { before: pair.before.low, after: pair.after.low } : {}),
    ...(pair && pair.before.high > pair.before.low ? { beforeMax: pair.before.high } : {}),
    ...(pair && pair.after.high > pair.after.low ? { afterMax: pair.after.high } : {}),
    ...(factor ? { factor: factor.low } : {}),
    ...(percent ? { percent: percent.low } : {}),
    ...(percent && percent.high > percent.low ? { percentMax: percent.high } : {}),
    ...(delta ? { delta: delta.low } : {}),
    ...(delta && delta.high > delta.low ? { deltaMax: delta.high } : {}),
  };
  return {
    text: sentence.text,
    mailLine: sentence.mailLine,
    what: claimWhat(sentence.text, at),
    kind: claimKind(sentence.text, { at, ...values }),
    ...values,
    checks: [],
    ...(hedge ? { hedge } : {}),
    ...(Object.keys(slack).length > 0 ? { slack } : {}),
    ...(sentence.quoted ? { quoted: true as const } : {}),
  };
}

/** `from X to Y`, `to Y from X`, `X -> Y`, `Y instead of X`, `was X, now Y`, `X before and Y after`. */
function findPairs(text: string, quantities: readonly Quantity[]): Pair[] {
  const found: Pair[] = [];
  const candidates = quantities.filter((q) => q.kind === 'time' || q.kind === 'bare');
  let taken = -1;
  for (let i = 0; i < candidates.length - 1; i++) {
    const a = candidates[i];
    if (!a || a.start < taken) continue;
    // A number that is no time may stand between (`from 5 s on board 3 to 2 s`): try the next time, too.
    for (let j = i + 1; j < Math.min(i + 3, candidates.length); j++) {
      const b = candidates[j];
      if (!b || b.start - a.end > maxGap) break;
      if (a.kind === 'bare' && (b.kind === 'bare' || j > i + 1)) continue;
      if (b.kind === 'bare' && !endsLikeTime(text, a, b)) continue;
      const pair = pairOf(text, a, b, candidates[i - 1]);
      if (pair) {
        found.push(pair);
        taken = pair.end;
        break;
      }
      if (b.kind === 'time') break;
    }
  }
  return found;
}

/** `from 5 seconds to under 1`: a number that takes the unit of the one before it, because nothing is counted by it. */
function endsLikeTime(text: string, a: Quantity, b: Quantity): boolean {
  if (a.kind !== 'time' || !/^\s(?:down )?to\s*$/.test(withoutHedges(text.slice(a.end, b.start)))) return false;
  return /^(?:[.,;)]|$|\s(?:on|in|with|for|when|after|at)\s)/.test(text.slice(b.end, b.end + 8));
}

const arrow = /^[\s)]{0,3}(?:-{1,3}>|={1,2}>|→|⇒|to\s)\s{0,2}$/;

function pairOf(text: string, a: Quantity, b: Quantity, previous: Quantity | undefined): Pair | undefined {
  const ahead = text.slice(Math.max(previous?.end ?? 0, a.start - 60), a.start);
  const gap = text.slice(a.end, b.start);
  if (newThenOld(ahead, gap)) return { before: b, after: a, start: a.start, end: b.end };
  if (/[.;!?]\s/.test(gap)) return undefined;
  const bare = withoutHedges(gap);
  const from = /\bfrom\b[^.;()]{0,45}$/i.test(ahead);
  const make = (before: Quantity, after: Quantity): Pair => {
    const fixed = (q: Quantity, other: Quantity) => (q.kind === 'bare' ? inUnitOf(q, other, text) : q);
    return { before: fixed(before, after), after: fixed(after, before), start: a.start, end: b.end };
  };
  if (from && /(?:^|\s)(?:down |up )?to\b[^.;()]{0,30}$/i.test(gap)) return make(a, b);
  if (from && /^[\s,]{0,3}(?:-{1,3}>|={1,2}>|→)\s{0,2}$/.test(bare)) return make(a, b);
  if (isReversed(ahead, gap, text.slice(b.end, b.end + 40), a)) return make(b, a);
  if (a.kind === 'bare') return arrow.test(bare) && /->|=>|→|⇒/.test(bare) ? make(a, b) : undefined;
  if (arrow.test(bare)) {
    const word = /^\s{0,3}to\s{0,2}$/.test(bare);
    // `5 to 10 seconds` is a range.
    if (!word || (a.low > b.high && hasSpeedVerb(text))) return make(a, b);
  }
  const versus = /^[^.;]{0,40}\b(?:vs\.?|versus)\b/i.test(gap);
  if (versus && newBehind.test(text.slice(b.end, b.end + 60))) return make(a, b);
  if (
    /\b(?:instead of|rather than|compared (?:to|with)|down from|up from|as opposed to|versus|vs\.?|against|previously|was|it was|used to (?:be|take)|before)\b[^.;]{0,30}$/i.test(
      gap,
    )
  ) {
    if (/^\W{0,3}(?:\w{1,12} ){0,4}(?:before|previously)\b.{0,30}\b(?:and|to|now|vs\.?|versus|,)\b/i.test(gap))
      return make(a, b);
    if (
      /\b(?:instead of|rather than|compared (?:to|with)|down from|up from|as opposed to|versus|vs\.?|against|previously|was|used to (?:be|take))\b/i.test(
        gap,
      )
    ) {
      // `was 5 s, now 3 s` has its old value first, which the words ahead of it tell.
      if (!/\b(?:was|before|without|old|previously|used to)\b[^.;]{0,30}$/i.test(ahead)) return make(b, a);
    }
  }
  const oldAhead =
    /\b(?:before|without|was|old|previously|originally|used to \w{2,12}|unpatched|vanilla|baseline)\b[^.;]{0,45}$/i.test(
      ahead,
    );
  if (oldAhead && /\b(?:after|with|now|new|patched|is)\b[^.]{0,45}$/i.test(gap)) return make(a, b);
  if (newBetween.test(gap)) return make(a, b);
  if (
    /^[^.;]{0,20}\b(?:before|without)\b[^.;]{0,40}\b(?:and|to|,|vs\.?)\s/i.test(gap) &&
    /^[^.;]{0,20}\b(?:after|with)\b/i.test(text.slice(b.end, b.end + 40))
  )
    return make(a, b);
  return undefined;
}

/** `to 3 s from 5 s`; not `up to 3 s, so raise it from`, nor `to probe 8 disks from 16 s to 2 s`. */
function isReversed(ahead: string, gap: string, behind: string, a: Quantity): boolean {
  const to =
    a.kind === 'bare' ? /(?<!\bup )\bto\s$/i.test(withoutHedges(ahead)) : /(?<!\bup )\bto\b[^.;()]{0,30}$/i.test(ahead);
  if (!to || !/^[^.;]{0,30}?\bfrom\b[^.;()]{0,30}$/i.test(gap)) return false;
  return !/^[\s(),]{0,3}(?:down |up )?to\s[^.;()]{0,20}\d/i.test(behind);
}

const withPatch = '(?:with (?:this|the|my|that) (?:patch|change|series|fix|commit)(?: applied)?|patched|now)';
const newBehind = new RegExp(`^[^.;,]{0,20}\\b(?:${withPatch}|after|afterwards)\\b`, 'i');
const newAhead = new RegExp(`\\b${withPatch}\\b[^.;]{0,40}$`, 'i');
const newBetween = new RegExp(`^[^.;]{0,30}[,:(] ?(?:and |but )?${withPatch}[,:]?(?: \\w{1,8}){0,3}\\s{0,2}$`, 'i');

/** `with this patch 2 s; without it 3 s`. */
function newThenOld(ahead: string, gap: string): boolean {
  return newAhead.test(ahead) && /^[;,] (?:and |but )?(?:without|before)\b[^.;]{0,30}$/i.test(gap);
}

function nearest(q: Quantity, pairs: readonly Pair[]): Pair | undefined {
  let best: Pair | undefined;
  let least = Infinity;
  for (const pair of pairs) {
    const distance = q.end <= pair.start ? pair.start - q.end : Math.max(0, q.start - pair.end);
    if (distance < least) {
      best = pair;
      least = distance;
    }
  }
  return best;
}

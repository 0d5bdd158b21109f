import type { Ns } from '../kernel/index.js';

export type Hedge = 'about' | 'at-least' | 'at-most';

/**
 * A number in a sentence with what it counts. `low` and `high` differ for a range (`6-7 seconds`); `slack` is half of
 * the last digit written. A bare number has no unit of its own (`from 160 to 40 ms`).
 */
export type Quantity = {
  readonly kind: 'time' | 'percent' | 'factor' | 'bare';
  /** Nanoseconds for a time. */
  readonly low: number;
  readonly high: number;
  readonly slack: number;
  readonly start: number;
  readonly end: number;
  readonly hedge?: Hedge;
  /** `expected 200 ms` is what somebody had thought, not what was seen. */
  readonly expected?: true;
};

const units: readonly (readonly [RegExp, Ns])[] = [
  [/^(?:ns|nsecs?|nanosec(?:ond)?s?)$/, 1],
  [/^(?:us|[\u00b5\u03bc]s|[\u00b5\u03bc]secs?|usecs?|micro[\s-]?sec(?:ond)?s?)$/, 1e3],
  [/^(?:ms|mS|msecs?|milli[\s-]?sec(?:ond)?s?)$/, 1e6],
  [/^(?:s|secs?|seconds?|Seconds?)$/, 1e9],
  [/^(?:mins?|minutes?)$/, 60e9],
  [/^(?:h|hrs?|hours?)$/, 3600e9],
];

const words: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
  'one hundred': 100,
  'a hundred': 100,
  'two hundred': 200,
  'three hundred': 300,
  'four hundred': 400,
  'five hundred': 500,
};

const unitPattern =
  '(?:nanosec(?:ond)?s?|nsecs?|ns|micro[\\s-]?sec(?:ond)?s?|[\\u00b5\\u03bcu]secs?|[\\u00b5\\u03bcu]s|milli[\\s-]?sec(?:ond)?s?|msecs?|ms|mS|minutes?|mins?|[sS]econds?|secs?|s|hours?|hrs?|h)(?![\\w/])';
const numberPattern = '(?:\\d{1,3}(?:,\\d{3}){1,4}(?:\\.\\d{1,9})?|\\d{1,12}(?:\\.\\d{1,9})?|\\.\\d{1,9})';
const rangePattern = `(${numberPattern})(?:\\s?(?:-|\\u2013|\\.\\.{1,2})\\s?(${numberPattern}))?`;
const numbers = new RegExp(
  `(?<![\\w.$#/,])(?<![\\w.)-]-)(?<!\\d:)${rangePattern}(?:[\\s-]?(${unitPattern})(?:\\s?(${numberPattern})\\s?(${unitPattern}))?|\\s?(%|per ?cent\\b)|\\s?(?:([x×])(?![\\w-]|\\s?\\d)|[\\s-]?(times\\b|fold\\b)))?`,
  'g',
);
const numberWords = new RegExp(
  `\\b(?:(${Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join(
      '|',
    )})[\\s-](?:((?:(?:nano|micro|milli)?seconds?|m?secs|minutes?|hours?)\\b)|(percent)\\b|(times|fold)\\b)|(half a second|1\\/2 (?:a )?second|a quarter of a second|(?:a|one) (?:full |whole )second|(?:by|over|about|than|nearly|almost) a second)|(twice|(?:two|three|five|ten)-?fold|halv(?:es?|ed|ing)|(?:in|by(?: a| one| about)?) half|half the(?: \\w{1,12}){0,2} time)\\b)`,
  'gi',
);
const folds: Readonly<Record<string, number>> = {
  twice: 2,
  twofold: 2,
  threefold: 3,
  fivefold: 5,
  tenfold: 10,
};

const maxQuantities = 60;

/** The numbers of a sentence in order; nothing that is part of a name, a version or a size. */
export function findQuantities(sentence: string): Quantity[] {
  const found: Quantity[] = [];
  // Most sentences have neither: one look each spares them the patterns.
  const hasDigit = /\d/.test(sentence);
  const hasWord = /sec|minute|hour|percent|times|fold|twice|hal[fv]/i.test(sentence);
  for (const m of hasDigit ? sentence.matchAll(numbers) : []) {
    if (found.length >= maxQuantities) break;
    const quantity = fromDigits(m, sentence);
    if (quantity) found.push(withContext(quantity, sentence));
  }
  for (const m of hasWord ? sentence.matchAll(numberWords) : []) {
    if (found.length >= maxQuantities) break;
    const quantity = fromWords(m);
    if (quantity) found.push(withContext(quantity, sentence));
  }
  return found.sort((a, b) => a.start - b.start);
}

function fromDigits(m: RegExpExecArray, sentence: string): Quantity | undefined {
  const lowText = m[1] ?? '';
  const highText = m[2] ?? lowText;
  const start = m.index;
  const end = start + m[0].length;
  const low = digits(lowText);
  const high = digits(highText);
  if (high < low) return bareOf(m, sentence);
  const place = 0.5 * 10 ** -decimals(lowText);
  if (m[3] !== undefined) {
    const unit = unitOf(m[3]);
    const more = m[4] !== undefined && m[5] !== undefined ? digits(m[4]) * unitOf(m[5]) : 0;
    if (m[5] !== undefined && unitOf(m[5]) >= unit)
      return { kind: 'time', low: low * unit, high: high * unit, slack: place * unit, start, end };
    const slack = m[4] !== undefined && m[5] !== undefined ? 0.5 * 10 ** -decimals(m[4]) * unitOf(m[5]) : place * unit;
    return {
      kind: 'time',
      low: Math.round(low * unit + more),
      high: Math.round(high * unit + more),
      slack,
      start,
      end,
    };
  }
  if (m[6] !== undefined) return { kind: 'percent', low, high, slack: place, start, end };
  if (m[7] !== undefined || m[8] !== undefined) {
    return { kind: 'factor', low, high, slack: place, start, end };
  }
  return bareOf(m, sentence);
}

/** A number without a unit, unless a word stands right behind it that makes it something else. */
function bareOf(m: RegExpExecArray, sentence: string): Quantity | undefined {
  if (m[2] !== undefined) return undefined;
  const end = m.index + m[0].length;
  if (/^[\w%]/.test(sentence.slice(end, end + 1))) return undefined;
  const value = digits(m[1] ?? '');
  const ahead = sentence.slice(Math.max(0, m.index - 30), m.index);
  const kind = /\bfactor of (?:about |around |roughly |nearly |over |more than |up to |~ ?)?$/i.test(ahead)
    ? 'factor'
    : 'bare';
  return { kind, low: value, high: value, slack: 0.5 * 10 ** -decimals(m[1] ?? ''), start: m.index, end };
}

function fromWords(m: RegExpExecArray): Quantity | undefined {
  const start = m.index;
  const end = start + m[0].length;
  const count = m[1] === undefined ? undefined : words[m[1].toLowerCase()];
  if (count !== undefined && m[2] !== undefined) {
    const value = count * unitOf(m[2].toLowerCase());
    return { kind: 'time', low: value, high: value, slack: 0.5 * unitOf(m[2].toLowerCase()), start, end };
  }
  if (count !== undefined && m[3] !== undefined)
    return { kind: 'percent', low: count, high: count, slack: 0.5, start, end };
  if (count !== undefined && m[4] !== undefined)
    return { kind: 'factor', low: count, high: count, slack: 0.5, start, end };
  if (m[5] !== undefined) {
    const value = /^(?:half|1\/2)/i.test(m[5]) ? 5e8 : /quarter/i.test(m[5]) ? 25e7 : 1e9;
    const at = start + Math.max(0, m[5].search(/(?<![a-z])(?:half a|1\/2|an? |one )/i));
    return { kind: 'time', low: value, high: value, slack: value / 4, start: at, end };
  }
  const word = m[6]?.toLowerCase().replace('-', '');
  const fold = word === undefined ? undefined : (folds[word] ?? (word.includes('hal') ? 2 : undefined));
  return fold === undefined ? undefined : { kind: 'factor', low: fold, high: fold, slack: 0.5, start, end };
}

function withContext(quantity: Quantity, sentence: string): Quantity {
  const ahead = sentence.slice(Math.max(0, quantity.start - 40), quantity.start);
  const hedge = hedgeOf(ahead);
  const expected =
    /\b(?:expected|predicted|theoretical|estimated|nominal|calculated|anticipated)(?: \w{1,12})?[\s~]{1,3}$/i.test(
      ahead,
    );
  return { ...quantity, ...(hedge ? { hedge } : {}), ...(expected ? { expected: true as const } : {}) };
}

function hedgeOf(ahead: string): Hedge | undefined {
  if (
    /(?:\b(?:more|greater|longer|better) than|\bover|\bat least|\babove|(?<![-=])[>≥]=?|\bexceeding)(?: an?)?\s{0,2}$/i.test(
      ahead,
    )
  )
    return 'at-least';
  if (
    /(?:\b(?:less|fewer|shorter) than|\bunder|\bat most|\bup to|\bbelow|\bwithin|[<≤]=?)(?: an?)?\s{0,2}$/i.test(ahead)
  )
    return 'at-most';
  if (
    /(?:~|≈|\b(?:about|around|approx(?:\.|imately)?|roughly|nearly|almost|some|circa|ca\.|close to|an average of))\s{0,2}$/i.test(
      ahead,
    )
  )
    return 'about';
  return undefined;
}

function unitOf(text: string): Ns {
  return units.find(([pattern]) => pattern.test(text))?.[1] ?? 1e9;
}

function digits(text: string): number {
  return Number(text.replaceAll(',', ''));
}

function decimals(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

/** A bare number read in the unit of the number beside it. */
export function inUnitOf(bare: Quantity, other: Quantity, sentence: string): Quantity {
  const text = /[a-zA-Z\u00b5\u03bc]{1,12}$/.exec(sentence.slice(other.start, other.end))?.[0] ?? 's';
  const unit = unitOf(text);
  return {
    ...bare,
    kind: 'time',
    low: Math.round(bare.low * unit),
    high: Math.round(bare.high * unit),
    slack: bare.slack * unit,
  };
}

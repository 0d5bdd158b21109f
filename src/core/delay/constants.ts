import type { Define } from '../csource/index.js';
import { seconds } from '../kernel/index.js';
import type { ArgumentUnit } from './catalogue.js';
import type { DelayChange, Question, Use, Wait, WaitKind } from './change.js';
import { toConstant } from './constant-change.js';
import { unitByUse, usesName } from './constant-unit.js';
import type { Context } from './find.js';
import { isTouched, type Both, type Side } from './side.js';
import type { Site } from './site.js';
import { lookupAt } from './scope.js';
import { inUnit } from './quantity.js';
import { assumedIn, evaluate, type Evaluated } from './value.js';
import { isCountName, isTimeName, isTimeoutName, SPEAKS_OF_TIME, unitOfName, unitOfRemark, wordsOf } from './words.js';

export type Defined = { readonly side: Side; readonly define: Define; readonly evaluated: Evaluated };

/** Changed #defines that somebody waits by: one entry each, its unchanged uses beside it. */
export function findConstants(
  context: Context,
  sides: readonly Both[],
  old: readonly Site[],
  fresh: readonly Site[],
  kept: ReadonlySet<Site>,
): DelayChange[] {
  const before = definesOf(sides, 'old', context).filter(isChanged);
  const after = definesOf(sides, 'new', context).filter(isChanged);
  const found: DelayChange[] = [];
  const taken = new Set<Defined>();
  const names = { before: new Set(before.map(keyOf)), after: new Map(after.map((d) => [keyOf(d), d])) };
  const newcomers = byHunk(after.filter((d) => !names.before.has(keyOf(d))));
  for (const o of before) {
    const own = names.after.get(keyOf(o));
    const others = (newcomers.get(hunkOf(o)) ?? []).filter((d) => !taken.has(d));
    const n = own ?? renamed(o, others, old, fresh);
    if (n === undefined || taken.has(n)) continue;
    taken.add(n);
    if (sameValue(o, n)) continue;
    const users = [...old, ...fresh].filter((s) => usesName(s, o.define.name) || usesName(s, n.define.name));
    const isNamedForTime = isTimeName(o.define.name) || isTimed(o) || isTimed(n);
    if (users.length === 0 && !isNamedForTime && !isCountName(o.define.name)) continue;
    if (users.length === 0 && isNoWait(o.define.name)) continue;
    if (isBitField(o, before) || isBitField(n, after)) continue;
    // What bounds a loop counts its rounds, whatever it is named for.
    const onlyCounts = users.length > 0 && users.every((u) => u.kind === 'retry-count');
    const isCount = onlyCounts || isCountName(o.define.name) || isCountName(n.define.name);
    const kind: WaitKind = isCount && !isTimed(n) ? 'retry-count' : 'constant';
    // Tries that nobody is seen to sleep between, and times of which neither value nor unit is known, tell nothing.
    if (users.length === 0 && kind === 'retry-count' && !SPEAKS_OF_TIME.test(context.patch.title)) continue;
    const unit = unitOf(o, n, users, context);
    const waits = { before: asWait(o, kind, unit.old), after: upToMost(n, after, asWait(n, kind, unit.new), unit.new) };
    if (sameSpan(waits.before, waits.after)) continue;
    if (unit.guessed) {
      waits.before = asGuess(waits.before, o);
      waits.after = asGuess(waits.after, n);
    }
    if (users.length === 0 && !isNumber(o) && !isNumber(n)) continue;
    found.push(toConstant(context, { kind, old: o, new: n, ...waits, users, uses: usesOf(users) }));
  }
  const isAbout = found.length > 0 || [...old, ...fresh].some((s) => s.source === 'call' && s.touched);
  const waits = [...old, ...fresh].filter((s) => !kept.has(s));
  if (isAbout) found.push(...newConstants(context, before, after, taken, waits));
  return found;
}

/**
 * Constants that come alone into a file that was there: named for a time with its unit, and waited by where the patch does not
 * show it. Beside a changed wait they are a part of it.
 */
function newConstants(
  context: Context,
  before: readonly Defined[],
  after: readonly Defined[],
  taken: ReadonlySet<Defined>,
  sites: readonly Site[],
): DelayChange[] {
  return after.flatMap((n) => {
    const { name } = n.define;
    if (taken.has(n) || n.side.file.status === 'added' || n.define.params !== undefined) return [];
    if (!isTimeName(name) || isNoWait(name) || isCountName(name) || before.some((d) => d.define.name === name))
      return [];
    const unit = unitOfName(name);
    if (isBitField(n, after) || isRegister(n)) return [];
    if (unit === undefined || n.evaluated.value === undefined || sites.some((s) => usesName(s, name))) return [];
    // The other end of a range that is told already.
    if (/max/i.test(name) && after.some((d) => taken.has(d) && d.define.name === name.replace('MAX', 'MIN'))) return [];
    const wait = asWait(n, 'constant', unit);
    // Nobody waits for longer than a day.
    if (wait.span === undefined || wait.span.max === 0 || wait.span.max > seconds(86_400)) return [];
    return [toConstant(context, { kind: 'constant', new: n, after: wait, users: [], uses: [] })];
  });
}

/** A register's bits (`MS_OCP_CLEAR 0x01`, `TOY_DEBOUNCE_10MS 0x3`), or a number that a unit alone makes a time of. */
function isRegister({ define }: Defined): boolean {
  if (/^\(*0[xX]|\bBIT(?:_ULL)?\(|\bGENMASK/.test(define.body)) return true;
  return !wordsOf(define.name).some((w) => unitOfName(w) === undefined && isTimeName(w));
}

/** One interval that became a least and a most: `TOY_POLL_MS` by `TOY_MIN_POLL_US` and `TOY_MAX_POLL_US`. */
function upToMost(least: Defined, after: readonly Defined[], wait: Wait, unit: ArgumentUnit | undefined): Wait {
  const most = wordsOf(least.define.name).includes('min')
    ? after.find((d) => d.define.name === least.define.name.replace(/MIN/, 'MAX').replace(/min/, 'max'))
    : undefined;
  const value = most?.evaluated.value;
  const span = value && (value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit));
  if (wait.span === undefined || span === undefined || span.max < wait.span.min) return wait;
  return {
    ...wait,
    text: `${wait.text}, ${most?.define.name ?? ''} ${most?.define.body ?? ''}`,
    span: { min: wait.span.min, max: span.max },
  };
}

/** A new unit with the number scaled to it is the old value. */
function sameSpan(a: Wait, b: Wait): boolean {
  return a.span !== undefined && b.span !== undefined && a.span.min === b.span.min && a.span.max === b.span.max;
}

function isChanged(d: Defined): boolean {
  return isTouched(d.side, d.define.line, d.define.endLine);
}

function keyOf(d: Defined): string {
  return `${d.side.file.path} ${d.define.name}`;
}

function hunkOf(d: Defined): string {
  return `${d.side.file.path} ${d.side.hunk}`;
}

/** More new names in one hunk than anybody writes are not looked through. */
const MOST_NEWCOMERS = 200;

function byHunk(defined: readonly Defined[]): Map<string, Defined[]> {
  const found = new Map<string, Defined[]>();
  for (const d of defined) {
    const own = found.get(hunkOf(d)) ?? [];
    found.set(hunkOf(d), own);
    if (own.length < MOST_NEWCOMERS) own.push(d);
  }
  return found;
}

/**
 * A constant that goes where another comes, and that the same wait uses instead: the old name renamed. Without a wait that
 * says so, one #define taking the place of another in the diff is enough when the names share their words.
 */
function renamed(
  o: Defined,
  candidates: readonly Defined[],
  old: readonly Site[],
  fresh: readonly Site[],
): Defined | undefined {
  if (candidates.length === 0) return undefined;
  // The same number under the same words is the same constant, however far the block of new names stands from the old one.
  const same = candidates.filter((n) => sameValue(o, n) && shareWords(o.define.name, n.define.name));
  const near =
    closest(o, same) ??
    closest(
      o,
      candidates.filter((n) => isNear(o, n)),
    );
  if (near === undefined) return undefined;
  // The waits that used the old name are entries of their own when their lines change; so the constant is, too.
  const isUsed = old.some((s) => usesName(s, o.define.name)) && fresh.some((s) => usesName(s, near.define.name));
  return isUsed || shareWords(o.define.name, near.define.name) ? near : undefined;
}

/** The one whose name has most words in common. */
function closest(o: Defined, among: readonly Defined[]): Defined | undefined {
  const words = new Set(wordsOf(o.define.name));
  const share = (d: Defined): number => {
    const own = wordsOf(d.define.name);
    return own.filter((w) => words.has(w)).length / Math.max(own.length, words.size);
  };
  return [...among].sort((a, b) => share(b) - share(a))[0];
}

function isNear(o: Defined, n: Defined): boolean {
  const a = o.side.lines[o.define.line]?.mailLine ?? 0;
  const b = n.side.lines[n.define.line]?.mailLine ?? 0;
  return Math.abs(a - b) <= 4;
}

function shareWords(a: string, b: string): boolean {
  const words = wordsOf(a);
  const others = new Set(wordsOf(b));
  const common = words.filter((w) => others.has(w)).length;
  return common >= 2 && common * 2 >= Math.max(words.length, others.size);
}

function isNumber(d: Defined): boolean {
  return d.evaluated.value !== undefined;
}

function isTimed(d: Defined): boolean {
  return d.evaluated.value?.time === true;
}

/** Names that look like time and are none that anybody waits: clock skews, register masks, latencies of a cost model. */
function isNoWait(name: string): boolean {
  const words = wordsOf(name);
  if (words.some((w) => /^(?:mask|shift|bit|offset|skew|size|len|msk|lat|clk|div|khz|hz|mhz|opcode|version)$/.test(w)))
    return true;
  // A command's or an interrupt's timeout is a wait; a timeout's command or interrupt is not.
  if (/(?:timeout|delay|wait|interval)(?:_[mu]s(?:ecs?)?)?$/i.test(name) && !words.some((w) => /^(?:tx|rx)$/.test(w)))
    return false;
  if (/timeout(?:_[mu]s(?:ecs?)?)?$/i.test(name)) return false;
  return words.some((w) => /^(?:reg|register|mode|flag|flags|irq|int|cmd|tx|rx)$/.test(w));
}

/** `TOY_INTERVAL_S` beside `TOY_INTERVAL_M`: the shift of a register's field, not seconds. */
function isBitField(d: Defined, among: readonly Defined[]): boolean {
  const stem = /^(\w+)_S$/.exec(d.define.name)?.[1];
  return stem !== undefined && among.some((o) => o.define.name === `${stem}_M` || o.define.name === `${stem}_MASK`);
}

function definesOf(sides: readonly Both[], which: 'old' | 'new', context: Context): Defined[] {
  return sides.flatMap((both) => {
    const side = both[which];
    const lookup = lookupAt(context.scopes[which], side, 0);
    return side.fragment.defines
      .filter((d) => d.body !== '')
      .map((define) => ({
        side,
        define,
        evaluated: evaluate(define.body, (n) => (n === define.name ? undefined : lookup(n))),
      }));
  });
}

function sameValue(o: Defined, n: Defined): boolean {
  const a = o.evaluated.value;
  const b = n.evaluated.value;
  if (a !== undefined && b !== undefined) return a.min === b.min && a.max === b.max && a.time === b.time;
  return o.define.body.replace(/\s/g, '') === n.define.body.replace(/\s/g, '');
}

type Units = { readonly old?: ArgumentUnit; readonly new?: ArgumentUnit; readonly guessed?: true };

/**
 * What an unnamed unit mostly is, by the constants of Linux 6.12 whose use shows it: of 181 timeouts of 100 to 9999, 137 are
 * milliseconds; of 92 timeouts and delays of 10000 and more, 77 are microseconds. Of smaller numbers nothing can be said.
 */
function unitByHabit(defined: readonly Defined[]): ArgumentUnit | undefined {
  const values = defined.flatMap((d) => (d.evaluated.value === undefined || isTimed(d) ? [] : d.evaluated.value.max));
  const name = defined[0]?.define.name ?? '';
  const least = Math.min(...values);
  if (values.length === 0 || (!isTimeoutName(name) && !/delay|wait/i.test(name))) return undefined;
  if (least >= 10_000) return 'us';
  return isTimeoutName(name) && least >= 100 ? 'ms' : undefined;
}

/** The unit by the constant's use, else by its name, by the remarks around it, or by the message that tells the new value. */
function unitOf(o: Defined, n: Defined, users: readonly Site[], context: Context): Units {
  const byUse = (d: Defined): ArgumentUnit | undefined => {
    // A use on the constant's own side of the diff knows best: the patch may change the unit with the use.
    const ownFirst = [...users].sort((a, b) => away(d, a) - away(d, b));
    for (const user of ownFirst) {
      if (!usesName(user, d.define.name)) continue;
      const unit = unitByUse(user, d.define.name);
      if (unit !== undefined) return unit;
    }
    return undefined;
  };
  const of = (d: Defined): ArgumentUnit | undefined =>
    byUse(d) ?? unitOfName(d.define.name) ?? unitBeside(d) ?? unitAround(d);
  // "Count 2500 times" beside one of the two: what they count is not the same thing.
  if (isCountRemark(o) !== isCountRemark(n)) return {};
  const told = unitTold([o, n], context);
  const habit = told ?? unitByHabit([o, n]);
  const oldUnit = of(o) ?? (o.define.name === n.define.name ? of(n) : undefined) ?? habit;
  const newUnit = of(n) ?? (o.define.name === n.define.name ? of(o) : undefined) ?? habit;
  const isGuess = told === undefined && habit !== undefined && of(o) === undefined && of(n) === undefined;
  return {
    ...(oldUnit === undefined ? {} : { old: oldUnit }),
    ...(newUnit === undefined ? {} : { new: newUnit }),
    ...(isGuess ? { guessed: true as const } : {}),
  };
}

function isCountRemark(d: Defined): boolean {
  return /\b(?:times|loops?|tries|iterations|count)\b/i.test(d.define.remark);
}

function away(d: Defined, user: Site): number {
  return user.side.which === d.side.which ? 0 : 1;
}

/** The remark on the constant's own line; where it tells a number too, `(120 * 1000) /* 120s *\/`, the unit that makes them one. */
function unitBeside(d: Defined): ArgumentUnit | undefined {
  const told = unitOfRemark(d.define.remark);
  const number = /(?<![\w.])(\d+(?:\.\d+)?) ?(?:[mun]?s(?:ecs?|econds?)?|milli\w*|micro\w*|nano\w*)\b/i.exec(
    d.define.remark,
  )?.[1];
  const { value } = d.evaluated;
  if (told === undefined || number === undefined || value === undefined || value.time || told === 'jiffies')
    return told;
  const units = ['s', 'ms', 'us', 'ns'] as const;
  const wanted = Number(number) * 1000 ** -units.findIndex((u) => u === told);
  return units.find((_, i) => Math.abs(value.max * 1000 ** -i - wanted) < 1e-3 * wanted);
}

/** Comments of the lines above and around: a block of timeouts often says "in ms" once. */
function unitAround(d: Defined): ArgumentUnit | undefined {
  for (let i = d.define.line - 1; i >= Math.max(0, d.define.line - 4); i--) {
    const text = d.side.lines[i]?.text ?? '';
    const comment = /\/[*/].*|^\s*\*.*/.exec(text)?.[0];
    const unit = comment === undefined ? undefined : unitOfRemark(comment);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** The message names one of the two numbers with a unit: "increase the timeout to 15 seconds". */
function unitTold(defined: readonly Defined[], context: Context): ArgumentUnit | undefined {
  const text = [context.patch.title, ...context.patch.log.lines].join(' ').slice(0, 20_000);
  for (const d of [...defined].reverse()) {
    const value = d.evaluated.value;
    if (value === undefined || value.time || value.max < 1) continue;
    for (const [unit, factor, pattern] of TOLD) {
      for (const [scale, word] of pattern) {
        const n = (value.max * factor) / scale;
        if (n > 0 && new RegExp(`(?<![\\d.])${String(n).replace('.', '\\.')} ?-?(?:${word})\\b`, 'i').test(text))
          return unit;
      }
    }
  }
  return undefined;
}

const WORDS_OF = [
  [1, 'ns|nsecs?|nanoseconds?'],
  [1e3, 'us|usecs?|microseconds?|µs'],
  [1e6, 'ms|msecs?|milliseconds?|millisec'],
  [1e9, 's|secs?|seconds?'],
] as const;
const TOLD: readonly (readonly [ArgumentUnit, number, readonly (readonly [number, string])[]])[] = [
  ['ms', 1e6, WORDS_OF],
  ['us', 1e3, WORDS_OF],
  ['s', 1e9, WORDS_OF],
  ['ns', 1, WORDS_OF],
];

function asWait(d: Defined, kind: WaitKind, unit: ArgumentUnit | undefined): Wait {
  const { value, resolved, unknown } = d.evaluated;
  const params = d.define.params === undefined ? '' : `(${d.define.params.join(', ')})`;
  const text = `${d.define.name}${params} ${d.define.body}`;
  if (kind === 'retry-count') {
    return { text, resolved, unknown, ...(value === undefined || value.time ? {} : { count: value.max }) };
  }
  const span = value === undefined ? undefined : value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit);
  const assumed = assumedIn([d.evaluated]);
  const isOpen = unknown.length > 0 || assumed.assumed !== undefined || (value !== undefined && span === undefined);
  const asked = { expressions: [d.define.body], unit: unit ?? 'by-use', of: d.define.name, known: {} } as const;
  const question: Question = { ...asked, ...assumed };
  return { text, ...(span === undefined ? {} : { span }), resolved, unknown, ...(isOpen ? { question } : {}) };
}

/** A value in a unit that is only a guess: not resolved, and a kernel tree may tell better. */
function asGuess(wait: Wait, d: Defined): Wait {
  const question: Question = { expressions: [d.define.body], unit: 'by-use', of: d.define.name, known: {} };
  return { ...wait, resolved: 'no', question };
}

function usesOf(users: readonly Site[]): Use[] {
  return users
    .filter((u) => u.side.which === 'new' && !u.touched)
    .map((u) => {
      const line = u.side.lines[u.line]?.newNumber;
      return {
        file: u.side.file.path,
        ...(u.place.function === undefined ? {} : { function: u.place.function }),
        text: u.wait.text,
        ...(line === undefined ? {} : { line }),
      };
    });
}

import { roleOf } from './meaning.js';
import type { Span } from '../kernel/index.js';
import type { Site } from './site.js';
import { unitOfName, wordsOf } from './words.js';

/** Two sites that are one wait before and after; either may be absent. */
export type Pair = { readonly old?: Site; readonly new?: Site; readonly same: boolean };

/** The kinds that may stand for one another: a sleep may become a poll's interval. */
export function familyOf(site: Site): string {
  // A timer is armed, whether for a bound or for work.
  if (isArmed(site)) return 'delayed-work';
  switch (site.kind) {
    case 'sleep':
    case 'busy':
    case 'poll-interval':
      return 'wait';
    case 'delayed-work':
    case 'poll-timeout':
    case 'retry-count':
    case 'constant':
      return site.kind;
    default:
      return site.kind satisfies never;
  }
}

function isArmed(site: Site): boolean {
  return site.entry?.kind === 'work' || site.entry?.kind === 'timer';
}

/**
 * Pairs the waits of the two sides of one file: unchanged lines first, then what means the same (moves, renames), then the
 * nearest of the same family in the same function, then what means the same elsewhere. `areTwo` says of two constants whether
 * one cannot be the other renamed.
 */
export function pairSites(
  old: readonly Site[],
  fresh: readonly Site[],
  areTwo: (was: string, is: string) => boolean = () => false,
): Pair[] {
  const isSame = (o: Site, n: Site): boolean => meansSame(o, n, areTwo);
  const pairs: Pair[] = [];
  const left = new Set(old);
  const right = new Set(fresh);
  const take = (o: Site, n: Site, same: boolean): void => {
    pairs.push({ old: o, new: n, same });
    left.delete(o);
    right.delete(n);
  };
  // Equal bounds first, then a loop's bound is paired by its place alone: the number is what changes.
  match(
    left,
    right,
    (o, n) => o.source === 'bound' && n.source === 'bound' && sameFunction(o, n) && o.wait.text === n.wait.text,
    (o, n) => take(o, n, sameBound(o, n)),
  );
  match(
    left,
    right,
    (o, n) => o.source === 'bound' && n.source === 'bound' && sameFunction(o, n),
    (o, n) => take(o, n, sameBound(o, n)),
  );
  // Lines that stand on both sides.
  const byLine = new Map<string, Site[]>();
  for (const n of fresh) if (!n.touched) byLine.set(lineKey(n), [...(byLine.get(lineKey(n)) ?? []), n]);
  for (const o of old) {
    if (o.touched) continue;
    const n = byLine.get(lineKey(o))?.shift();
    if (n !== undefined) take(o, n, true);
  }
  // The same meaning in the same function, the same loop first; then, the nearest that means something else; then moves.
  match(
    left,
    right,
    (o, n) => sameFunction(o, n) && isSame(o, n) && inLoop(o) === inLoop(n),
    (o, n) => take(o, n, true),
  );
  match(
    left,
    right,
    (o, n) => sameFunction(o, n) && isSame(o, n),
    (o, n) => take(o, n, true),
  );
  match(
    left,
    right,
    (o, n) => sameFunction(o, n) && isNear(o, n) && inLoop(o) === inLoop(n),
    (o, n) => take(o, n, false),
  );
  match(
    left,
    right,
    (o, n) => sameFunction(o, n) && isNear(o, n) && isEach(o) === isEach(n),
    (o, n) => take(o, n, false),
  );
  match(
    left,
    right,
    (o, n) => o.source === 'call' && n.source === 'call' && isBeside(o, n),
    (o, n) => take(o, n, isSame(o, n)),
  );
  match(
    left,
    right,
    (o, n) => isSame(o, n) && o.api === n.api,
    (o, n) => take(o, n, true),
  );

  // One wait that went to another place of its function, with another time: only where no second one could be meant.
  match(
    left,
    right,
    (o, n) =>
      o.source === 'call' &&
      n.source === 'call' &&
      sameFunction(o, n) &&
      isEach(o) === isEach(n) &&
      isOnlyOne(o, left) &&
      isOnlyOne(n, right),
    (o, n) => take(o, n, false),
  );

  // A helper took the wait over, or gave it back: the only one of its family that went, and the only one that came.
  match(
    left,
    right,
    (o, n) =>
      familyOf(o) === 'wait' &&
      o.source === 'call' &&
      n.source === 'call' &&
      isEach(o) === isEach(n) &&
      o.call?.macro === undefined &&
      isLast(o, left) &&
      isLast(n, right),
    (o, n) => take(o, n, isSame(o, n)),
  );

  for (const o of left) pairs.push({ old: o, same: false });
  for (const n of right) pairs.push({ new: n, same: false });
  return pairs;
}

function match(
  left: Set<Site>,
  right: Set<Site>,
  fits: (o: Site, n: Site) => boolean,
  take: (o: Site, n: Site) => void,
): void {
  // The closest first, so that two equal lines are not crossed.
  const candidates: { o: Site; n: Site; distance: number }[] = [];
  if (left.size === 0 || right.size === 0) return;
  if (left.size * right.size > 250_000) return;
  for (const o of left) {
    for (const n of right)
      if (familyOf(o) === familyOf(n) && mayBeOneLoop(o, n) && fits(o, n))
        candidates.push({ o, n, distance: distance(o, n) });
  }
  candidates.sort((a, b) => a.distance - b.distance);
  for (const { o, n } of candidates) if (left.has(o) && right.has(n)) take(o, n);
}

function isOnlyOne(site: Site, among: ReadonlySet<Site>): boolean {
  if (site.place.function === undefined) return false;
  let n = 0;
  for (const s of among) if (s.source === 'call' && familyOf(s) === familyOf(site) && sameFunction(s, site)) n++;
  return n === 1;
}

/** The only one that is left of its family. */
function isLast(site: Site, among: ReadonlySet<Site>): boolean {
  let n = 0;
  for (const s of among) if (s.source === 'call' && familyOf(s) === familyOf(site)) n++;
  return n === 1;
}

function lineKey(site: Site): string {
  const line = site.side.lines[site.line];
  return `${site.kind} ${site.api ?? site.target ?? ''} ${line?.mailLine ?? -1} ${site.source}`;
}

function distance(o: Site, n: Site): number {
  const a = o.side.lines[o.line]?.mailLine ?? 0;
  const b = n.side.lines[n.line]?.mailLine ?? 0;
  return (
    Math.abs(a - b) +
    (o.side.hunk === n.side.hunk ? 0 : 100_000) +
    // The bound of a polling call goes with its interval: to the same call, be it a few lines further off.
    (o.api === n.api ? 0 : o.kind === 'poll-timeout' ? 30 : 2) +
    (o.kind === n.kind ? 0 : 2)
  );
}

function sameFunction(o: Site, n: Site): boolean {
  return o.side.file.path === n.side.file.path && o.place.function === n.place.function;
}

function inLoop(site: Site): boolean {
  return site.place.loops.length > 0 || site.isLooped === true;
}

const each = new WeakMap<Site, boolean>();

/** A wait for each of several things, a loop round every one: no single wait outside takes its place. */
function isEach(site: Site): boolean {
  const known = each.get(site);
  if (known !== undefined) return known;
  const is = inLoop(site) && site.source === 'call' && roleOf(site).is === 'settle';
  each.set(site, is);
  return is;
}

function isNear(o: Site, n: Site): boolean {
  if (o.source === 'handed' || n.source === 'handed') {
    if (o.source !== n.source || o.target !== n.target) return false;
  }
  if (o.source === 'assign' || n.source === 'assign') {
    if (o.target !== n.target && o.kind !== 'poll-timeout') return false;
  }
  const a = o.side.lines[o.line]?.mailLine ?? 0;
  const b = n.side.lines[n.line]?.mailLine ?? 0;
  return o.side.hunk === n.side.hunk && Math.abs(a - b) <= 40;
}

/** A loop that waits and one that does not, each with its own counter, are two. */
function mayBeOneLoop(o: Site, n: Site): boolean {
  if (o.source !== 'bound' || n.source !== 'bound' || o.wait.text === n.wait.text) return true;
  return o.counter === n.counter || (o.holdsWait ?? false) === (n.holdsWait ?? false);
}

function sameBound(o: Site, n: Site): boolean {
  if (o.wait.count !== undefined || n.wait.count !== undefined) return o.wait.count === n.wait.count;
  return rename(o) === rename(n);
}

/** The bound with its counter's name taken out. */
function rename(site: Site): string {
  const name = site.counter ?? '';
  // A loop that leaves when the counter is through goes on while it is not.
  const text = site.wait.text.replace(/^! ?/, '');
  return name === '' ? text : text.split(new RegExp(`\\b${name.replace(/\W/g, '.')}\\b`)).join('#');
}

/** A loop written out by hand became a polling call with the same interval, or its deadline that call's timeout. */
function isConverted(o: Site, n: Site): boolean {
  const a = o.wait.span;
  const b = n.wait.span;
  // Of an interval that nobody can tell, the words must be the same.
  const isOpen = a === undefined && b === undefined && o.kind !== 'poll-timeout';
  if (isOpen ? squeeze(o) !== squeeze(n) : !isEqual(a, b)) return false;
  if (o.kind === 'poll-timeout' && n.kind === 'poll-timeout') return o.source !== n.source;
  const [call, poll] = o.kind === 'poll-interval' ? [n, o] : [o, n];
  if (poll.kind !== 'poll-interval' || call.place.loops.length === 0) return false;
  return call.kind === (/atomic/.test(poll.api ?? '') ? 'busy' : 'sleep');
}

function isEqual(a: Span | undefined, b: Span | undefined): boolean {
  return a !== undefined && b !== undefined && near(a.min, b.min) && near(a.max, b.max);
}

/** In the same place of a diff though the function has another name: it was renamed, or a helper took the code. */
function isBeside(o: Site, n: Site): boolean {
  const a = o.side.lines[o.line]?.mailLine ?? 0;
  const b = n.side.lines[n.line]?.mailLine ?? 0;
  return o.side.file === n.side.file && o.side.hunk === n.side.hunk && Math.abs(a - b) <= 12 && inLoop(o) === inLoop(n);
}

/** They mean the same wait: the same kind of call and the same time, or the same words where the time is not known. */
export function meansSame(o: Site, n: Site, areTwo: (was: string, is: string) => boolean): boolean {
  if (isConverted(o, n)) return true;
  if (o.source !== n.source) return false;
  if (manner(o) !== manner(n)) return false;
  // A number that became a build option is a change, be its default the same: whoever builds may set it.
  if (isConfigured(o) !== isConfigured(n)) return false;
  if (o.source === 'assign' && o.target !== n.target) {
    if (o.kind !== 'poll-timeout') return false;
  }
  if (o.wait.count !== undefined || n.wait.count !== undefined) return o.wait.count === n.wait.count;
  const a = o.wait.span;
  const b = n.wait.span;
  if (a !== undefined && b !== undefined && o.wait.unknown.length === 0 && n.wait.unknown.length === 0) {
    // A range that names a variable on one side and the number on the other is the same range.
    return near(a.min, b.min) && near(a.max, b.max);
  }
  const [p, q] = [squeeze(o), squeeze(n)];
  return (o.probes() !== '' && o.probes() === n.probes()) || p === q || isSameMember(p, q) || isRenamed(p, q, areTwo);
}

function isConfigured(site: Site): boolean {
  return site.via.some((name) => name.startsWith('CONFIG_'));
}

// Nobody writes a longer one by hand; what a pattern costs grows faster than its text.
const LONGEST_CALL = 2000;

/** `toy->delay_us` that became `toy->desc->delay_us`: the same member of another record. */
function isSameMember(a: string, b: string): boolean {
  if (a.length > LONGEST_CALL || b.length > LONGEST_CALL) return false;
  const bare = (text: string): string => text.replace(/\b(?:\w+(?:\[\w+\])?(?:->|\.))+(?=[A-Za-z_])/g, '#');
  const short = bare(a);
  return short.includes('#') && short === bare(b);
}

/** One constant's name in the place of another that shares its words, all else equal. */
function isRenamed(a: string, b: string, areTwo: (was: string, is: string) => boolean): boolean {
  const x = a.split(/\b/);
  const y = b.split(/\b/);
  if (x.length !== y.length) return false;
  const differ = x.flatMap((w, i) => (w === y[i] ? [] : [[w, y[i] ?? ''] as const]));
  const [only] = differ;
  if (only === undefined || differ.some(([p, q]) => p !== only[0] || q !== only[1])) return false;
  const [p, q] = only;
  if (!/^[A-Z][A-Z\d_]*$/.test(p) || !/^[A-Z][A-Z\d_]*$/.test(q)) return false;
  if (areTwo(p, q)) return false;
  const words = new Set(wordsOf(p));
  const shared = wordsOf(q).filter((w) => words.has(w)).length;
  return shared >= 2 && unitOfName(p) === unitOfName(q);
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1;
}

/** How it waits: two names of one manner are a renamed call and no change (schedule_timeout and its kin). */
function manner(site: Site): string {
  if (isArmed(site)) return 'delayed-work';
  if (site.kind === 'poll-timeout') return site.kind;
  const name = site.api ?? '';
  if (site.entry === undefined && site.call !== undefined && familyOf(site) === 'wait') return wrapped(name, site.kind);
  if (/^(?:io_)?schedule_timeout/.test(name)) return 'schedule_timeout';
  if (/^schedule_hrtimeout/.test(name)) return 'schedule_hrtimeout';
  if (/^usleep_(?:idle_)?range/.test(name)) return 'usleep_range';
  if (/^msleep/.test(name)) return 'msleep';
  if (site.kind === 'poll-interval') return /atomic/.test(name) ? 'poll-busy' : 'poll';
  return site.kind === 'constant' || site.kind === 'retry-count' ? site.kind : name;
}

/** A driver's own name for a wait: the call that it is named for, or just a wrapper. */
function wrapped(name: string, kind: string): string {
  const known = /[msf]sleep|usleep|[mun]delay/i.exec(name)?.[0].toLowerCase();
  return known === 'usleep' ? 'usleep_range' : (known ?? `a wrapper, ${kind}`);
}

function squeeze(site: Site): string {
  const args = site.call === undefined ? site.wait.text : spanArgs(site);
  return args.replace(/\s+/g, '');
}

function spanArgs(site: Site): string {
  const entry = site.entry;
  const call = site.call;
  if (call === undefined) return site.wait.text;
  if (entry === undefined) return call.args.join(',');
  const wanted =
    site.kind === 'poll-timeout' && entry.limit !== undefined
      ? [entry.limit.argument]
      : [entry.span?.from ?? 0, entry.span?.to ?? 0];
  return wanted.map((i) => call.args[i] ?? '').join(',');
}

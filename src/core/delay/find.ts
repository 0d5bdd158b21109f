import { once, type CParser } from '../csource/index.js';
import type { Span } from '../kernel/index.js';
import type { Hunk, Patch, PatchFile } from '../patch/index.js';
import { boundSites, filesWithBounds } from './bounds.js';
import { withoutBranches } from './branches.js';
import type { Catalogue } from './catalogue.js';
import { backoffOf } from './backoff.js';
import type { Backoff, DelayChange, Wait } from './change.js';
import { findConstants } from './constants.js';
import { deadlineSites } from './deadline.js';
import { flavourOf, languageOf } from './flavour.js';
import { guardChange, type GuardChange } from './guards.js';
import { handedSites } from './handed.js';
import { configMeanings } from './kconfig.js';
import { canLeave, loopBound, looksFirst, type LoopBound } from './loop.js';
import { roleOf } from './meaning.js';
import { pathOf } from './path.js';
import { hadNoEnd, isNewDeadline, withTurnedBounds } from './new-deadline.js';
import { meansSame, pairSites, type Pair } from './pair.js';
import { isByRenamed } from './renamed.js';
import { findSites, type Site } from './site.js';
import { findSettings } from './settings.js';
import { readSides, type Both, type Side } from './side.js';
import { ownMacros, takenOver } from './taken-over.js';
import { throughHelpers } from './wrapped.js';
import { trySites } from './tries.js';
import { withYields, yieldSites } from './yield.js';
import { fieldsIn } from './records.js';
import { isTable, tableSites } from './tables.js';
import { gather, type Scope, type Scopes } from './scope.js';
import { isCountName, isTimeName, SPEAKS_OF_TIME } from './words.js';

/** What findChanges works with: the parser that the shell opened, and the catalogue. */
export type DelayKit = { readonly parser?: CParser; readonly catalogue: Catalogue };

/** A word of a wait anywhere in a hunk; hunks without one are not read at all. */
const WORDS =
  /sleep|delay|time_?out|timeo\b|wait|poll|jiffies|\bHZ\b|_PER_[MUN]?SEC|ktime|timer|handshake|retr(?:y|ies)|\btries|_tries|attempts|loop_?(?:count|cnt|max)|max_?loop|pause|interval|period|watchdog|settle|debounce|_[mun]s\b|_[mun]?secs?\b/i;

/** What a changed line must have to touch a wait that is not on it. */
const CONTROL = /\b(?:if|else|for|while|do|switch|case|define)\b|[<>]|[-+*/]?=\s*[\w(]/;
const CALL = /(?:sleep|delay|timeout|wait|handshake|work|timer|poll|pause|_msg)\w*\s*\(/i;
/** A record of delays, whose members are named for what they come before. */
const DELAYS = /\.(?:delays?|timeouts?)\s*=\s*\{/;
/** Hunks of a file with waits that may tell something about them. */
const HELPS = /#\s*define|\benum\b|\bfor\b|\bwhile\b|\bdo\b|for_each|=/;

/** Every change of a wait in the patches of one mail, in the order of the mail. */
export function findChanges(patches: readonly Patch[], kit: DelayKit): DelayChange[] {
  const sides = patches.map((patch, i) => sidesOf(patch, i, kit));
  const old = sides.flatMap((s) => s.map((pair) => pair.old));
  const fresh = sides.flatMap((s) => s.map((pair) => pair.new));
  const scopes = {
    old: gather(old, configMeanings(patches, 'old')),
    new: gather(fresh, configMeanings(patches, 'new')),
  };
  const changes: DelayChange[] = [];
  for (const [i, patch] of patches.entries()) {
    const mine = sides[i] ?? [];
    const context: Context = { patch, index: i, scopes, sides: [...old, ...fresh] };
    const settings = patch.files.flatMap((file) =>
      languageOf(file.path) === 'kconfig' || hasWord(file, patch.title) ? findSettings(context, file) : [],
    );
    const code = mine.length > 0 ? changesOf(context, mine, kit) : [];
    changes.push(...[...settings, ...code].sort((a, b) => (a.mailLine ?? 0) - (b.mailLine ?? 0)));
  }
  return changes;
}

/** A changed line with a word of a wait, or a wait in the context of a changed condition, loop or number. */
function hasWord(file: PatchFile, title: string): boolean {
  let isControl = false;
  let hasCall = false;
  let isOpen = false;
  for (const hunk of file.hunks) {
    for (const line of hunk.lines) {
      if (line.kind === 'context') {
        const isCall = CALL.test(line.text);
        hasCall ||= isCall || DELAYS.test(line.text);
        isOpen = isCall && line.text.endsWith(',');
      } else if (WORDS.test(line.text)) return true;
      else isControl ||= CONTROL.test(line.text) || (isOpen && /\d\s*[,)]/.test(line.text));
    }
  }
  if (file.hunks.some((hunk) => isTable(hunk, file))) return true;
  return isControl && (hasCall || SPEAKS_OF_TIME.test(title));
}

function sidesOf(patch: Patch, index: number, kit: DelayKit): Both[] {
  const relevant = patch.files.filter((file) => hasWord(file, patch.title));
  if (relevant.length === 0) return [];
  const helpful = patch.files.filter((f) => !relevant.includes(f) && f.hunks.some(definesSomething));
  const flavour = flavourOf(patch.files, `${patch.prefix} ${subsystem(patch.title)} ${links(patch)}`);
  return [...helpful, ...relevant].flatMap((file) => {
    const language = languageOf(file.path);
    if (language !== 'c' && language !== 'rust') return [];
    const read: Both[] = [];
    for (const [n, hunk] of file.hunks.entries()) {
      if (!hunk.lines.some((l) => WORDS.test(l.text) || HELPS.test(l.text)) && !isTable(hunk, file)) continue;
      // Only where a call may wait is it worth knowing what stands around it.
      const parser = hunk.lines.some((l) => CALL.test(l.text)) ? kit.parser : undefined;
      // Each fragment may ask the one before it for its open loops: a file of ten thousand hunks would be one recursion.
      if (read.length % 32 === 31) for (const side of ['old', 'new'] as const) read.at(-1)?.[side].fragment.blocks();
      const at = { patch: index, file, hunk: n, flavour: language === 'rust' ? ('rust' as const) : flavour, language };
      read.push(readSides(hunk, at, parser, read.at(-1)));
    }
    return read;
  });
}

/** A constant comes, goes or changes: other files may wait by it. */
function definesSomething(hunk: Hunk): boolean {
  return hunk.lines.some((l) => l.kind !== 'context' && /#\s*define\s+\w+\s+\(*\d/.test(l.text));
}

/** What stands before the last colon: a subject may speak of another project without being about it. */
function subsystem(title: string): string {
  return title.slice(0, title.lastIndexOf(': ') + 1);
}

/** Archives and lists that the trailers point to. */
function links(patch: Patch): string {
  return patch.log.lines
    .filter((l) => /^(?:Link|Cc|List)\b.*:/i.test(l))
    .join(' ')
    .slice(0, 4000);
}

function changesOf(context: Context, sides: readonly Both[], kit: DelayKit): DelayChange[] {
  const { scopes } = context;
  const handed = new Map<Side, Site[]>();
  for (const both of sides) {
    const found = handedSites(both, kit.catalogue, scopes);
    handed.set(both.old, found.old).set(both.new, found.new);
  }
  const whole = sides.flatMap((s) => [s.old, s.new]);
  const waitsOf = (which: 'old' | 'new'): Site[] => {
    const seen = sides.flatMap((s) => findSites(s[which], kit.catalogue, scopes[which]));
    const macros = ownMacros(which, whole, seen);
    const calls = seen.filter((s) => s.entry !== undefined || !macros.has(s.call?.name ?? ''));
    const own = sides.map((s) => s[which]);
    const fields = once(() => fieldsIn(context.sides.filter((s) => s.which === which)));
    return [
      ...throughHelpers(calls, own, scopes[which], kit.catalogue),
      ...own.flatMap((side) => [
        ...deadlineSites(side, scopes[which]),
        ...(handed.get(side) ?? []),
        ...tableSites(side, fields, scopes[which]),
      ]),
    ];
  };
  const waiting = { old: waitsOf('old'), new: waitsOf('new') };
  const mayBound = filesWithBounds(sides, [...waiting.old, ...waiting.new]);
  const sites = (which: 'old' | 'new'): Site[] => {
    const own = sides.map((s) => s[which]);
    const waits = waiting[which];
    const bounds = own.flatMap((side) => (mayBound(side) ? boundSites(side, waits, scopes[which]) : []));
    // The number that a counter starts from and the bound of its loop are one thing.
    const isCounter = (w: Site): boolean =>
      w.source === 'assign' &&
      bounds.some(
        (b) =>
          // A loop whose head is out of sight may not know what it starts from.
          (b.wait.count !== undefined || b.loop?.cut !== true) &&
          (b.counter === w.target || b.via.includes(w.target ?? '')) &&
          b.place.function === w.place.function &&
          b.side.file === w.side.file,
      );
    const tries = own.flatMap((side) => trySites(side, bounds, scopes[which]));
    return [...waits.filter((w) => !isCounter(w)), ...bounds, ...tries];
  };
  const old = sites('old');
  const fresh = sites('new');
  const yields = (which: 'old' | 'new'): Site[] => sides.flatMap((s) => yieldSites(s[which], kit.catalogue));
  // A constant that comes while the old one stays is another, not the old one's new name.
  const areTwo = (was: string, is: string): boolean =>
    scopes.new.defines.has(is) && (!scopes.old.defines.has(was) || scopes.new.defines.has(was));
  const seen = { sides: whole, scopes, catalogue: kit.catalogue, areTwo };
  const isSame = (o: Site, n: Site): boolean => meansSame(o, n, areTwo);
  const turned = withTurnedBounds(takenOver(pairSites(old, fresh, areTwo), seen), whole);
  const paired = withoutBranches(turned, isSame);
  const pairs = withYields(paired, yields('old'), yields('new'));
  // A time that is only kept is no entry of its own: the constant that it comes from is.
  const kept = new Set(
    pairs.flatMap((p) =>
      p.old === undefined && p.new?.source === 'assign' && p.new.kind === 'constant' ? [p.new] : [],
    ),
  );
  const constants = findConstants(context, sides, old, fresh, kept);
  const waits = withoutConversions(context, pairs).flatMap((pair) => fromPair(context, pair));
  return [...constants, ...waits];
}

export type Context = {
  readonly patch: Patch;
  readonly index: number;
  readonly scopes: Scopes;
  /** All sides of the mail: helpers may stand in another file. */
  readonly sides: readonly Side[];
};

function fromPair(context: Context, pair: Pair): DelayChange[] {
  const site = pair.new ?? pair.old;
  if (site === undefined) return [];
  const guard = guardChange(pair);
  if (guard !== undefined) return [guarded(context, pair, guard)];
  const grown = { before: backoffFor(context, pair.old), after: backoffFor(context, pair.new) };
  if (pair.same)
    return isSameBackoff(grown.before, grown.after)
      ? []
      : [toChange(context, pair, { effect: 'guard', backoff: both(grown.before, grown.after) })];
  if (site.source === 'bound') return boundChange(context, pair);
  if (isByRenamed(pair, context.sides)) return [];
  // Stored values and deadlines that come or go alone are part of something else.
  if ((site.source !== 'call' || site.isThrough) && (pair.old === undefined || pair.new === undefined))
    return isNewDeadline(pair, context.sides, context.scopes) ? [toChange(context, pair, { inLoop: true })] : [];
  return [withBackoff(toChange(context, pair), grown)];
}

type Grown = { readonly before: Backoff | undefined; readonly after: Backoff | undefined };

function backoffFor(context: Context, site: Site | undefined): Backoff | undefined {
  if (site === undefined) return undefined;
  return backoffOf(site, context.sides, context.scopes[site.side.which]);
}

/** Two waits grow alike; where one side shows less of it, nothing is said. */
function isSameBackoff(a: Backoff | undefined, b: Backoff | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  return a.first === b.first && a.cap === b.cap && a.exponentCap === b.exponentCap && a.kind === b.kind;
}

/** A growing wait spans from its first step to the upper end of its longest. */
function withBackoff(change: DelayChange, grown: Grown): DelayChange {
  const spanned = (wait: Wait | undefined, b: Backoff | undefined): Wait | undefined =>
    wait === undefined || b === undefined
      ? wait
      : {
          ...wait,
          span: { min: b.first, max: (b.cap ?? b.first) * b.stretch },
          resolved: wait.resolved === 'no' ? 'define' : wait.resolved,
          unknown: [],
        };
  const before = spanned(change.before, grown.before);
  const after = spanned(change.after, grown.after);
  return {
    ...change,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    backoff: both(grown.before, grown.after),
    ...(grown.after === undefined && grown.before === undefined
      ? {}
      : { role: { is: 'poll-interval' as const, by: 'an interval that grows', sure: 0.85 } }),
  };
}

/** A wait under a condition may cost nothing: its span starts at 0. */
function guarded(context: Context, pair: Pair, guard: GuardChange): DelayChange {
  const change = toChange(context, pair, { effect: 'guard' });
  const from0 = (wait: Wait | undefined, mayBeZero: boolean): Wait | undefined =>
    wait?.span === undefined || !mayBeZero ? wait : { ...wait, span: { min: 0, max: wait.span.max } };
  const before = from0(change.before, guard.oldMayBeZero);
  const after = from0(change.after, guard.newMayBeZero);
  return { ...change, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** A loop's bound that changes, or that comes with a new loop around a new wait. */
function boundChange(context: Context, pair: Pair): DelayChange[] {
  const { old, new: fresh } = pair;
  if (old?.holdsWait !== true && fresh?.holdsWait !== true && !isTimedLoop(context, pair)) return [];
  if (old !== undefined && fresh !== undefined) {
    // Nothing is known about either but the words: a renamed variable is no new bound.
    if (old.wait.count === undefined && fresh.wait.count === undefined && !old.touched && !fresh.touched) return [];
    // The constant that bounds it is an entry of its own.
    const isByConstant = fresh.via.some((name) => context.scopes.new.defines.has(name));
    if (!old.touched && !fresh.touched && isByConstant) return [];
    return [toChange(context, pair)];
  }
  if (fresh === undefined || fresh.wait.count === undefined || !fresh.touched) return [];
  // A new loop that counts time says how long it waits, not how often it tries.
  if ((fresh.step ?? 1) !== 1) return [];
  const inner = fresh.side.lines.slice(fresh.loop?.line ?? fresh.line, (fresh.loop?.endLine ?? fresh.line) + 1);
  // A brace of the old code may close the new loop.
  const isNew = inner.every((l) => l.kind === 'added' || /^[\s{}]*$/.test(l.text));
  return isNew || hadNoEnd(fresh, context.sides, context.scopes.old) ? [toChange(context, pair)] : [];
}

/** A changed number of rounds in a loop whose wait is out of sight, where names or the subject say that it waits. */
function isTimedLoop(context: Context, { old, new: fresh }: Pair): boolean {
  if (old?.wait.count === undefined || fresh?.wait.count === undefined) return false;
  const isNamed = [fresh.counter ?? '', fresh.wait.text].some(isCountName);
  if ((!old.touched || !fresh.touched) && !isNamed) return false;
  const words = [fresh.place.function ?? '', fresh.counter ?? '', fresh.wait.text];
  if (words.some((w) => isCountName(w) || isTimeName(w)) || SPEAKS_OF_TIME.test(context.patch.title)) return true;
  const leaves = (site: Site): boolean => site.loop !== undefined && canLeave(site.side, site.loop);
  return leaves(old) && leaves(fresh);
}

/**
 * A loop that became a polling call keeps its interval and its budget: then the call's timeout is nothing new, nor is an
 * interval where the loop's deadline went over into the call as it was.
 */
function withoutConversions(context: Context, pairs: readonly Pair[]): Pair[] {
  return pairs.filter((pair) => {
    const fresh = pair.new;
    if (fresh?.entry?.kind !== 'poll' || pair.same || fresh.call === undefined) return true;
    const other = pairs.find((p) => p !== pair && p.new?.call === fresh.call);
    const was = other?.old;
    if (other === undefined || was === undefined || was.entry?.kind === 'poll') return true;
    if (fresh.kind === 'poll-interval') return !(pair.old === undefined && other.same);
    if (pair.old !== undefined && pair.old.source === 'call') return true;
    if (pair.old !== undefined && isSameBound(pair.old, fresh)) return false;
    const bound = boundOf(was, context.scopes.old);
    // What nothing ended before ends now.
    if (bound?.bound === 'none') return true;
    const budget = budgetOf(was.wait, bound);
    const limit = fresh.wait.span;
    if (budget === undefined || limit === undefined) return !other.same;
    return Math.abs(budget.max - limit.max) > 0.1 * Math.max(budget.max, limit.max);
  });
}

/** A deadline that nobody can tell and a call's timeout by the same variables: `jiffies + msecs_to_jiffies(ms)`, `ms * USEC_PER_MSEC`. */
function isSameBound(was: Site, is: Site): boolean {
  if (was.wait.span !== undefined || is.wait.span !== undefined) return false;
  const text = is.call?.args[is.entry?.limit?.argument ?? -1] ?? '';
  const [before, after] = [variablesOf(was.wait.text), variablesOf(text)];
  return before !== '' && before === after;
}

/** The names in an expression that are neither moments nor factors of time. */
function variablesOf(text: string): string {
  const names = text.slice(0, 500).match(/[A-Za-z_][\w.>-]*/g) ?? [];
  const isFactor = (name: string): boolean =>
    /^(?:jiffies|HZ|[MUN]SECS?_PER_[A-Z]+|\w+_to_jiffies|\w+_to_ktime|ktime_\w+)$/.test(name);
  return [...new Set(names.filter((n) => !isFactor(n)))].sort().join(' ');
}

/** A change with all that can be read around it. */
export function toChange(context: Context, pair: Pair, over: Partial<DelayChange> = {}): DelayChange {
  const { old, new: fresh } = pair;
  const site = fresh ?? old;
  if (site === undefined) throw new Error('a pair has a side');
  const bounds = {
    before: old && boundOf(old, context.scopes.old),
    after: fresh && boundOf(fresh, context.scopes.new),
  };
  const file = site.side.file.path;
  const name = site.place.function;
  const loop = site.place.loops.at(-1);
  const oldLine = old && numberOf(old, 'old');
  const newLine = fresh && numberOf(fresh, 'new');
  const mailLine = site.side.lines[site.line]?.mailLine;
  const via = fresh?.via[0] ?? old?.via[0];
  return {
    patch: context.index,
    effect: old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed',
    kind: site.kind,
    file,
    ...(name === undefined ? {} : { function: name }),
    ...(oldLine === undefined ? {} : { oldLine }),
    ...(newLine === undefined ? {} : { newLine }),
    ...(mailLine === undefined ? {} : { mailLine }),
    ...(old === undefined ? {} : { before: old.wait }),
    ...(fresh === undefined ? {} : { after: fresh.wait }),
    ...(via === undefined ? {} : { via }),
    uses: [],
    role: roleOf(site),
    path: pathOf({
      ...(name === undefined ? {} : { name }),
      file,
      flavour: site.side.flavour,
      title: context.patch.title,
      log: context.patch.log.lines,
      callers: () => context.scopes.new.calls().callers.get(name ?? '') ?? [],
    }),
    inLoop:
      site.place.loops.length > 0 ||
      site.isLooped === true ||
      site.kind === 'poll-interval' ||
      (site.entry?.kind === 'poll' && site.kind === 'poll-timeout'),
    bound: { before: bounds.before?.bound ?? 'unknown', after: bounds.after?.bound ?? 'unknown' },
    rounds: both(bounds.before?.rounds, bounds.after?.rounds),
    budget: both(budgetOf(old?.wait, bounds.before), budgetOf(fresh?.wait, bounds.after)),
    backoff: {},
    ...(loop === undefined ? {} : { looksFirst: looksFirst(site.side, loop, site.offset) }),
    siblings: [],
    quote: quoteOf(old, fresh),
    ...over,
  };
}

function both<T>(before: T | undefined, after: T | undefined): { before?: T; after?: T } {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function boundOf(site: Site, scope: Scope): LoopBound | undefined {
  if (site.entry?.kind === 'poll') return { bound: 'deadline', unknown: [] };
  const loop = site.place.loops.at(-1);
  return loop === undefined ? undefined : loopBound(site.side, loop, scope);
}

function budgetOf(wait: Wait | undefined, bound: LoopBound | undefined): Span | undefined {
  const rounds = bound?.rounds;
  if (wait?.span === undefined || rounds === undefined) return undefined;
  return { min: wait.span.min * rounds, max: wait.span.max * rounds };
}

function numberOf(site: Site, which: 'old' | 'new'): number | undefined {
  const line = site.side.lines[site.line];
  return which === 'old' ? line?.oldNumber : line?.newNumber;
}

/** The diff lines of both sides, as they stand in the diff. */
export function quoteOf(old: Site | undefined, fresh: Site | undefined): string[] {
  const lines: string[] = [];
  for (const site of [old, fresh]) {
    if (site === undefined) continue;
    for (let i = site.line; i <= site.endLine; i++) {
      const line = site.side.lines[i];
      if (line === undefined || (line.kind === 'context' && old !== undefined && site === old)) continue;
      lines.push(`${line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' '}${line.text}`);
    }
  }
  return lines;
}

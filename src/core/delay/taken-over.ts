import { findCalls, functionAt, once, tokenise, type Call } from '../csource/index.js';
import type { Catalogue } from './catalogue.js';
import { helperNamed } from './definition.js';
import { familyOf, meansSame, type Pair } from './pair.js';
import { lookupAt, type Scopes } from './scope.js';
import { isTouched, placeOf, type Side, type Which } from './side.js';
import { sitesOfCall, type Site } from './site.js';

/** The sides of one patch, with what their names mean. */
export type Seen = {
  readonly sides: readonly Side[];
  readonly scopes: Scopes;
  readonly catalogue: Catalogue;
  /** Two constants are not one under two names. */
  readonly areTwo: (was: string, is: string) => boolean;
};

/** A function or macro that the patch makes, or drops, with the waits in its body. */
type Helper = {
  readonly name: string;
  readonly side: Side;
  readonly params: readonly string[];
  readonly waits: readonly Site[];
};

/** A wait of a helper as the code that calls it sees it. */
type View = { readonly of: Site; readonly site: Site };

const MOST_HELPERS = 100;
const MOST_VIEWS = 1000;
/** Lines of a mail between a wait and the call that takes its place. */
const NEAR = 40;

/**
 * Waits that went into a helper which the patch makes, or came out of one that it drops: each caller still waits, as long as
 * before or not. What a caller waits as before is no change; a call where nobody waited before is a wait of its own.
 */
export function takenOver(pairs: readonly Pair[], seen: Seen): Pair[] {
  return through(through(pairs, 'new', seen), 'old', seen);
}

function through(pairs: readonly Pair[], which: Which, seen: Seen): Pair[] {
  const other: Which = which === 'new' ? 'old' : 'new';
  // Where no changed line of the other side waits on its own, or in another function, nothing was taken over.
  const isGiven = (p: Pair): boolean =>
    p[other]?.touched === true && (p[which] === undefined || !isSamePlace(p[which], p[other]));
  if (!pairs.some(isGiven)) return [...pairs];
  const mine = pairs.flatMap((p) => p[which] ?? []);
  const helpers = helpersOf(which, mine, seen.sides);
  if (helpers.size === 0) return [...pairs];
  const told = new Set(mine.map((s) => keyAt(s)));
  const views = viewsOf(which, helpers, seen).filter((v) => !told.has(keyAt(v.site)));
  const left = new Set(pairs);
  const added: Pair[] = [];
  const done = new Set<View>();
  const kept = new Set<Site>();

  // Pairing has found the one place already that gave the wait away.
  for (const pair of pairs) {
    const own = pair[which];
    const from = pair[other];
    if (own === undefined || from === undefined || !helpers.has(own.place.function ?? '')) continue;
    const view = views.find((v) => v.of === own && !done.has(v) && isSamePlace(v.site, from));
    if (view === undefined) continue;
    done.add(view);
    if (pair.same) kept.add(own);
  }
  for (const wanted of ['same', 'near'] as const) {
    const open = views.filter((v) => !done.has(v));
    for (const { view, pair } of partners(open, [...left], { which, other, wanted, areTwo: seen.areTwo })) {
      if (done.has(view) || !left.delete(pair)) continue;
      done.add(view);
      // What a helper that is gone waited for is told where it was called.
      if (wanted === 'same' || which === 'old') kept.add(view.of);
      if (wanted === 'near') added.push({ ...pair, [which]: view.site, same: false });
    }
  }
  // A second call in a function that has its wait back may be a second try.
  if (which === 'new') {
    const served = new Set([...done].map((v) => placeKey(v)));
    for (const view of views) {
      if (!done.has(view) && kept.has(view.of) && !served.has(placeKey(view)) && view.site.source === 'call')
        added.push({ [which]: view.site, same: false });
    }
  }
  const rest = [...left].filter((p) => {
    const own = p[which];
    return own === undefined || p[other] !== undefined || !kept.has(own);
  });
  return [...rest, ...added];
}

type Sought = {
  readonly which: Which;
  readonly other: Which;
  readonly wanted: 'same' | 'near';
  readonly areTwo: Seen['areTwo'];
};

/** Waits that only the other side has, in the functions that call the helper: the same ones, or else those close by. */
function partners(views: readonly View[], pairs: readonly Pair[], sought: Sought): { view: View; pair: Pair }[] {
  const { which, other } = sought;
  const alone = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const there = pair[other];
    if (pair[which] !== undefined || there?.touched !== true || there.isThrough) continue;
    alone.set(siteKey(there), [...(alone.get(siteKey(there)) ?? []), pair]);
  }
  const found: { view: View; pair: Pair; distance: number }[] = [];
  for (const view of views) {
    for (const pair of (alone.get(siteKey(view.site)) ?? []).slice(0, 100)) {
      const there = pair[other];
      if (there === undefined || !fits(there, view.site, sought)) continue;
      const isOfOneName = there.api === view.site.api;
      found.push({ view, pair, distance: Math.abs(mailLine(there) - mailLine(view.site)) + (isOfOneName ? 0 : 1000) });
    }
  }
  return found.sort((a, b) => a.distance - b.distance);
}

function fits(there: Site, site: Site, { other, wanted, areTwo }: Sought): boolean {
  // Where one side does not show what the counter starts from, equal words are an equal bound.
  const isOpen = there.wait.count === undefined || site.wait.count === undefined;
  if (there.source === 'bound') {
    if (there.wait.text !== site.wait.text) return false;
    if (isOpen) return wanted === 'same';
  }
  if (wanted === 'near')
    return there.side.hunk === site.side.hunk && Math.abs(mailLine(there) - mailLine(site)) <= NEAR;
  return other === 'old' ? meansSame(there, site, areTwo) : meansSame(site, there, areTwo);
}

function siteKey(site: Site): string {
  return `${site.side.file.path} ${site.place.function ?? ''} ${familyOf(site)} ${site.source}`;
}

function keyAt(site: Site): string {
  return `${site.side.file.path} ${site.side.hunk} ${site.offset} ${site.source}`;
}

function placeKey(view: View): string {
  return `${siteKey(view.site)} ${view.of.offset}`;
}

function mailLine(site: Site): number {
  return site.side.lines[site.line]?.mailLine ?? 0;
}

function isSamePlace(a: Site, b: Site): boolean {
  return a.side.file.path === b.side.file.path && a.place.function === b.place.function;
}

/** The macros with waits in them that only this side has: what their calls are given is told by their bodies, not their names. */
export function ownMacros(which: Which, sides: readonly Side[], sites: readonly Site[]): ReadonlySet<string> {
  const names = new Set(sites.flatMap((s) => (s.call?.macro !== undefined && s.touched ? [s.call.macro] : [])));
  if (names.size === 0) return names;
  const elsewhere = definedOn(which === 'new' ? 'old' : 'new', sides);
  return new Set([...names].filter((n) => !elsewhere.has(n) && macroNamed(n, which, sides) !== undefined));
}

function definedOn(which: Which, sides: readonly Side[]): Set<string> {
  return new Set(
    sides.flatMap((s) =>
      s.which !== which
        ? []
        : [
            ...s.fragment.blocks().flatMap((b) => (b.kind === 'function' ? [b.name ?? ''] : [])),
            ...s.fragment.defines.map((d) => d.name),
            s.fragment.startsIn ?? '',
          ],
    ),
  );
}

/** The functions and macros with waits of which only this side has the definition. */
function helpersOf(which: Which, sites: readonly Site[], sides: readonly Side[]): Map<string, Helper> {
  const elsewhere = once(() => definedOn(which === 'new' ? 'old' : 'new', sides));
  const waits = new Map<string, Site[]>();
  for (const site of sites) {
    const name = site.place.function;
    if (name === undefined || !site.touched) continue;
    if (site.source !== 'bound' && (site.source !== 'call' || site.isThrough)) continue;
    if (elsewhere().has(name)) continue;
    if (waits.size >= MOST_HELPERS && !waits.has(name)) continue;
    waits.set(name, [...(waits.get(name) ?? []), site]);
  }
  const helpers = new Map<string, Helper>();
  for (const [name, own] of waits) {
    const defined = helperNamed(name, which, sides) ?? macroNamed(name, which, sides);
    if (defined !== undefined) helpers.set(name, { name, ...defined, waits: own });
  }
  return helpers;
}

/** The function-like macro of this name. */
function macroNamed(
  name: string,
  which: Which,
  sides: readonly Side[],
): { readonly side: Side; readonly params: readonly string[] } | undefined {
  for (const side of sides) {
    const define = side.which === which ? side.fragment.defines.find((d) => d.name === name) : undefined;
    if (define?.params !== undefined) return { side, params: define.params };
  }
  return undefined;
}

function viewsOf(which: Which, helpers: ReadonlyMap<string, Helper>, seen: Seen): View[] {
  const views: View[] = [];
  for (const side of seen.sides) {
    if (side.which !== which) continue;
    for (const call of findCalls(side.fragment.tokens, (name) => helpers.has(name))) {
      const helper = helpers.get(call.name);
      if (helper === undefined || call.cut || call.macro !== undefined) continue;
      if (!isTouched(side, call.line, call.endLine) || functionAt(side.fragment, call.start) === call.name) continue;
      if (helper.params.length !== call.args.length && helper.params.join('') !== 'void') continue;
      for (const wait of helper.waits) {
        if (views.length >= MOST_VIEWS) return views;
        const site = seenFrom(side, call, { helper, wait, seen });
        if (site !== undefined) views.push({ of: wait, site });
      }
    }
  }
  return views;
}

/** A helper's wait with the call's own arguments, at the place of the call. */
function seenFrom(
  side: Side,
  call: Call,
  { helper, wait, seen }: { helper: Helper; wait: Site; seen: Seen },
): Site | undefined {
  const at = { place: placeOf(side, call.start), offset: call.start, line: call.line, endLine: call.endLine };
  const scope = seen.scopes[side.which];
  const isLooped = wait.place.loops.length > 0 || wait.isLooped ? { isLooped: true as const } : {};
  if (wait.call === undefined) return { ...wait, ...at, side, touched: true, ...isLooped };
  const inside = lookupAt(scope, helper.side, wait.offset);
  const given = new Map(helper.params.map((p, i) => [p, call.args[i] ?? '']));
  const own = (name: string): string | undefined => {
    const meaning = helper.params.includes(name) ? undefined : inside(name);
    return meaning?.from === 'local' && meaning.choices?.length === 1 ? meaning.choices[0] : undefined;
  };
  const { macro: _, ...inner } = wait.call;
  const args = inner.args.map((a) => put(put(a, own), (name) => given.get(name)));
  const moved: Call = { ...inner, args, start: call.start, end: call.end, line: call.line, endLine: call.endLine };
  const found = sitesOfCall(side, moved, seen.catalogue, scope).find((s) => s.kind === wait.kind);
  if (found === undefined) return undefined;
  const text = `${call.name}(${call.args.join(', ')})`;
  return { ...found, ...at, touched: true, wait: { ...found.wait, text }, ...isLooped };
}

/** An expression with names put in place of others; what is no plain name or number goes in brackets. */
function put(expression: string, value: (name: string) => string | undefined): string {
  const tokens = tokenise(expression);
  let out = '';
  let end = 0;
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1]?.text;
    if (token.kind !== 'name' || before === '->' || before === '.') continue;
    const text = value(token.text);
    if (text === undefined || text.length > 200) continue;
    out += expression.slice(end, token.start) + (/^\w+$/.test(text) ? text : `(${text})`);
    end = token.end;
  }
  return out + expression.slice(end);
}

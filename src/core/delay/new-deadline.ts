import type { Block, Token } from '../csource/index.js';
import { loopBound } from './loop.js';
import type { Pair } from './pair.js';
import type { Scope, Scopes } from './scope.js';
import { functionOf, type Side } from './side.js';
import type { Site } from './site.js';

const NOW = /\bjiffies\b|\bktime_get|\bget_time_ns\b|\bget_timer\b|\bktime_add/;

/**
 * A deadline that comes with the loop which it ends, or into a loop that nothing ended before. What a deadline takes the place of
 * otherwise (a count, another deadline) is not told by it alone.
 */
export function isNewDeadline(pair: Pair, sides: readonly Side[], scopes: Scopes): boolean {
  const fresh = pair.new;
  if (pair.old !== undefined || fresh === undefined || fresh.kind !== 'poll-timeout' || !fresh.touched) return false;
  const ended = loopEndedBy(fresh, []);
  if (ended === undefined) return false;
  const lines = ended.side.lines.slice(ended.loop.line, ended.loop.endLine + 1);
  if (ended.loop.cut !== true && lines.every((l) => l.kind === 'added')) return fresh.wait.span !== undefined;
  return hadNoEnd(fresh, sides, scopes.old);
}

/**
 * A loop that counted and now looks at the time, or the other way round: one bound in the place of another, where the function has
 * no other that came or went. What the count came to in time is not known by it.
 */
export function withTurnedBounds(pairs: readonly Pair[], sides: readonly Side[]): Pair[] {
  const gone = pairs.flatMap((p) => (p.new === undefined && isBound(p.old, sides) ? [p.old] : []));
  const come = pairs.flatMap((p) => (p.old === undefined && isBound(p.new, sides) ? [p.new] : []));
  const other = new Map<Site, Site>();
  for (const o of gone) {
    const mates = come.filter((n) => isSamePlace(o, n));
    const [mate] = mates;
    const isOnly = mates.length === 1 && gone.filter((g) => isSamePlace(g, o)).length === 1;
    if (mate !== undefined && isOnly && isKnown(o, mate) && (o.source === 'bound') !== (mate.source === 'bound'))
      other.set(o, mate).set(mate, o);
  }
  return pairs.flatMap((p) => {
    const site = p.new === undefined ? p.old : p.old === undefined ? p.new : undefined;
    const mate = site === undefined ? undefined : other.get(site);
    if (site === undefined || mate === undefined) return [p];
    return site === p.new ? [{ old: asTimeout(mate), new: asTimeout(site), same: false }] : [];
  });
}

function isBound(site: Site | undefined, sides: readonly Side[]): site is Site {
  if (site === undefined || !site.touched) return false;
  if (site.source === 'bound') return site.holdsWait === true;
  return site.kind === 'poll-timeout' && loopEndedBy(site, sides) !== undefined;
}

function isSamePlace(a: Site, b: Site): boolean {
  return a.side.file === b.side.file && a.place.function === b.place.function;
}

/** A count times an interval is often the very deadline that takes its place: where neither is known, nothing is told. */
function isKnown(a: Site, b: Site): boolean {
  return [a, b].some((s) => s.wait.span !== undefined || s.wait.count !== undefined);
}

function asTimeout(site: Site): Site {
  if (site.source !== 'bound') return site;
  const { count: _rounds, question: _unit, ...wait } = site.wait;
  return { ...site, kind: 'poll-timeout', source: 'deadline', wait };
}

const endless = new WeakMap<readonly Side[], Map<string, boolean>>();

/** Every loop of the function was one before that nothing ended but what it waited for. */
export function hadNoEnd(fresh: Site, sides: readonly Side[], scope: Scope): boolean {
  const name = fresh.place.function;
  if (name === undefined) return false;
  const { path } = fresh.side.file;
  const known = endless.get(sides) ?? new Map<string, boolean>();
  endless.set(sides, known);
  const key = `${path} ${name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const bounds = sides
    .filter((s) => s.which === 'old' && s.file.path === path)
    .flatMap((s) => s.fragment.blocks().flatMap((b) => (isIn(s, b, name) ? [loopBound(s, b, scope).bound] : [])));
  const had = bounds.length > 0 && bounds.every((bound) => bound === 'none');
  known.set(key, had);
  return had;
}

/** The loop whose head or body tests the deadline, in its own hunk or in a later one of the file. */
function loopEndedBy(site: Site, sides: readonly Side[]): { readonly side: Side; readonly loop: Block } | undefined {
  const { side } = site;
  if (site.source === 'deadline') {
    const loop = site.place.loops.at(-1);
    return loop && { side, loop };
  }
  if (site.source !== 'assign' || !NOW.test(site.wait.text) || site.place.loops.length > 0) return undefined;
  const name = /(\w+)$/.exec(site.target ?? '')?.[1] ?? '';
  const later = sides.filter((s) => s.which === side.which && s.file === side.file && s.hunk > side.hunk);
  for (const s of [side, ...later]) {
    const loop = (loopsByName(s).get(name) ?? []).find(
      (b) =>
        (s !== side || (b.cut !== true && b.start >= site.offset)) && functionOf(s, b.start) === site.place.function,
    );
    if (loop !== undefined) return { side: s, loop };
  }
  return undefined;
}

const byName = new WeakMap<Side, ReadonlyMap<string, readonly Block[]>>();

/** The loops of a side by the names that stand in their heads and bodies, in order: looked for once, not with every deadline. */
function loopsByName(side: Side): ReadonlyMap<string, readonly Block[]> {
  const known = byName.get(side);
  if (known !== undefined) return known;
  const { tokens } = side.fragment;
  const found = new Map<string, Block[]>();
  for (const loop of side.fragment.blocks()) {
    if (loop.kind !== 'loop') continue;
    const names = new Set(loop.head.split(/\W+/));
    for (let i = firstFrom(tokens, loop.start); i < tokens.length; i++) {
      const token = tokens[i];
      if (token === undefined || token.end > loop.end) break;
      names.add(token.text);
    }
    for (const name of names) {
      const loops = found.get(name);
      if (loops === undefined) found.set(name, [loop]);
      else loops.push(loop);
    }
  }
  byName.set(side, found);
  return found;
}

/** The first token that begins at or after an offset, by halving. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isIn(side: Side, block: Block, name: string): boolean {
  return block.kind === 'loop' && block.cut !== true && functionOf(side, block.start) === name;
}

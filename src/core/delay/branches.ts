import type { Block } from '../csource/index.js';
import { guardChange } from './guards.js';
import type { Pair } from './pair.js';
import type { Site } from './site.js';

/**
 * A wait that stood before an `if` and now stands in both of its branches, or the other way round, waits as it did: neither
 * the one that seems guarded nor the one that seems new is a change.
 */
export function withoutBranches(pairs: readonly Pair[], isSame: (old: Site, fresh: Site) => boolean): readonly Pair[] {
  const gone = new Set<Pair>();
  for (const which of ['new', 'old'] as const) {
    const other = which === 'new' ? 'old' : 'new';
    const alone = pairs.filter((p) => p[other] === undefined && p[which]?.source === 'call');
    if (alone.length === 0) continue;
    for (const pair of pairs) {
      const own = pair[which];
      const from = pair[other];
      if (own === undefined || from === undefined || guardChange(pair) === undefined) continue;
      const twin = alone.slice(0, 200).find((p) => {
        const site = p[which];
        if (site === undefined || gone.has(p) || !isOtherBranch(own, site)) return false;
        return which === 'new' ? isSame(from, site) : isSame(site, from);
      });
      if (twin !== undefined) gone.add(pair).add(twin);
    }
  }
  return gone.size === 0 ? pairs : pairs.filter((p) => !gone.has(p));
}

function isOtherBranch(a: Site, b: Site): boolean {
  if (a.side !== b.side) return false;
  const [x, y] = [innermost(a), innermost(b)];
  if (x === undefined || y === undefined) return false;
  return isElseOf(x, y, a) || isElseOf(y, x, a);
}

function innermost(site: Site): Block | undefined {
  return site.place.guards.findLast((g) => g.kind === 'if' || g.kind === 'else');
}

/** The parser's `if` reaches to the end of its `else`, the scanner's ends before it. */
function isElseOf(first: Block, second: Block, { side }: Site): boolean {
  if (first.kind !== 'if' || second.kind !== 'else') return false;
  if (first.start < second.start && first.end === second.end) return true;
  return first.end <= second.start && side.fragment.text.slice(first.end, second.start).trim() === '';
}

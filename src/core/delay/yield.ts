import { findCalls } from '../csource/index.js';
import { findApi, type Catalogue } from './catalogue.js';
import type { Pair } from './pair.js';
import { isTouched, placeOf, type Side } from './side.js';
import { noProbes, type Site } from './site.js';

/** Calls that give the CPU away for no time that anybody can name: cpu_relax(), cond_resched(), yield(). */
export function yieldSites(side: Side, catalogue: Catalogue): Site[] {
  if (!side.lines.some((l) => l.kind !== 'context' && /relax|resched|yield/.test(l.text))) return [];
  const isYield = (name: string): boolean => findApi(catalogue, side.flavour, name)?.kind === 'yield';
  return findCalls(side.fragment.tokens, isYield).flatMap((call) => {
    if (call.macro !== undefined || !isTouched(side, call.line, call.endLine)) return [];
    return [
      {
        side,
        kind: 'busy' as const,
        api: call.name,
        wait: { text: `${call.name}()`, api: call.name, resolved: 'no' as const, unknown: [] },
        via: [],
        place: placeOf(side, call.start),
        offset: call.start,
        line: call.line,
        endLine: call.endLine,
        touched: true,
        call,
        source: 'call' as const,
        probes: noProbes,
      },
    ];
  });
}

/** Waits that came where a loop only gave the CPU away, or went where it does so now: one change, not a new wait. */
export function withYields(pairs: readonly Pair[], old: readonly Site[], fresh: readonly Site[]): Pair[] {
  const left = new Set([...old, ...fresh]);
  const beside = (site: Site, among: readonly Site[]): Site | undefined => {
    if (site.source !== 'call' || (site.kind !== 'sleep' && site.kind !== 'busy') || !site.touched) return undefined;
    const found = among.find((y) => left.has(y) && isSamePlace(y, site));
    if (found !== undefined) left.delete(found);
    return found;
  };
  return pairs.map((pair) => {
    if (pair.new !== undefined && pair.old === undefined) {
      const was = beside(pair.new, old);
      return was === undefined ? pair : { ...pair, old: was };
    }
    if (pair.old !== undefined && pair.new === undefined) {
      const is = beside(pair.old, fresh);
      return is === undefined ? pair : { ...pair, new: is };
    }
    return pair;
  });
}

function isSamePlace(a: Site, b: Site): boolean {
  return (
    a.side.file === b.side.file &&
    a.side.hunk === b.side.hunk &&
    a.place.function === b.place.function &&
    a.place.loops.length > 0 === b.place.loops.length > 0
  );
}

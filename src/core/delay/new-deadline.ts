import type { Block } from '../csource/index.js';
import { loopBound } from './loop.js';
import type { Pair } from './pair.js';
import type { Scope } from './scope.js';
import { functionOf, type Side } from './side.js';
import type { Site } from './site.js';

type Scopes = { readonly old: Scope; readonly new: Scope };

const NOW = /\bjiffies\b|\bktime_get|\bget_time_ns\b|\bget_timer\b|\bktime_add/;

/**
 * A deadline that comes with the loop which it ends, or into a loop that nothing ended before. What a deadline takes the place of
 * otherwise (a count, another deadline) is not told by it alone.
 */
export function isNewDeadline(pair: Pair, sides: readonly Side[], scopes: Scopes): boolean {
  const fresh = pair.new;
  if (pair.old !== undefined || fresh === undefined || fresh.kind !== 'poll-timeout' || !fresh.touched) return false;
  const loop = loopEndedBy(fresh);
  if (loop === undefined) return false;
  const { side } = fresh;
  const lines = side.lines.slice(loop.line, loop.endLine + 1);
  if (lines.every((l) => l.kind === 'added')) return fresh.wait.span !== undefined;
  return hadNoEnd(fresh, sides, scopes.old);
}

/** Every loop of the function was one before that nothing ended but what it waited for. */
export function hadNoEnd(fresh: Site, sides: readonly Side[], scope: Scope): boolean {
  const name = fresh.place.function;
  if (name === undefined) return false;
  const before = sides.filter((s) => s.which === 'old' && s.file.path === fresh.side.file.path);
  const bounds = before.flatMap((s) =>
    s.fragment.blocks().flatMap((b) => (isIn(s, b, name) ? [loopBound(s, b, scope).bound] : [])),
  );
  return bounds.length > 0 && bounds.every((b) => b === 'none');
}

/** The loop whose head or body tests the deadline. */
function loopEndedBy(site: Site): Block | undefined {
  const { side } = site;
  if (site.source === 'deadline') return site.place.loops.at(-1);
  if (site.source !== 'assign' || !NOW.test(site.wait.text) || site.place.loops.length > 0) return undefined;
  const name = /(\w+)$/.exec(site.target ?? '')?.[1];
  return side.fragment
    .blocks()
    .find(
      (b) =>
        b.kind === 'loop' &&
        b.cut !== true &&
        b.start >= site.offset &&
        functionOf(side, b.start) === site.place.function &&
        side.fragment.tokens.some((t) => t.text === name && t.start >= b.start && t.end <= b.end),
    );
}

function isIn(side: Side, block: Block, name: string): boolean {
  return block.kind === 'loop' && block.cut !== true && functionOf(side, block.start) === name;
}

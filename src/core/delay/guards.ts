import type { Block } from '../csource/index.js';
import type { Pair } from './pair.js';
import type { Site } from './site.js';

/** What a guard change did to the two sides: which of them now waits only under a condition. */
export type GuardChange = { readonly oldMayBeZero: boolean; readonly newMayBeZero: boolean };

/**
 * A wait that stays while its condition changes: it moved out of an `if` or into one, or the condition just above it was
 * rewritten. Conditions further out, and loops that are no more than renamed, are none of the wait's business.
 */
export function guardChange(pair: Pair): GuardChange | undefined {
  const { old, new: fresh } = pair;
  if (old === undefined || fresh === undefined || !pair.same) return undefined;
  if (old.kind !== 'sleep' && old.kind !== 'busy') return undefined;
  if (old.source !== 'call' || old.side.file !== fresh.side.file || old.side.hunk !== fresh.side.hunk) return undefined;
  const before = conditions(old);
  const after = conditions(fresh);
  if (old.touched && fresh.touched) {
    if (old.place.loops.length !== fresh.place.loops.length) return undefined;
    // The same `if` stands on both sides and the wait left it or went into it, or it is about nothing but the wait.
    const left = before.filter((b) => !after.some((a) => sameGuard(a, b)));
    const entered = after.filter((a) => !before.some((b) => sameGuard(a, b)));
    const wentOut =
      left.length === 1 &&
      entered.length === 0 &&
      left.every((b) => b.kind === 'if' && (standsIn(fresh, b) || isAbout(old, b, fresh)));
    const wentIn =
      entered.length === 1 &&
      left.length === 0 &&
      entered.every((a) => a.kind === 'if' && (standsIn(old, a) || isAbout(fresh, a, old)));
    return wentOut || wentIn ? { oldMayBeZero: wentOut, newMayBeZero: wentIn } : undefined;
  }
  if (old.touched || fresh.touched) return undefined;
  const inner = before.at(-1);
  const now = after.at(-1);
  if (inner === undefined || now === undefined || inner.kind !== 'if' || now.kind !== 'if') return undefined;
  if (before.length !== after.length || sameGuard(inner, now) || inner.cut || now.cut) return undefined;
  // How often it is tried, not whether it waits.
  if (withoutLimit(inner) === withoutLimit(now)) return undefined;
  // The wait must be what the condition is about, its first statement, not one line of a long block.
  if (!isFirstIn(old, inner) || !isFirstIn(fresh, now)) return undefined;
  return { oldMayBeZero: false, newMayBeZero: true };
}

function conditions(site: Site): Block[] {
  return site.place.guards.filter((g) => g.kind === 'if' || g.kind === 'else');
}

function sameGuard(a: Block, b: Block): boolean {
  return a.kind === b.kind && condition(a) === condition(b);
}

// Nobody writes a longer one by hand; what a pattern costs grows faster than its text.
const LONGEST_CONDITION = 2000;

/** The condition with the records that its members stand in taken out: `toy->gpio` and `t->gpio` test the same thing. */
function condition(guard: Block): string {
  const text = guard.head.replace(/\s/g, '');
  return text.length > LONGEST_CONDITION ? text : text.replace(/\b(?:\w+(?:->|\.))+(?=\w)/g, '');
}

/** The condition with the number taken out that a counter is held against. */
function withoutLimit(guard: Block): string {
  const text = condition(guard);
  return text.length > LONGEST_CONDITION ? text : text.replace(/((?:\+\+|--|retr\w*|tries|attempts)[<>]=?)\w+/g, '$1');
}

function standsIn(site: Site, guard: Block): boolean {
  return site.side.fragment.blocks().some((b) => sameGuard(b, guard));
}

/** The wait is all that the condition holds, and no early way out on the other side stands for the condition. */
function isAbout(site: Site, guard: Block, other: Site): boolean {
  if (guard.cut || guard.open || !isFirstIn(site, guard)) return false;
  const rest = site.side.fragment.text.slice(site.offset, guard.end);
  if ((rest.match(/;/g) ?? []).length > 1) return false;
  return !other.side.lines.some((l) => l.kind !== 'context' && /\b(?:return|goto|break|continue)\b/.test(l.text));
}

function isFirstIn(site: Site, guard: Block): boolean {
  const from = site.side.fragment.text.slice(guard.start, site.offset);
  return (from.match(/;/g) ?? []).length <= 1;
}

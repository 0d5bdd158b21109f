import type { Pair } from './pair.js';
import type { Side } from './side.js';

/**
 * A wait whose value nobody can tell, by a variable or a member that the patch renames throughout: the old name goes from every
 * line of its hunks, the new one comes in as many places.
 */
export function isByRenamed(pair: Pair, sides: readonly Side[]): boolean {
  const { old, new: fresh } = pair;
  if (old === undefined || fresh === undefined || old.api !== fresh.api || old.kind !== fresh.kind) return false;
  if (old.wait.span !== undefined || fresh.wait.span !== undefined) return false;
  const names = onlyDifference(old.wait.text, fresh.wait.text);
  if (names === undefined) return false;
  const [was, is] = names;
  const patch = sides.filter((s) => s.patch === old.side.patch);
  const before = patch.filter((s) => s.which === 'old');
  const after = patch.filter((s) => s.which === 'new');
  if (occurrences(was, after) > 0 || occurrences(is, before) > 0) return false;
  const times = occurrences(was, before);
  return times >= 2 && times === occurrences(is, after);
}

/** The one name that stands for another in two texts that are otherwise the same. */
function onlyDifference(a: string, b: string): readonly [string, string] | undefined {
  const x = a.split(/\b/);
  const y = b.split(/\b/);
  if (x.length !== y.length) return undefined;
  const differ = x.flatMap((w, i) => (w === y[i] ? [] : [[w, y[i] ?? ''] as const]));
  const [only] = differ;
  if (only === undefined || differ.some(([p, q]) => p !== only[0] || q !== only[1])) return undefined;
  return only.every((w) => /^[A-Za-z_]\w*$/.test(w)) ? only : undefined;
}

function occurrences(name: string, sides: readonly Side[]): number {
  let n = 0;
  for (const side of sides) for (const t of side.fragment.tokens) if (t.text === name) n++;
  return n;
}

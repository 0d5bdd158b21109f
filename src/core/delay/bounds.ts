import type { Block } from '../csource/index.js';
import { loopBound, type LoopBound } from './loop.js';
import type { Scope } from './scope.js';
import { isTouched, placeOf, type Both, type Side } from './side.js';
import { noProbes, type Site } from './site.js';
import type { Wait } from './change.js';

/** Bounds of the counted loops of one side, as sites of kind retry-count. `waits` are the side's other sites. */
export function boundSites(side: Side, waits: readonly Site[], scope: Scope): Site[] {
  const found: Site[] = [];
  for (const block of side.fragment.blocks()) {
    if (block.kind !== 'loop' || block.loop === 'each') continue;
    if (found.length >= 200) break;
    if (block.cut && !isTouched(side, block.line, block.endLine)) continue;
    const bound = loopBound(side, block, scope);
    if (bound.bound !== 'count' || bound.text === undefined || bound.counter === undefined) continue;
    const inner = waits.filter(
      (w) => w.side === side && w.source === 'call' && w.offset >= block.start && w.offset < block.end,
    );
    const later = block.open ? waits.filter((w) => holds(w, block, side)) : [];
    const text = bound.text.replace(/ ([-+]{2}|->|\.) ?/g, '$1').replace(/([-+]{2}) /g, '$1');
    const line = textLine(side, block, bound.text);
    // Of a loop whose head is out of sight only a test that changes tells something.
    if (line === undefined || (block.cut && !isTouched(side, line, line))) continue;
    found.push({
      side,
      kind: 'retry-count',
      wait: {
        text,
        ...(bound.rounds === undefined ? {} : { count: bound.rounds }),
        resolved: bound.rounds === undefined ? 'no' : 'literal',
        unknown: bound.unknown,
        ...questionAbout(bound),
      },
      via: bound.via ?? [],
      place: { ...placeOf(side, block.start), loops: [block] },
      offset: block.start,
      line,
      endLine: line,
      touched: isTouched(side, line, line),
      counter: bound.counter,
      ...(bound.step === undefined ? {} : { step: bound.step }),
      loop: block,
      holdsWait: inner.length + later.length > 0,
      source: 'bound',
      probes: noProbes,
    });
  }
  return found;
}

/** A wait of a later hunk that stands in the loop, carried over. */
function holds(wait: Site, block: Block, side: Side): boolean {
  return (
    wait.side.file === side.file &&
    wait.place.loops.some((l) => l.cut && l.head === block.head && l.loop === block.loop)
  );
}

/** The line of the loop's head, or the line in its body where the bound is tested. */
function textLine(side: Side, block: Block, text: string): number | undefined {
  const isTop = block.cut !== true && block.loop !== 'do';
  if (isTop && block.head.includes(text.replace(/^\( /, ''))) return block.line;
  const words = text.replace(/\s+/g, '');
  for (let i = block.line; i <= Math.min(block.endLine, side.lines.length - 1); i++) {
    if ((side.lines[i]?.text ?? '').replace(/\s+/g, '').includes(words)) return i;
  }
  return block.cut ? undefined : block.line;
}

/** What a kernel tree may tell of a count that has no value, or one that is only assumed. */
function questionAbout({ rounds, limit, assumed }: LoopBound): Pick<Wait, 'question'> {
  if (limit === undefined || (rounds !== undefined && assumed === undefined)) return {};
  const question = { expressions: [limit], unit: 'count' as const, known: {} };
  return { question: assumed === undefined ? question : { ...question, assumed } };
}

/** What a changed line must have to change a loop's bound, and to change a constant. */
const BOUND = /(?<!-)>|<|[!=]=|--|\+\+|\b(?:for|while)\b/;
const CONSTANT = /#\s*define|\bconst\b|\b[A-Z]\w*\s*=/;

/** Where bounds matter: beside a wait in the same file, in changed lines that may hold one on either side, or by a changed constant. */
export function filesWithBounds(sides: readonly Both[], waits: readonly Site[]): (side: Side) => boolean {
  const changed = (side: Side, pattern: RegExp): boolean =>
    side.lines.some((l) => l.kind !== 'context' && pattern.test(l.text));
  if (sides.some((s) => changed(s.old, CONSTANT) || changed(s.new, CONSTANT))) return () => true;
  const files = new Set(waits.map((w) => w.side.file));
  const was = new Set(sides.filter((s) => changed(s.old, BOUND)).map((s) => s.old.file));
  for (const s of sides) if (was.has(s.new.file) && changed(s.new, BOUND)) files.add(s.new.file);
  return (side) => files.has(side.file);
}

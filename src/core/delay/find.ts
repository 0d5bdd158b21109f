import type { CParser } from '../csource/index.js';
import type { Span } from '../kernel/index.js';
import type { Patch, PatchFile } from '../patch/index.js';
import type { Catalogue } from './catalogue.js';
import type { DelayChange, Wait } from './change.js';
import { findConstants } from './constants.js';
import { flavourOf, languageOf } from './flavour.js';
import { loopBound, looksFirst, type LoopBound } from './loop.js';
import { pathOf, roleOf } from './meaning.js';
import { pairSites, type Pair } from './pair.js';
import { findSites, type Site } from './site.js';
import { readSides, type Side } from './side.js';
import { gather, type Scope } from './scope.js';

/** What findChanges works with: the parser that the shell opened, and the catalogue. */
export type DelayKit = { readonly parser?: CParser; readonly catalogue: Catalogue };

/** A word of a wait anywhere in a hunk; hunks without one are not read at all. */
const WORDS =
  /sleep|delay|time_?out|timeo\b|wait|poll|jiffies|\bHZ\b|_PER_[MUN]?SEC|ktime|timer|handshake|retr(?:y|ies)|pause|interval|period|watchdog/i;

/** Every change of a wait in the patches of one mail, in the order of the mail. */
export function findChanges(patches: readonly Patch[], kit: DelayKit): DelayChange[] {
  const sides = patches.map((patch, i) => sidesOf(patch, i, kit));
  const old = sides.flatMap((s) => s.map((pair) => pair.old));
  const fresh = sides.flatMap((s) => s.map((pair) => pair.new));
  if (old.length === 0) return [];
  const scopes = { old: gather(old), new: gather(fresh) };
  const changes: DelayChange[] = [];
  for (const [i, patch] of patches.entries()) {
    const mine = sides[i] ?? [];
    if (mine.length > 0) changes.push(...changesOf(patch, i, mine, scopes, kit));
  }
  return changes;
}

type Scopes = { readonly old: Scope; readonly new: Scope };
type Both = { readonly old: Side; readonly new: Side };

function sidesOf(patch: Patch, index: number, kit: DelayKit): Both[] {
  const relevant = patch.files.filter((f) => f.hunks.some((h) => h.lines.some((l) => WORDS.test(l.text))));
  if (relevant.length === 0) return [];
  const flavour = flavourOf(patch.files, `${patch.prefix} ${patch.title}`);
  return relevant.flatMap((file) => {
    const language = languageOf(file.path);
    if (language !== 'c' && language !== 'rust') return [];
    return file.hunks.map((hunk, n) =>
      readSides(
        hunk,
        { patch: index, file, hunk: n, flavour: language === 'rust' ? 'rust' : flavour, language },
        kit.parser,
      ),
    );
  });
}

function changesOf(patch: Patch, index: number, sides: readonly Both[], scopes: Scopes, kit: DelayKit): DelayChange[] {
  const sites = (which: 'old' | 'new'): Site[] =>
    sides.flatMap((s) => findSites(s[which], kit.catalogue, scopes[which]));
  const old = sites('old');
  const fresh = sites('new');
  const context: Context = { patch, index, scopes };
  const pairs = pairSites(old, fresh);
  const constants = findConstants(context, sides, old, fresh);
  const waits = pairs.flatMap((pair) => fromPair(context, pair));
  return [...constants, ...waits].sort((a, b) => (a.mailLine ?? 0) - (b.mailLine ?? 0));
}

export type Context = { readonly patch: Patch; readonly index: number; readonly scopes: Scopes };

function fromPair(context: Context, pair: Pair): DelayChange[] {
  const site = pair.new ?? pair.old;
  if (site === undefined || pair.same) return [];
  // Stored values and deadlines that come or go alone are part of something else.
  if (site.source === 'assign' && (pair.old === undefined || pair.new === undefined)) return [];
  return [toChange(context, pair)];
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
    path: pathOf(name, file, context.patch.title),
    inLoop:
      site.place.loops.length > 0 ||
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

export type { PatchFile };

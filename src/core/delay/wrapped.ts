import { findCalls, type Call } from '../csource/index.js';
import { findApi, type Catalogue } from './catalogue.js';
import { helperNamed, type Helper } from './definition.js';
import { lookupAt, type Scope } from './scope.js';
import { isTouched, placeOf, type Side } from './side.js';
import { noProbes, questionOf, spanOf, type Site } from './site.js';
import { evaluate, type Lookup } from './value.js';

/** What a function may call and still do nothing but wait. */
const BESIDE =
  /^(?:if|while|for|switch|return|sizeof|might_sleep|min|max|min_t|max_t|clamp|clamp_t|DIV_ROUND_\w+|likely|unlikely|WARN\w*|\w+_to_\w+)$/;

/**
 * Calls in changed lines of functions that the mail shows and that only wait by what they are given: their time is worked out
 * with the call's own arguments. A call that is known by its name already is given the time of the function's body.
 */
export function throughHelpers(
  sites: readonly Site[],
  sides: readonly Side[],
  scope: Scope,
  catalogue: Catalogue,
): Site[] {
  const mended = sites.map((site) => {
    if (site.call === undefined || site.entry !== undefined || site.source !== 'call') return site;
    return atCall(site.side, site.call, { sites, sides, scope, catalogue }) ?? site;
  });
  const known = new Set(mended.map((s) => `${s.side.which} ${s.side.file.path} ${s.side.hunk} ${s.offset}`));
  const names = new Set(sites.flatMap((s) => (isInHelper(s) ? [s.place.function ?? ''] : [])));
  if (names.size === 0) return mended;
  const more = sides.flatMap((side) =>
    findCalls(side.fragment.tokens, (name) => names.has(name)).flatMap((call) => {
      if (!call.statement || call.cut || !isTouched(side, call.line, call.endLine)) return [];
      if (known.has(`${side.which} ${side.file.path} ${side.hunk} ${call.start}`)) return [];
      const site = atCall(side, call, { sites, sides, scope, catalogue });
      return site === undefined ? [] : [{ ...site, isThrough: true as const }];
    }),
  );
  return [...mended, ...more];
}

type Seen = {
  readonly sites: readonly Site[];
  readonly sides: readonly Side[];
  readonly scope: Scope;
  readonly catalogue: Catalogue;
};

/** A catalogue's sleep or delay, outside any loop. */
function isInHelper(site: Site): boolean {
  const isWait = (site.kind === 'sleep' || site.kind === 'busy') && site.entry !== undefined && site.source === 'call';
  return isWait && site.place.loops.length === 0 && site.place.function !== undefined;
}

function atCall(side: Side, call: Call, seen: Seen): Site | undefined {
  if (side.flavour !== 'linux' && findApi(seen.catalogue, side.flavour, call.name) !== undefined) return undefined;
  const helper = helperNamed(call.name, side.which, seen.sides);
  if (helper === undefined || helper.params.length !== call.args.length || !onlyWaits(helper, seen)) return undefined;
  const outer = lookupAt(seen.scope, side, call.start);
  const given = new Map<string, string>();
  for (const [i, param] of helper.params.entries()) {
    const text = call.args[i] ?? '';
    if (text === 'true' || text === 'false') given.set(param, text === 'true' ? '1' : '0');
    const value = evaluate(text, outer).value;
    if (value !== undefined && !value.time && value.min === value.max) given.set(param, String(value.max));
  }
  const inner = seen.sites.find((s) => isInHelper(s) && isOf(s, helper) && runs(s, given));
  if (inner?.call === undefined || inner.entry?.span === undefined || inner.unit === undefined) return undefined;
  const { from, to } = inner.entry.span;
  const texts = [...new Set([from, to])].map((i) => inner.call?.args[i] ?? '');
  if (!texts.some((t) => helper.params.some((p) => new RegExp(`\\b${p}\\b`).test(t)))) return undefined;
  const inside = lookupAt(seen.scope, helper.side, inner.offset);
  const lookup: Lookup = (name) => {
    const text = given.get(name);
    return text === undefined ? (helper.params.includes(name) ? undefined : inside(name)) : { text, from: 'define' };
  };
  const evaluated = texts.map((t) => evaluate(t, lookup));
  const span = spanOf(evaluated, inner.unit);
  if (span === undefined) return undefined;
  return {
    side,
    kind: inner.kind,
    api: call.name,
    wait: {
      text: `${call.name}(${call.args.join(', ')})`,
      api: call.name,
      span,
      resolved: 'define',
      unknown: [],
      ...questionOf(texts, evaluated, inner.unit),
    },
    via: [],
    place: placeOf(side, call.start),
    offset: call.start,
    line: call.line,
    endLine: call.endLine,
    touched: isTouched(side, call.line, call.endLine),
    call,
    source: 'call',
    unit: inner.unit,
    probes: noProbes,
  };
}

function isOf(site: Site, helper: Helper): boolean {
  return site.side === helper.side && site.offset >= helper.block.start && site.offset < helper.block.end;
}

function onlyWaits(helper: Helper, { catalogue }: Seen): boolean {
  const { block, side } = helper;
  if (
    block.open === true ||
    side.fragment.blocks().some((b) => b.kind === 'loop' && b.start >= block.start && b.end <= block.end)
  )
    return false;
  const body = side.fragment.tokens.filter((t) => t.start > block.start && t.end <= block.end);
  const open = body.findIndex((t) => t.text === '{');
  return findCalls(body.slice(open + 1), () => true).every(
    (c) => BESIDE.test(c.name) || findApi(catalogue, side.flavour, c.name) !== undefined,
  );
}

/** No condition around it is known to be false for what is given. */
function runs(site: Site, given: ReadonlyMap<string, string>): boolean {
  const { guards } = site.place;
  return guards.every((guard) => {
    const holds = guard.kind === 'if' ? comparison(guard.head, given) : undefined;
    if (holds === undefined) return true;
    // The parser's `if` reaches to the end of its `else`.
    const isElse = guards.some((g) => g.kind === 'else' && g.start > guard.start && g.end === guard.end);
    return holds !== isElse;
  });
}

/** Whether a condition holds for what is given; of `a || b`, one that holds is enough. */
function comparison(head: string, given: ReadonlyMap<string, string>): boolean | undefined {
  if (head.length > 500) return undefined;
  const parts = head.split('||').map((part) => single(part, given));
  if (parts.some((p) => p === true)) return true;
  return parts.every((p) => p === false) ? false : undefined;
}

function single(text: string, given: ReadonlyMap<string, string>): boolean | undefined {
  const bare = /^(! ?)?(\w+)$/.exec(text.trim());
  const flag = given.get(bare?.[2] ?? '');
  if (flag !== undefined) return (flag !== '0') === (bare?.[1] === undefined);
  const test = /^(\w+) (<|<=|>|>=) (\w+)$/.exec(text.trim());
  const left = Number(given.get(test?.[1] ?? '') ?? test?.[1]);
  const right = Number(given.get(test?.[3] ?? '') ?? test?.[3]);
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
  return { '<': left < right, '<=': left <= right, '>': left > right, '>=': left >= right }[test?.[2] ?? ''];
}

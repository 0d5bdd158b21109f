import { findCalls, type Call } from '../csource/index.js';
import { findApi, type ArgumentUnit, type Catalogue } from './catalogue.js';
import type { WaitKind } from './change.js';
import { inUnit } from './quantity.js';
import { lookupAt, type Scope } from './scope.js';
import { functionOf, isTouched, placeOf, type Side } from './side.js';
import { noProbes, questionOf, type Site } from './site.js';
import { evaluate } from './value.js';
import { isCountName, isTimeName, isTimeoutName, lastName, unitOfName, wordsOf } from './words.js';
import { isDelayName, wrapperUnit } from './wrapper.js';

type Both<T> = { readonly old: T; readonly new: T };

const WAITS = /^(?:wait|waits|poll|polling|timeout|timedout|ready|idle|timer)$/;
const NO_WAIT =
  /^(?:if|while|for|switch|return|sizeof|time_\w+|ktime_\w+|m(?:in|ax)(?:_t)?|clamp\w*|(?:__raw_)?(?:io)?write\w*|regmap_\w+|FIELD_PREP)$|(?:^|_)(?:init|head|printk|dbg|err|warn|info|queue|update_bits)$/i;
const TIMED = /\bHZ\b|[mun]?secs_to_jiffies/;
/** What a changed line must have for a bound to be handed on in it. */
const SIGNS =
  /\bHZ\b|secs_to_jiffies|time_?out|timer|wait|poll|delay|sleep|ready|idle|retr(?:y|ies)|tries|attempts|^[^(]*\b\d+\)+;/i;
const CONSTANT = /^[A-Z][A-Z\d_]*$|^(?:0[xX])?[\da-fA-F]+[uUlL]*$/;
const NAME = /^[A-Za-z_][\w.>[\]-]*$/;
/** A deadline, a time that is read and converted, a text with such words in it, a record. */
const NO_BOUND = /jiffies \+|\/ ?HZ\b|["'{]/;
const MOST_CALLS = 400;

/**
 * Bounds that are handed to a driver's own function: `toy_wait_ready(toy, 500)`, `toy_command(toy, cmd, 5 * HZ)`. Only in
 * changed lines, and only a time, what is named for a timeout or for tries, or the last number of a call that is named for
 * waiting; on its own such a call is nobody's business, a changed bound is.
 */
export function handedSites(both: Both<Side>, catalogue: Catalogue, scopes: Both<Scope>): Both<Site[]> {
  const hasSigns = (side: Side): boolean => side.lines.some((l) => l.kind !== 'context' && SIGNS.test(l.text));
  const isChanged = (side: Side): boolean => side.lines.some((l) => l.kind !== 'context');
  // What only comes, or only goes, hands nothing else than before.
  const isBoth = isChanged(both.old) && isChanged(both.new);
  if (!isBoth || (!hasSigns(both.old) && !hasSigns(both.new))) return { old: [], new: [] };
  const calls = inFunctions(both, { old: callsOf(both.old, catalogue), new: callsOf(both.new, catalogue) });
  const old: Site[] = [];
  const fresh: Site[] = [];
  const met = new Set<Call>();
  for (const [o, n] of alike(calls.old, calls.new)) {
    const at = onlyDifference(o, n);
    const named = at < 0 || /^[A-Z\d_]+$/.test(n.name) ? undefined : nameOf(o, n, at, scopes);
    if (named === undefined) continue;
    met.add(o).add(n);
    if (isStandIn(both, o, n, at, scopes)) continue;
    old.push(siteAt(both.old, o, at, named, scopes.old));
    fresh.push(siteAt(both.new, n, at, named, scopes.new));
  }
  for (const which of ['old', 'new'] as const) {
    const into = which === 'old' ? old : fresh;
    for (const call of calls[which]) {
      const at = met.has(call) ? -1 : boundAt(call);
      if (at >= 0) into.push(siteAt(both[which], call, at, { isCount: false }, scopes[which]));
    }
  }
  return { old, new: fresh };
}

function callsOf(side: Side, catalogue: Catalogue): Call[] {
  const isWanted = (name: string): boolean =>
    !NO_WAIT.test(name) && findApi(catalogue, side.flavour, name) === undefined;
  // What stands alone and says that it waits is a wait of its own.
  const isWait = (c: Call): boolean => c.statement && wrapperUnit(c.name) !== undefined;
  return findCalls(side.fragment.tokens, isWanted)
    .filter((c) => !isWait(c) && c.cut !== true && c.macro === undefined)
    .filter((c) => isTouched(side, c.line, c.endLine))
    .slice(0, MOST_CALLS);
}

/**
 * Calls that stand in a function, not its prototype. What that is takes a syntax tree: only calls that may be handed a bound are asked
 * after, by what they hold themselves or by a call on the other side from which they differ in one argument.
 */
function inFunctions(both: Both<Side>, calls: Both<Call[]>): Both<Call[]> {
  const differing = new Set(alike(calls.old, calls.new).flatMap((pair) => pair.map(keyOf)));
  const wanted = (which: 'old' | 'new'): Call[] =>
    calls[which].filter(
      (c) => (differing.has(keyOf(c)) || boundAt(c) >= 0) && functionOf(both[which], c.start) !== undefined,
    );
  return { old: wanted('old'), new: wanted('new') };
}

function keyOf(call: Call): string {
  return `${call.name} ${call.args.length}`;
}

/** Calls of one function with as many arguments, in the order in which they stand. */
function alike(old: readonly Call[], fresh: readonly Call[]): [Call, Call][] {
  const left = new Map<string, Call[]>();
  for (const call of fresh) left.set(keyOf(call), [...(left.get(keyOf(call)) ?? []), call]);
  return old.flatMap((o) => {
    const candidates = left.get(keyOf(o)) ?? [];
    const n = candidates.find((c) => onlyDifference(o, c) >= 0);
    if (n === undefined) return [];
    left.set(
      keyOf(o),
      candidates.filter((c) => c !== n),
    );
    return [[o, n] as [Call, Call]];
  });
}

/** The place of the one argument that two calls differ in. */
function onlyDifference(o: Call, n: Call): number {
  const [was, is] = [squeezed(o), squeezed(n)];
  let at = -1;
  for (const [i, arg] of was.entries()) {
    if (arg === is[i]) continue;
    if (at >= 0) return -1;
    at = i;
  }
  return at;
}

/** One text is what the other was given: a parameter that always was this constant. */
function isStandIn(both: Both<Side>, o: Call, n: Call, at: number, scopes: Both<Scope>): boolean {
  const bare = (text: string | undefined): string => (text ?? '').replace(/[\s()]/g, '');
  const [was, is] = [o.args[at] ?? '', n.args[at] ?? ''];
  const meant = bare(lookupAt(scopes.old, both.old, o.start)(was)?.text);
  const means = bare(lookupAt(scopes.new, both.new, n.start)(is)?.text);
  return meant === bare(is) || means === bare(was);
}

const squeezedArgs = new WeakMap<Call, readonly string[]>();

function squeezed(call: Call): readonly string[] {
  const known = squeezedArgs.get(call);
  if (known !== undefined) return known;
  const made = call.args.map((a) => a.replace(/\s/g, ''));
  squeezedArgs.set(call, made);
  return made;
}

type Named = { readonly isCount: boolean; readonly unit?: ArgumentUnit };

/** What says that the argument is a time or a count: its text, or the name of the parameter that it is given for. */
function nameOf(o: Call, n: Call, at: number, scopes: Both<Scope>): Named | undefined {
  const texts = [o.args[at] ?? '', n.args[at] ?? ''];
  // Of two variables nothing is known, and one may be the other renamed.
  if (!texts.some((t) => CONSTANT.test(t) || TIMED.test(t))) return undefined;
  if (texts.some((t) => t === '' || NO_BOUND.test(t))) return undefined;
  const parameter = scopes.new.calls().parameters.get(n.name)?.[at];
  const names = [...texts.filter((t) => NAME.test(t)), ...(parameter === undefined ? [] : [parameter])];
  const unit = parameter === undefined ? undefined : unitOfName(parameter);
  const withUnit = unit === undefined ? {} : { unit };
  if (names.some(isTimed) || texts.some((t) => TIMED.test(t))) return { isCount: false, ...withUnit };
  if (names.some((t) => isCountName(lastName(t)))) return { isCount: true };
  const isWait = wrapperUnit(n.name) !== undefined || (isDelayName(n.name) && n.args.length > 1);
  if (isWait && texts.every((t) => CONSTANT.test(t) || NAME.test(t))) return { isCount: false };
  const isLast = at === n.args.length - 1 && at > 0;
  const isWaiting = isSetter(n.name) || wordsOf(n.name).some((w) => WAITS.test(w));
  return isLast && isWaiting && texts.every((t) => CONSTANT.test(t) || NAME.test(t)) ? { isCount: false } : undefined;
}

function isTimed(text: string): boolean {
  const name = lastName(text);
  return isTimeoutName(name) || (isTimeName(name) && unitOfName(name) !== undefined);
}

function siteAt(side: Side, call: Call, at: number, named: Named, scope: Scope): Site {
  const text = call.args[at] ?? '';
  const lookup = lookupAt(scope, side, call.start);
  const evaluated = evaluate(text, lookup);
  const unit = unitOfName(text) ?? named.unit ?? wrapperUnit(call.name)?.unit ?? unitOfName(call.name);
  const { value } = evaluated;
  const span = value === undefined ? undefined : value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit);
  const count = named.isCount && value !== undefined && !value.time ? value.max : undefined;
  const asked = named.isCount ? 'count' : unit;
  return {
    side,
    kind: named.isCount ? 'retry-count' : kindOf(call.name),
    wait: {
      text: `${call.name}(${at > 0 ? '..., ' : ''}${text}${at < call.args.length - 1 ? ', ...' : ''})`,
      ...(span === undefined || named.isCount ? {} : { span }),
      ...(count === undefined ? {} : { count }),
      resolved: evaluated.resolved,
      unknown: evaluated.unknown,
      ...(asked === undefined ? {} : questionOf([text], [evaluated], asked)),
    },
    via: evaluated.via,
    place: placeOf(side, call.start),
    offset: call.start,
    line: call.line,
    endLine: call.endLine,
    touched: true,
    // The call without its bound: only the same call is the same wait.
    target: `${call.name}(${call.args.filter((_, i) => i !== at).join(', ')})`,
    source: 'handed',
    probes: noProbes,
  };
}

/** `toy_set_delay_us(toy, 10)`: keeps a time for later. */
function isSetter(name: string): boolean {
  return wordsOf(name).includes('set') && isTimeName(name);
}

function kindOf(name: string): WaitKind {
  if (isSetter(name)) return 'constant';
  return wrapperUnit(name)?.kind ?? (isDelayName(name) ? 'busy' : 'poll-timeout');
}

function boundAt(call: Call): number {
  const timed = call.args.findIndex(
    (a) => (TIMED.test(a) || (/^[A-Z][A-Z\d_]*$/.test(a) && isTimeoutName(a))) && !NO_BOUND.test(a),
  );
  if (timed >= 0) return timed;
  const last = call.args.length - 1;
  const text = call.args[last] ?? '';
  const isWaiting = last > 0 && wordsOf(call.name).some((w) => WAITS.test(w));
  return isWaiting && (/^\d{2,}[uUlL]*$/.test(text) || (isTimeName(text) && !text.startsWith('&'))) ? last : -1;
}

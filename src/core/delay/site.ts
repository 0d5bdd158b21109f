import { findCalls, once, type Assign, type Block, type Call } from '../csource/index.js';
import type { Span } from '../kernel/index.js';
import { findApi, type Api, type ArgumentUnit, type Catalogue } from './catalogue.js';
import type { Question, Wait, WaitKind } from './change.js';
import { isTouched, placeOf, type Place, type Side } from './side.js';
import { memberUnit } from './records.js';
import { lookupAt, type Scope } from './scope.js';
import { isPollName, unknownPoll } from './polling.js';
import { inUnit } from './quantity.js';
import { assumedIn, evaluate, probe, type Evaluated, type Lookup } from './value.js';
import { isCountName, isTimeName, isTimeoutName, lastName, unitOfName, unitOfRemark } from './words.js';
import { isDelayName, wrapperUnit } from './wrapper.js';

/** A wait at its place on one side, before pairing. */
export type Site = {
  readonly side: Side;
  readonly kind: WaitKind;
  readonly api?: string;
  readonly entry?: Api;
  /** What is compared and shown: the call, or the part of it that this kind is about. */
  readonly wait: Wait;
  readonly via: readonly string[];
  readonly place: Place;
  readonly offset: number;
  readonly line: number;
  readonly endLine: number;
  readonly touched: boolean;
  /** For an assignment or a member: the name on its left. */
  readonly target?: string;
  readonly call?: Call;
  readonly source: 'call' | 'assign' | 'define' | 'bound' | 'deadline' | 'handed';
  /** What the expressions come to with made-up numbers for unknown names; equal for equal meanings. */
  readonly probes: () => string;
  /** For a loop's bound: the variable that counts. */
  readonly counter?: string;
  /** How far the counter goes in one round. */
  readonly step?: number;
  /** What a bare number means in the call. */
  readonly unit?: ArgumentUnit;
  readonly loop?: Block;
  /** A call of the mail's own function, which has a wait of its own to tell. */
  readonly isThrough?: true;
  /** It stands in a loop of the helper that the call goes to. */
  readonly isLooped?: true;
  /** A wait stands in that loop. */
  readonly holdsWait?: boolean;
};

/** All waits of one side: calls of the catalogue and of wrappers, deadlines, timed assignments. */
export function findSites(side: Side, catalogue: Catalogue, scope: Scope): Site[] {
  const sites: Site[] = [];
  const isWanted = (name: string): boolean =>
    findApi(catalogue, side.flavour, name) !== undefined ||
    wrapperUnit(name) !== undefined ||
    isDelayName(name) ||
    isPollName(name);
  for (const call of findCalls(side.fragment.tokens, isWanted))
    sites.push(...sitesOfCall(side, call, catalogue, scope));
  for (const assign of side.fragment.assigns) {
    const site = assignSite(side, assign, scope);
    if (site !== undefined) sites.push(site);
  }
  return sites;
}

/** The waits of one call: two for a polling call, its interval and its bound. */
export function sitesOfCall(side: Side, call: Call, catalogue: Catalogue, scope: Scope): Site[] {
  const api = findApi(catalogue, side.flavour, call.name) ?? unknownPoll(catalogue, side.flavour, call);
  return api === undefined ? wrapperSites(side, call, scope) : apiSites(side, call, api, scope);
}

function apiSites(side: Side, call: Call, api: Api, scope: Scope): Site[] {
  const kind = kindOf(api);
  const made: Site[] = [];
  if (api.span !== undefined && kind !== undefined) {
    const { from, to, unit } = api.span;
    const isBound = kind === 'delayed-work' && isTimeoutName(call.args[from] ?? '');
    made.push(
      callSite(side, call, scope, {
        kind: isBound ? 'poll-timeout' : kind,
        api,
        unit,
        args: from === to ? [from] : [from, to],
      }),
    );
  }
  if (api.limit !== undefined) {
    const { argument, unit } = api.limit;
    made.push(callSite(side, call, scope, { kind: 'poll-timeout', api, unit, args: [argument] }));
  }
  return made;
}

function kindOf(api: Api): WaitKind | undefined {
  switch (api.kind) {
    case 'sleep':
      return 'sleep';
    case 'busy':
      return 'busy';
    case 'poll':
      return 'poll-interval';
    case 'wait':
      return 'poll-timeout';
    case 'work':
    case 'timer':
      return 'delayed-work';
    case 'conversion':
      return api.name === 'pm_runtime_set_autosuspend_delay' ? 'constant' : undefined;
    case 'yield':
      return undefined;
    default:
      return api.kind satisfies never;
  }
}

type Wanted = { kind: WaitKind; api?: Api; unit: ArgumentUnit; args: readonly number[] };

function callSite(side: Side, call: Call, scope: Scope, wanted: Wanted): Site {
  const lookup = lookupAt(scope, side, call.start);
  const evaluated = wanted.args.map((i) => evaluate(call.args[i] ?? '', lookup));
  const span = spanOf(evaluated, wanted.unit);
  const whole = wanted.kind === 'sleep' || wanted.kind === 'busy' || wanted.kind === 'delayed-work';
  const place = placeOf(side, call.start);
  const named = call.macro === undefined ? place : { ...place, function: call.macro };
  return {
    side,
    kind: wanted.kind,
    api: call.name,
    ...(wanted.api === undefined ? {} : { entry: wanted.api }),
    wait: {
      text: whole ? `${call.name}(${call.args.join(', ')})` : shortText(call, wanted.args),
      api: call.name,
      ...(span === undefined ? {} : { span }),
      resolved: worst(evaluated),
      unknown: [...new Set(evaluated.flatMap((e) => e.unknown))],
      ...questionOf(
        wanted.args.map((i) => call.args[i] ?? ''),
        evaluated,
        wanted.unit,
      ),
    },
    via: [...new Set(evaluated.flatMap((e) => e.via))],
    place: named,
    offset: call.start,
    line: call.line,
    endLine: call.endLine,
    touched: isTouched(side, call.line, call.endLine),
    call,
    unit: wanted.unit,
    source: 'call',
    probes: once(() =>
      probesOf(
        wanted.args.map((i) => call.args[i] ?? ''),
        lookup,
      ),
    ),
  };
}

/** `readl_poll_timeout(..., 100, ...)`: the argument that this kind is about, its neighbours left out. */
function shortText(call: Call, args: readonly number[]): string {
  const shown = args.map((i) => call.args[i] ?? '').join(', ');
  const before = (args[0] ?? 0) > 0 ? '..., ' : '';
  const after = (args.at(-1) ?? 0) < call.args.length - 1 ? ', ...' : '';
  return `${call.name}(${before}${shown}${after})`;
}

export function spanOf(evaluated: readonly Evaluated[], unit: ArgumentUnit): Span | undefined {
  const spans = evaluated.map((e) => e.value && inUnit(e.value, unit));
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { min: first.min, max: last.max };
}

/** Numbers of several sizes for the names: `max(x, 10)` is x where x is large. */
const SALTS = [1, 2, 3, 4] as const;

/** Of what is compared by its words alone. */
export function noProbes(): string {
  return '';
}

/** The fingerprint of expressions of which some names are unknown; empty where they cannot be worked out. */
export function probesOf(expressions: readonly string[], lookup: Lookup): string {
  const values = expressions.flatMap((e) => SALTS.map((salt) => probe(e, lookup, salt)));
  if (values.some((v) => v === undefined)) return '';
  return values.map((v) => `${v?.min} ${v?.max} ${String(v?.time)}`).join('; ');
}

/** What to ask a kernel tree, where something is open. */
export function questionOf(
  expressions: readonly string[],
  evaluated: readonly Evaluated[],
  unit: Question['unit'],
): { question?: Question } {
  const assumed = assumedIn(evaluated);
  if (assumed.assumed === undefined && evaluated.every((e) => e.unknown.length === 0)) return {};
  return {
    question: {
      expressions,
      unit,
      known: Object.assign({}, ...evaluated.map((e) => e.known)) as Record<string, string>,
      ...assumed,
    },
  };
}

function worst(evaluated: readonly Evaluated[]): Wait['resolved'] {
  for (const resolved of ['no', 'tree', 'define'] as const) {
    if (evaluated.some((e) => e.resolved === resolved)) return resolved;
  }
  return 'literal';
}

/** A call that is no kernel name but says by its own that it sleeps: foo_msleep(10), BAR_DELAY_US(5). */
function wrapperSites(side: Side, call: Call, scope: Scope): Site[] {
  const wrapper = wrapperUnit(call.name);
  if (!call.statement || call.cut || call.args.length === 0) return [];
  if (wrapper === undefined) return unnamedUnit(side, call, scope);
  const lookup = lookupAt(scope, side, call.start);
  // The delay is the first argument that is a number or is named for a time; most wrappers take a device before it.
  const isTimed = (a: string): boolean => evaluate(a, lookup).value !== undefined || isTimeName(lastName(a.trim()));
  const index = call.args.findIndex(isTimed);
  const at = index < 0 ? call.args.length - 1 : index;
  return [callSite(side, call, scope, { kind: wrapper.kind, unit: wrapper.unit, args: [at] })];
}

/** `toy_delay(10)`: one number, of which nobody can tell the unit. */
function unnamedUnit(side: Side, call: Call, scope: Scope): Site[] {
  if (call.args.length !== 1 || call.macro !== undefined || !/^(?:[1-9]\d*|[A-Z][A-Z\d_]*)$/.test(call.args[0] ?? ''))
    return [];
  const site = callSite(side, call, scope, { kind: 'busy', unit: 'loops', args: [0] });
  const { question: _unanswered, ...wait } = site.wait;
  return [{ ...site, wait: { ...wait, resolved: 'no' } }];
}

/** `const LIMIT: Delta = ...`: the name stands before its type. */
function rustName(side: Side, assign: Assign): string {
  const line = side.lines[assign.line]?.text.slice(0, 300) ?? '';
  return /\b(?:const|static|let(?: mut)?) (\w+)\s*:/.exec(line)?.[1] ?? lastName(assign.target);
}

const TIME_WORDS = /\bHZ\b|_to_jiffies\b|\b[MUN]SECS?_PER_|\bjiffies\b|\bktime_|_to_ktime\b|\bget_time_ns\b/;

/** `timeout = jiffies + HZ`, `dev->watchdog_timeo = 5 * HZ`, `.delay_us = 100`: what may be a deadline or a stored span. */
function assignSite(side: Side, written: Assign, scope: Scope): Site | undefined {
  if (written.operator !== '=' && written.operator !== '+=') return undefined;
  const assign = side.language === 'rust' ? { ...written, target: rustName(side, written) } : written;
  const name = lastName(assign.target);
  const timed = TIME_WORDS.test(assign.value);
  const known = memberUnit(side, assign.target, assign.start);
  const isTimed = timed || isTimeName(name) || known !== undefined || isDelayMember(side, assign);
  if (!isTimed && !isCountName(name)) return undefined;
  // Nobody writes a time in hexadecimal: `.delay_irq = 0x620c` is a register.
  if (!timed && known === undefined && unitOfName(name) === undefined && /^0[xX]/.test(assign.value)) return undefined;
  // A value that comes out of a call (a measurement, a register) is none that the source asks for.
  const lookup = lookupAt(scope, side, assign.start);
  const evaluated = evaluate(assign.value, lookup);
  const isMember = assign.target !== name;
  const relative = !/\bjiffies\b|\bktime_get|\bktime_add|\bget_time_ns\b|\blocal_clock\b/.test(assign.value);
  if (!relative && !/\+|_add/.test(assign.value)) return undefined;
  // `timeout = timeout * 100 / STEP` converts what it was given; the bound is elsewhere.
  if (mentions(assign.value, name)) return undefined;
  const place = placeOf(side, assign.start);
  const isInitialiser = place.function === undefined;
  const count = isCountName(name) && !timed;
  const unit = unitOfName(name) ?? known ?? unitBeside(side, assign) ?? unitOfOnlyName(assign.value);
  let kind: WaitKind;
  if (count) kind = 'retry-count';
  else if (!relative) kind = 'poll-timeout';
  else if (isMember || isInitialiser) kind = 'constant';
  else if (isTimeoutName(name)) kind = 'poll-timeout';
  else return undefined;
  const value = evaluated.value;
  if (value === undefined && (evaluated.unknown.length === 0 || asksSomething(assign.value, evaluated)))
    return undefined;
  // A deadline that moves on by a step of a loop is the loop's counting, not a new bound.
  if (assign.operator === '+=' && !timed) return undefined;
  if (count && value?.time) return undefined;
  const span =
    count || value === undefined ? undefined : value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit);
  return {
    side,
    kind,
    wait: {
      text: isMember || isInitialiser || count ? `${assign.target} ${assign.operator} ${assign.value}` : assign.value,
      ...(span === undefined ? {} : { span: { min: span.min, max: span.max } }),
      ...(count && value !== undefined ? { count: value.max } : {}),
      resolved: evaluated.resolved,
      unknown: evaluated.unknown,
      ...questionOf([assign.value], [evaluated], count ? 'count' : (unit ?? 'by-use')),
    },
    via: evaluated.via,
    place,
    offset: assign.start,
    line: assign.line,
    endLine: assign.endLine,
    touched: isTouched(side, assign.line, assign.endLine),
    target: assign.target,
    source: 'assign',
    probes: once(() => probesOf([assign.value], lookup)),
  };
}

/** `.delay = { .prepare = 100 }`: a member whose record is named for a time. */
function isDelayMember(side: Side, assign: Assign): boolean {
  if (!assign.target.startsWith('.')) return false;
  const record = side.fragment
    .blocks()
    .findLast((b) => b.kind === 'record' && b.start <= assign.start && assign.start < b.end);
  if (record === undefined) return false;
  const before = side.fragment.text.slice(Math.max(0, record.start - 80), record.start + 80);
  const names = [...before.matchAll(/\.(\w+)\s*=\s*\{/g)].map((m) => m[1] ?? '');
  return names.some((n) => /^(?:delays?|timeouts?|timings?_ms|wait)$/.test(n));
}

/** The name stands in the text as a word; a name that is no word (`(*spans)[i]`) as it is. */
function mentions(text: string, name: string): boolean {
  return /^\w+$/.test(name) ? new RegExp(`\\b${name}\\b`).test(text) : text.includes(name);
}

/** The unit in the name of the one constant or member that is assigned: `timeout = TOY_RESET_POLL_MS`. */
function unitOfOnlyName(value: string): ArgumentUnit | undefined {
  return /^[A-Za-z_][\w.>-]*$/.test(value) ? unitOfName(lastName(value)) : undefined;
}

/** The unit that a remark on the assignment's own line names. */
function unitBeside(side: Side, assign: Assign): ArgumentUnit | undefined {
  const text = side.lines[assign.endLine]?.text ?? '';
  const at = text.search(/\/[*/]/);
  return at < 0 ? undefined : unitOfRemark(text.slice(at, at + 200));
}

/** The value is what a function gives back (a register, a measurement, what is left of a wait). */
function asksSomething(value: string, evaluated: Evaluated): boolean {
  return evaluated.unknown.some((name) => {
    const at = value.indexOf(name);
    return at >= 0 && /^\s*\(/.test(value.slice(at + name.length)) && !/^[A-Z\d_]+$/.test(name);
  });
}

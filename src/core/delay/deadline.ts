import { findCalls, once, textOf, type Call, type Token } from '../csource/index.js';
import type { ArgumentUnit } from './catalogue.js';
import { inUnit, type Quantity } from './quantity.js';
import { lookupAt, type Scope } from './scope.js';
import { isTouched, placeOf, type Side } from './side.js';
import { probesOf, questionOf, type Site } from './site.js';
import { evaluate, type Evaluated, type Lookup } from './value.js';

/** Comparisons with a deadline that is worked out in place: `time_before(jiffies, start + 2 * HZ)`. */
const COMPARES = /^(?:time_(?:before|after|is_before|is_after)\w*|ktime_(?:before|after))$/;

/** Functions that give the time gone by, with the unit that it is then compared in. */
const ELAPSED: ReadonlyMap<string, ArgumentUnit> = new Map([
  ['ktime_us_delta', 'us'],
  ['ktime_ms_delta', 'ms'],
  ['ktime_to_us', 'us'],
  ['ktime_to_ms', 'ms'],
  ['ktime_to_ns', 'ns'],
  ['jiffies_to_msecs', 'ms'],
  ['jiffies_to_usecs', 'us'],
  ['jiffies_delta_to_msecs', 'ms'],
  ['get_timer', 'ms'],
  ['get_timer_us', 'us'],
  ['get_timer_ms', 'ms'],
  ['mono_time_diff_us', 'us'],
  ['stopwatch_duration_usecs', 'us'],
  ['stopwatch_duration_msecs', 'ms'],
]);

/** What a changed line must have to change a deadline. */
const SIGNS = /time_|ktime|jiffies|get_timer|elapsed|stopwatch|mono_time|\bHZ\b/;

/** Bounds that stand in a test of the time itself: in a comparison of jiffies, or of the time gone by with a number. */
export function deadlineSites(side: Side, scope: Scope): Site[] {
  if (!side.lines.some((l) => l.kind !== 'context' && SIGNS.test(l.text))) return [];
  const tokens = side.fragment.tokens;
  const calls = findCalls(tokens, (name) => COMPARES.test(name) || ELAPSED.has(name));
  return calls.flatMap((call) => {
    const lookup = lookupAt(scope, side, call.start);
    if (call.macro !== undefined) return [];
    if (COMPARES.test(call.name)) return call.args.flatMap((arg) => sumSite(side, call, arg, lookup) ?? []);
    const limit = comparedWith(tokens, call);
    const unit = ELAPSED.get(call.name);
    if (limit === undefined || unit === undefined) return [];
    return [siteOf(side, call, { text: limit, expression: limit, unit, evaluated: evaluate(limit, lookup), lookup })];
  });
}

/** `start + 2 * HZ`: what is added to a moment that nobody can know. */
function sumSite(side: Side, call: Call, arg: string, lookup: Lookup): Site | undefined {
  const terms = arg.split(' + ');
  const [moment, ...rest] = terms;
  if (moment === undefined || rest.length === 0 || !/^[\w.>[\]-]+$/.test(moment)) return undefined;
  const expression = rest.join(' + ');
  const evaluated = evaluate(expression, lookup);
  if (evaluated.value === undefined && !/\bHZ\b|_to_jiffies|[A-Z]\w*(?:TIMEOUT|DELAY|WAIT)/.test(expression))
    return undefined;
  return siteOf(side, call, { text: arg, expression, unit: 'jiffies', evaluated, lookup });
}

/** The right side of `elapsed(...) > LIMIT`. */
function comparedWith(tokens: readonly Token[], call: Call): string | undefined {
  const at = tokens.findIndex((t) => t.start >= call.end);
  if (at < 0 || !/^[<>]=?$/.test(tokens[at]?.text ?? '')) return undefined;
  let depth = 0;
  let to = at + 1;
  for (; to < Math.min(tokens.length, at + 40); to++) {
    const text = tokens[to]?.text ?? '';
    if (text === '(' || text === '[') depth++;
    if (text === ')' || text === ']') depth--;
    if (depth < 0 || (depth === 0 && /^(?:&&|\|\||[?;,{])$/.test(text))) break;
  }
  const limit = textOf(tokens, at + 1, to);
  return limit === '' ? undefined : limit;
}

type Read = {
  readonly text: string;
  readonly expression: string;
  readonly unit: ArgumentUnit;
  readonly evaluated: Evaluated;
  readonly lookup: Lookup;
};

function siteOf(side: Side, call: Call, read: Read): Site {
  const value: Quantity | undefined = read.evaluated.value;
  const span = value && inUnit(value, read.unit);
  return {
    side,
    kind: 'poll-timeout',
    wait: {
      text: read.text,
      ...(span === undefined ? {} : { span }),
      resolved: read.evaluated.resolved,
      unknown: read.evaluated.unknown,
      ...questionOf([read.expression], [read.evaluated], read.unit),
    },
    via: read.evaluated.via,
    place: placeOf(side, call.start),
    offset: call.start,
    line: call.line,
    endLine: call.endLine,
    touched: isTouched(side, call.line, call.endLine),
    source: 'deadline',
    unit: read.unit,
    probes: once(() => probesOf([read.expression], read.lookup)),
  };
}

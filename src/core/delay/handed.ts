import { findCalls, type Call } from '../csource/index.js';
import { findApi, type Catalogue } from './catalogue.js';
import { inUnit } from './quantity.js';
import { lookupAt, type Scope } from './scope.js';
import { isTouched, placeOf, type Side } from './side.js';
import { questionOf, type Site } from './site.js';
import { evaluate } from './value.js';
import { isTimeName, isTimeoutName, unitOfName, wordsOf } from './words.js';
import { wrapperUnit } from './wrapper.js';

const WAITS = /^(?:wait|waits|poll|polling|timeout|timedout|ready|idle)$/;
const NO_WAIT =
  /^(?:if|while|for|switch|return|sizeof|time_\w+|ktime_\w+)$|(?:^|_)(?:init|head|printk|dbg|err|warn|info|queue)$/i;
const TIMED = /\bHZ\b|[mun]?secs_to_jiffies/;
/** What a changed line must have for a bound to be handed on in it. */
const SIGNS = /\bHZ\b|secs_to_jiffies|time_?out|wait|poll|ready|idle/i;

/**
 * Bounds that are handed to a driver's own function: `toy_wait_ready(toy, 500)`, `toy_command(toy, cmd, 5 * HZ)`. Only in
 * changed lines, and only a time, what is named for a timeout, or the last number of a call that is named for waiting; on its
 * own such a call is nobody's business, a changed bound is.
 */
export function handedSites(side: Side, catalogue: Catalogue, scope: Scope): Site[] {
  if (!side.lines.some((l) => l.kind !== 'context' && SIGNS.test(l.text))) return [];
  const isWanted = (name: string): boolean =>
    !NO_WAIT.test(name) && findApi(catalogue, side.flavour, name) === undefined && wrapperUnit(name) === undefined;
  return findCalls(side.fragment.tokens, isWanted).flatMap((call) => handed(side, call, scope) ?? []);
}

function handed(side: Side, call: Call, scope: Scope): Site | undefined {
  if (call.cut || call.macro !== undefined || !isTouched(side, call.line, call.endLine)) return undefined;
  const at = boundAt(call);
  const text = call.args[at];
  if (text === undefined) return undefined;
  const lookup = lookupAt(scope, side, call.start);
  const evaluated = evaluate(text, lookup);
  const unit = unitOfName(text) ?? unitOfName(call.name);
  const { value } = evaluated;
  const span = value === undefined ? undefined : value.time ? inUnit(value, 'ns') : unit && inUnit(value, unit);
  return {
    side,
    kind: 'poll-timeout',
    wait: {
      text: `${call.name}(${at > 0 ? '..., ' : ''}${text}${at < call.args.length - 1 ? ', ...' : ''})`,
      ...(span === undefined ? {} : { span }),
      resolved: evaluated.resolved,
      unknown: evaluated.unknown,
      ...(unit === undefined ? {} : questionOf([text], [evaluated], unit)),
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
    probes: '',
  };
}

function boundAt(call: Call): number {
  const timed = call.args.findIndex(
    (a) => (TIMED.test(a) || (/^[A-Z][A-Z\d_]*$/.test(a) && isTimeoutName(a))) && !a.includes('jiffies +'),
  );
  if (timed >= 0) return timed;
  const last = call.args.length - 1;
  const text = call.args[last] ?? '';
  const isWaiting = last > 0 && wordsOf(call.name).some((w) => WAITS.test(w));
  return isWaiting && (/^\d{2,}[uUlL]*$/.test(text) || isTimeName(text)) ? last : -1;
}

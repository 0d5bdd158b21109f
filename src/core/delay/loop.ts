import type { Assign, Block, Token } from '../csource/index.js';
import type { Bound } from './change.js';
import { placeOf, type Side } from './side.js';
import { lookupAt, type Scope } from './scope.js';
import { assumedIn, evaluate } from './value.js';

/** How a loop ends when what it waits for never comes. */
export type LoopBound = {
  readonly bound: Bound;
  /** How often it goes round at most. */
  readonly rounds?: number;
  /** The part of its head that bounds it: `i < 10`. */
  readonly text?: string;
  /** The variable that counts. */
  readonly counter?: string;
  /** The expression that the count comes from, where it has no value and starts at nothing. */
  readonly limit?: string;
  /** How far one round goes: a counter that goes on by more than one counts time, not rounds. */
  readonly step?: number;
  /** Constants that the count comes from. */
  readonly via?: readonly string[];
  /** What of the count a kernel tree may know better. */
  readonly assumed?: Readonly<Record<string, string>>;
  /** Names that the count needs and the patch does not give. */
  readonly unknown: readonly string[];
};

const DEADLINE =
  /\b(?:time_(?:before|after|is_before|is_after|in_range)\w*|ktime_(?:before|after|compare|get\w*|us_delta|ms_delta)|jiffies|is_timeout\w*|get_timer|timeout_expired|stopwatch_expired|local_clock|time_left|get_time_ns|sched_clock|getsbinuptime|sbinuptime)\b/;

/** What bounds a loop: a counter in its head or a counter or a deadline tested in its body. */
export function loopBound(side: Side, loop: Block, scope: Scope): LoopBound {
  const head = loop.head;
  if (DEADLINE.test(head)) return { bound: 'deadline', unknown: [] };
  const parts = loop.loop === 'for' ? head.split(' ; ').map((p) => p.trim()) : [head];
  const test = loop.loop === 'for' ? forTest(head) : head;
  const counted = counterIn(test, loop, side);
  const body = side.fragment.tokens.filter((t) => t.start >= loop.start && t.end <= loop.end);
  // A head carried over from the hunk before is as good as one that stands here.
  if (counted !== undefined && (loop.cut !== true || head !== '')) return withRounds(counted, side, loop, scope, parts);
  const exits = exitConditions(body);
  if (exits.some((e) => DEADLINE.test(e)) || isDeadlineBody(body)) return { bound: 'deadline', unknown: [] };
  for (const exit of exits) {
    const stepped = counterIn(exit, loop, side, true);
    if (stepped !== undefined) return withRounds(stepped, side, loop, scope, []);
  }
  if (loop.loop === 'each') return { bound: 'count', unknown: [] };
  if (loop.cut) return { bound: 'unknown', unknown: [] };
  return { bound: 'none', unknown: [] };
}

function forTest(head: string): string {
  const first = head.indexOf(';');
  const second = head.indexOf(';', first + 1);
  return first < 0 ? head : head.slice(first + 1, second < 0 ? undefined : second).trim();
}

type Counted = { text: string; counter: string; limit?: string; down: boolean };

/** `i < N`, `retries -- > 0`, `-- loops`, `count ++ < 5`; inside a body only what the condition itself steps or a loop steps. */
function counterIn(test: string, loop: Block, side: Side, inBody = false): Counted | undefined {
  for (const term of test.split(/&&|\|\|/)) {
    const text = term.trim().replace(/^\(+ ?/, '');
    const down = /^(?:! ?)?(?:\( ?)?(?:-- ?([\w.>-]+)|([\w.>-]+?) ?--)/.exec(text);
    const name = down?.[1] ?? down?.[2];
    if (name !== undefined) return { text: text.replace(/ \)+$/, ''), counter: name, down: true };
    const compare = /^(?:\+\+ ?)?([\w.]+)(?: ?\+\+)? (<|<=|>|>=|!=|==) (.+?)(?: \))*$/.exec(text);
    const counter = compare?.[1];
    const limit = compare?.[3];
    const operator = compare?.[2];
    if (compare === null || counter === undefined || limit === undefined || operator === undefined) continue;
    const steps = stepOf(side, counter, loop);
    if (steps === undefined && !text.includes('++')) continue;
    if (inBody && !['>', '>=', '=='].includes(operator) && steps !== 'down') continue;
    if (steps === 'down') return { text, counter, down: true };
    return {
      text,
      counter,
      limit: operator === '<=' || (inBody && operator === '>') ? `(${limit}) + 1` : limit,
      down: false,
    };
  }
  // `while (timeout)`, `while (busy(t) && timeout)` with `timeout--` in the body.
  for (const term of test.split(inBody ? /&&|\|\|/ : '&&')) {
    const text = term.trim();
    const bare = /^!?\s*(\w+)$/.exec(text)?.[1];
    if (bare !== undefined && stepOf(side, bare, loop) === 'down') return { text, counter: bare, down: true };
  }
  return undefined;
}

function stepOf(side: Side, name: string, loop: Block): 'up' | 'down' | undefined {
  const tokens = side.fragment.tokens;
  if (loop.cut === true) {
    const words = loop.head.split(' ');
    const at = words.lastIndexOf(name);
    if (words[at + 1] === '++' || words[at - 1] === '++' || words[at + 1] === '+=') return 'up';
    if (words[at + 1] === '--' || words[at - 1] === '--' || words[at + 1] === '-=') return 'down';
  }
  for (const [i, t] of tokens.entries()) {
    if (t.start < loop.start || t.end > loop.end || t.text !== name) continue;
    const next = tokens[i + 1]?.text;
    const before = tokens[i - 1]?.text;
    if (next === '++' || before === '++' || next === '+=') return 'up';
    if (next === '--' || before === '--' || next === '-=') return 'down';
  }
  return undefined;
}

function withRounds(counted: Counted, side: Side, loop: Block, scope: Scope, parts: readonly string[]): LoopBound {
  const lookup = lookupAt(scope, side, loop.start);
  const base = { bound: 'count' as const, text: counted.text, counter: counted.counter };
  const start = startOf(counted.counter, side, loop);
  const headStep = (parts[2] ?? '').trim();
  const step = headStep === '' ? stepInBody(counted.counter, side, loop) : stepSize(headStep, counted.counter);
  const limitText = counted.down ? start : counted.limit;
  if (limitText === undefined) return { ...base, unknown: [counted.counter] };
  const limit = evaluate(limitText, lookup);
  const from = counted.down || start === undefined ? undefined : evaluate(start, lookup).value;
  // From one of two ends to the other, up or down: nobody can say.
  if (from !== undefined && from.min !== from.max) return { ...base, unknown: [] };
  const by = step === undefined ? 1 : evaluate(step, lookup).value?.max;
  const value = limit.value;
  if (value === undefined || value.time || by === undefined || by <= 0)
    return { ...base, unknown: limit.unknown, ...((from?.max ?? 0) === 0 && by === 1 ? { limit: limitText } : {}) };
  const rounds = Math.ceil((value.max - (from?.max ?? 0)) / by);
  if (rounds < 0 || !Number.isFinite(rounds)) return { ...base, unknown: [] };
  const { via } = limit;
  const { assumed } = assumedIn([limit]);
  const isOpen = assumed !== undefined && (from?.max ?? 0) === 0 && by === 1;
  return { ...base, rounds, step: by, via, ...(isOpen ? { limit: limitText, assumed } : {}), unknown: [] };
}

function stepSize(text: string, counter: string): string | undefined {
  const at = /(\w+) [-+]= (.+)$/.exec(text);
  return at?.[1] === counter ? at[2] : undefined;
}

/** `left -= 100` in the body of a loop whose head takes no step: how far one round goes, where each takes it. */
function stepInBody(counter: string, side: Side, loop: Block): string | undefined {
  const steps = side.fragment.assigns.filter(
    (a) => a.target === counter && a.start >= loop.start && a.end <= loop.end && /^[-+]=$/.test(a.operator),
  );
  const [only] = steps;
  return only !== undefined && steps.length === 1 && isAlways(only, side, loop) ? only.value : undefined;
}

/** A statement of the loop itself: no block and no condition between the two. */
function isAlways(assign: Assign, side: Side, loop: Block): boolean {
  if (placeOf(side, assign.start).blocks.at(-1) !== loop) return false;
  const before = side.fragment.tokens.filter((t) => t.start >= loop.start && t.end <= assign.start).at(-1);
  return before !== undefined && /^[;{}]$/.test(before.text);
}

/** The counter's value before the loop: the last plain assignment to it above, or in the loop's own head. */
function startOf(counter: string, side: Side, loop: Block): string | undefined {
  const limit = loop.start + loop.head.length + 8;
  const assigns = side.fragment.assigns.filter((a) => a.target === counter && a.operator === '=' && a.start < limit);
  return assigns.at(-1)?.value;
}

/** Conditions of ifs in a body that leave it: `if (...) break;`, `return`, `goto`. */
function exitConditions(body: readonly Token[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < body.length; i++) {
    if (body[i]?.text !== 'if' || body[i + 1]?.text !== '(') continue;
    let depth = 0;
    let close = i + 1;
    for (; close < body.length; close++) {
      if (body[close]?.text === '(') depth++;
      else if (body[close]?.text === ')' && --depth === 0) break;
    }
    const then = body.slice(close + 1, close + 40).map((t) => t.text);
    const braced = then[0] === '{';
    const end = braced ? then.indexOf('}') : then.indexOf(';');
    const after =
      end < 0 || then[end + 1] !== 'else' ? [] : then.slice(end + 2, then[end + 2] === '{' ? end + 4 : end + 3);
    const leaves = [...then.slice(0, end < 0 ? undefined : end + 1), ...after];
    if (leaves.some((t) => /^(?:break|return|goto)$/.test(t))) {
      found.push(
        body
          .slice(i + 2, close)
          .map((t) => t.text)
          .join(' '),
      );
    }
  }
  return found;
}

function isDeadlineBody(body: readonly Token[]): boolean {
  return body.some((t) => t.kind === 'name' && /^time_(?:before|after|is_before|is_after)/.test(t.text));
}

/** The loop can end because something became ready: a break or return in its body, or a condition that is not only a counter. */
export function canLeave(side: Side, loop: Block): boolean {
  const body = side.fragment.tokens.filter((t) => t.start >= loop.start && t.end <= loop.end);
  return exitConditions(body).length > 0;
}

/** A look at the condition comes before the first wait. */
export function looksFirst(side: Side, loop: Block, offset: number): boolean {
  if (loop.loop !== 'do' && !/^(?:1|true)?$/.test(loop.head.trim()) && loop.loop !== 'for') return true;
  const before = side.fragment.tokens.filter((t) => t.start >= loop.start && t.end <= offset);
  return (
    exitConditions(before).length > 0 ||
    /\b(?:read|is_|test_|check)/.test(loop.loop === 'for' ? forTest(loop.head) : '')
  );
}

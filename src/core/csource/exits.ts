import type { Token } from './lexer.js';

/** A `break`, `return`, `goto` or `continue` under a condition; `ifStart` and `condition` are empty where the text began below the `if`. */
export type Exit = {
  readonly leave: string;
  readonly start: number;
  readonly ifStart: number;
  readonly condition: string;
  /** What is returned, or the label that is jumped to. */
  readonly value: string;
};

const LEAVE = /^(?:break|return|goto|continue)$/;

/** A condition that counts rounds or looks at the clock. */
export const COUNTS =
  /--|\+\+|\btime_(?:before|after|is_)\w*|\bktime_(?:before|after|compare)\b|\bjiffies\b|\b(?:retries|tries|retry)\b/;

const MOST_EXITS = 200;

/** Every jump of a text with the condition of the last `if` before it, in order. */
export function findExits(tokens: readonly Token[]): Exit[] {
  const found: Exit[] = [];
  for (let i = 0; i < tokens.length && found.length < MOST_EXITS; i++) {
    const token = tokens[i];
    if (token?.kind !== 'name' || !LEAVE.test(token.text)) continue;
    const end = tokens.findIndex((t, n) => n > i && t.text === ';');
    const { start, condition } = conditionAbove(tokens, i);
    found.push({
      leave: token.text,
      start: token.start,
      ifStart: start,
      condition,
      value: spaced(tokens.slice(i + 1, end < 0 ? tokens.length : end)),
    });
  }
  return found;
}

function conditionAbove(tokens: readonly Token[], at: number): { start: number; condition: string } {
  for (let i = at - 1; i >= Math.max(0, at - 80); i--) {
    if (tokens[i]?.text === '}') break;
    if (tokens[i]?.text !== 'if') continue;
    let depth = 0;
    for (let n = i + 1; n < at; n++) {
      if (tokens[n]?.text === '(') depth++;
      else if (tokens[n]?.text === ')' && --depth === 0) {
        return { start: tokens[i]?.start ?? 0, condition: spaced(tokens.slice(i + 2, n)) };
      }
    }
    break;
  }
  return { start: 0, condition: '' };
}

/**
 * What is given back says that all is well (`return 0`, `return true`, `return;`), or the jump comes after a look at something,
 * not after an error. Of a jump without a condition in sight that is known where the code below at once gives up.
 */
export function isSuccess({ leave, value, condition }: Exit, after: readonly Token[]): boolean {
  if (leave === 'return') return /^(?:0|1|true)?$/.test(value);
  if (leave !== 'goto') return false;
  return condition === '' ? isFailure(firstStatement(after)) : !isErrorTest(condition);
}

function firstStatement(tokens: readonly Token[]): readonly Token[] {
  const from = tokens[0]?.text === ';' ? 1 : 0;
  const end = tokens.findIndex((t, i) => i >= from && (t.text === ';' || t.text === 'if'));
  return tokens.slice(from, end < 0 ? tokens.length : end);
}

/** `ret`, `! ptr`, `ret < 0`, `IS_ERR ( x )`: a test of what a call gave back. */
function isErrorTest(condition: string): boolean {
  return /^!? ?[\w.>-]+(?: (?:<|!=|<=) 0)?$|\bIS_ERR/.test(condition.replace(/^(?:un)?likely \( | \)$/g, ''));
}

/** What comes next gives up: an error code is returned or set, or a message speaks of a failure. */
export function isFailure(tokens: readonly Token[]): boolean {
  const end = tokens.findIndex((t, i) => t.text === '}' || i > 60);
  const next = tokens.slice(0, end < 0 ? tokens.length : end);
  return next.some(
    (t, i) =>
      (t.text === '-' && /^E[A-Z\d]+$/.test(next[i + 1]?.text ?? '')) ||
      (t.text === 'return' && /^(?:false|-)$/.test(next[i + 1]?.text ?? '')) ||
      (t.kind === 'string' && /time|fail|busy|not |never|unable/i.test(t.text)),
  );
}

/** An error that begins here, not one that was handed up. */
export function isOwnError({ leave, value }: Exit): boolean {
  return leave === 'return' && /^- E[A-Z\d]+$/.test(value);
}

/** The wait's own statement counts rounds, or is named for a poll. */
export function saysPoll(wait: readonly Token[]): boolean {
  const end = wait.findIndex((t) => t.text === ';');
  return wait
    .slice(0, end < 0 ? wait.length : end)
    .some(
      (t) => t.text === '++' || t.text === '--' || (t.kind === 'name' && /poll|interval|retry|backoff/i.test(t.text)),
    );
}

/** A message right below that tells after how long. */
export function tellsHowLong(tokens: readonly Token[]): boolean {
  const end = tokens.findIndex((t) => t.text === ';');
  return tokens.slice(0, Math.max(0, end)).some((t) => t.kind === 'string' && /\bafter %/.test(t.text));
}

function spaced(tokens: readonly Token[]): string {
  return tokens.map((t) => t.text).join(' ');
}

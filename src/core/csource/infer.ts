import type { Block } from './blocks.js';
import { COUNTS, findExits, isFailure, isOwnError, isSuccess, saysPoll, tellsHowLong } from './exits.js';
import type { Token } from './lexer.js';

/** A block that the hunk before left open, with the column of its head. */
export type CarriedBlock = { readonly block: Block; readonly indent: number };

/** The column of a line's first character, tabs to eight. */
export function indentAt(text: string, offset: number): number {
  let column = 0;
  for (let i = text.lastIndexOf('\n', offset - 1) + 1; i < text.length; i++) {
    if (text[i] === '\t') column += 8 - (column % 8);
    else if (text[i] === ' ') column++;
    else return column;
  }
  return column;
}

/**
 * Adds what a hunk does not show: blocks that the hunk before opened and that indentation says are still open, and loops
 * that are known only by a `break` or by the test above a wait at their end.
 */
export function inferBlocks(
  tokens: readonly Token[],
  blocks: readonly Block[],
  text: string,
  carried: readonly CarriedBlock[],
): Block[] {
  const used = new Set<CarriedBlock>();
  const known = blocks.map((block) => {
    if (!block.cut) return block;
    const column = indentAt(text, block.end - 1);
    const same = carried.findLast((c) => c.indent === column);
    if (same !== undefined && (block.kind === 'block' || block.kind === same.block.kind)) {
      used.add(same);
      return asCut(same.block, block.end, block.endLine);
    }
    return block.kind === 'block' && isLoopTail(tokens, block, text) ? { ...block, kind: 'loop' as const } : block;
  });
  for (const c of carried) {
    if (used.has(c)) continue;
    const leaves = tokens.find(
      (t) => isFirstOfLine(text, t) && t.kind !== 'directive' && indentAt(text, t.start) <= c.indent,
    );
    const end = leaves?.start ?? text.length;
    if (end > 0) known.push(asCut(c.block, end, leaves?.line ?? tokens.at(-1)?.line ?? 0));
  }
  const virtual = loopOfBreak(tokens, known, text);
  return virtual === undefined ? known : [...known, virtual];
}

function asCut(block: Block, end: number, endLine: number): Block {
  const { open: _open, ...rest } = block;
  return { ...rest, start: 0, line: 0, end, endLine, cut: true };
}

function isFirstOfLine(text: string, token: Token): boolean {
  let at = token.start - 1;
  while (at >= 0 && (text[at] === ' ' || text[at] === '\t')) at--;
  return at < 0 || text[at] === '\n';
}

const WAITS = /sleep|delay|schedule_timeout|cpu_relax|wait/i;

/**
 * A block of which only the end is shown is a loop when it ends in a wait and something above says that it goes round:
 * `... return 0; } msleep(1); } return -ETIMEDOUT;`. An error that is handed on says nothing of the kind.
 */
function isLoopTail(tokens: readonly Token[], block: Block, text: string): boolean {
  const inside = tokens.filter((t) => t.end < block.end && t.kind !== 'directive');
  const after = tokens.filter((t) => t.start >= block.end && t.kind !== 'directive');
  if (after[0]?.text === 'else') return false;
  const column = indentAt(text, block.end - 1);
  if (column === 0) return false;
  // Statements of the block itself stand one step deeper; the last one of them must be a wait.
  const heads = inside.filter((t) => isFirstOfLine(text, t) && indentAt(text, t.start) > column);
  const body = Math.min(...heads.map((t) => indentAt(text, t.start)));
  const own = heads.filter((t) => indentAt(text, t.start) === body && /^\w/.test(t.text));
  const last = own.at(-1);
  if (last === undefined || !WAITS.test(last.text)) return false;
  const wait = tokens.slice(tokens.indexOf(last), tokens.indexOf(last) + 40);
  const says = saysPoll(wait) || tellsHowLong(after);
  return findExits(inside).some((exit) => {
    if (exit.start >= last.start || indentAt(text, exit.start) <= column) return false;
    if (exit.leave === 'break' || exit.leave === 'continue') return !hasCaseLabel(inside, text, column + 8);
    if (says || COUNTS.test(exit.condition)) return true;
    const isNext = (own.at(-2)?.start ?? 0) <= exit.ifStart;
    if (isSuccess(exit, after)) return isNext || isFailure(after);
    // Giving up with a code of its own, right above the wait, under a condition that is out of sight.
    return isNext && exit.condition === '' && isOwnError(exit);
  });
}

/** A `break` or `continue` in an `if` that nothing in sight explains: a loop is around it that began above. */
function loopOfBreak(tokens: readonly Token[], blocks: readonly Block[], text: string): Block | undefined {
  for (const token of tokens) {
    if (token.text !== 'break' && token.text !== 'continue') continue;
    const around = blocks.filter((b) => b.start <= token.start && token.start < b.end);
    if (around.some((b) => b.kind === 'loop' || b.kind === 'switch')) continue;
    const test = around.find((b) => b.kind === 'if' && !b.cut && b.head !== '');
    if (test === undefined) continue;
    const column = indentAt(text, test.start);
    if (column === 0 || hasCaseLabel(tokens, text, column)) continue;
    const outer = around.find((b) => b.kind === 'function');
    const from = edge(tokens, text, column, test.start, -1, outer?.start ?? 0);
    const to = edge(tokens, text, column, test.start, 1, outer?.end ?? text.length);
    return { kind: 'loop', start: from, end: to, line: 0, endLine: token.line, head: '', cut: true };
  }
  return undefined;
}

function hasCaseLabel(tokens: readonly Token[], text: string, column: number): boolean {
  return tokens.some((t) => (t.text === 'case' || t.text === 'default') && indentAt(text, t.start) <= column);
}

/** How far the lines at `column` or deeper reach from an offset, up or down. */
function edge(
  tokens: readonly Token[],
  text: string,
  column: number,
  from: number,
  step: 1 | -1,
  limit: number,
): number {
  const lines = tokens.filter((t) => isFirstOfLine(text, t) && t.kind !== 'directive');
  const out =
    step > 0
      ? lines.find((t) => t.start > from && indentAt(text, t.start) < column)
      : lines.findLast((t) => t.start < from && indentAt(text, t.start) < column);
  if (out === undefined) return limit;
  return step > 0 ? out.start : out.end;
}

import { isEachMacro, type Block, type LoopKind } from './blocks.js';
import { tokenise, type Token } from './lexer.js';
import type { CParser, SyntaxNode } from './parser.js';

/**
 * Blocks by the syntax tree of a fragment that was mended first: comments and directives blanked, attribute words blanked,
 * list_for_each() heads turned into loops, braces that the hunk cut off put back. Absent where the parser still had to
 * guess: then the scanner's blocks stand.
 */
export function syntaxBlocks(
  tokens: readonly Token[],
  text: string,
  scanned: readonly Block[],
  parser: CParser,
  cap?: number,
): Block[] | undefined {
  if (isTooDeep(tokens)) return undefined;
  const mended = mend(tokens, text, scanned);
  const root = parser.parse(mended.text, cap);
  if (root === undefined) return undefined;
  const blocks: Block[] = [];
  const lines = lineStarts(text);
  const stack: SyntaxNode[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    stack.push(...node.children);
    const block = toBlock(node, mended, text, lines);
    if (block !== undefined) blocks.push(block);
  }
  // What began above the fragment is the same in both readings: its braces were put back from the scanner's.
  blocks.push(...scanned.filter((b) => b.cut));
  return blocks.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Nested deeper than anybody writes: not worth the parser's time. */
function isTooDeep(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const t of tokens) {
    if (t.text === '(' || t.text === '{' || t.text === '[') depth++;
    else if (t.text === ')' || t.text === '}' || t.text === ']') depth = Math.max(0, depth - 1);
    if (depth > 200) return true;
  }
  return false;
}

type Mended = { readonly text: string; readonly shift: number; readonly original: string };

const ATTRIBUTE =
  /^__(?!attribute__|typeof__|asm__|builtin_|func__)[a-z]\w*$|^(?:asmlinkage|notrace|noinline|fallthrough)$/;

/** The same text, position by position, after a prefix of `shift` characters. */
function mend(tokens: readonly Token[], text: string, scanned: readonly Block[]): Mended {
  const out: string[] = [];
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.start > at) out.push(blank(text.slice(at, token.start)));
    out.push(token.kind === 'directive' ? blank(token.text) : word(tokens, i));
    at = token.end;
  }
  out.push(blank(text.slice(at)));
  const cuts = scanned.filter((b) => b.cut).sort((a, b) => b.end - a.end);
  let prefix = '';
  for (const block of cuts) prefix += opener(block, text);
  const isInside = cuts.some((b) => isFunctionEnd(b, text)) || (cuts.length > 0 && !/^\s/.test(text));
  const head = isInside || cuts.length === 0 ? prefix : `void cut__(void) {${prefix}`;
  const needsFunction = cuts.length === 0 && startsWithStatement(tokens, text);
  const start = `${needsFunction ? 'void cut__(void) {' : head}${lead(tokens)}`;
  const whole = `${start}${out.join('')}`;
  return { text: `${whole}${unclosed(whole)}`, shift: start.length, original: text };
}

/** What must stand before a fragment that begins with an `else` or in the middle of a call. */
function lead(tokens: readonly Token[]): string {
  const code = tokens.filter((t) => t.kind !== 'directive');
  if (code[0]?.text === 'else') return 'if (0) ; ';
  let depth = 0;
  let least = 0;
  for (const t of code) {
    if (t.text === '(') depth++;
    else if (t.text === ')') least = Math.min(least, --depth);
    // A statement's end puts the count back: only the first statement can have begun above.
    else if (t.text === ';' || t.text === '{' || t.text === '}') break;
  }
  return 'cut__('.repeat(Math.min(-least, 20));
}

function blank(text: string): string {
  if (text === ' ' || text === '\n') return text;
  return text.replace(/[^\n]/g, ' ');
}

function word(tokens: readonly Token[], i: number): string {
  const token = tokens[i];
  if (token === undefined) return '';
  if (token.kind === 'string') return `"${' '.repeat(Math.max(0, token.text.length - 2))}"`.slice(0, token.text.length);
  if (token.kind !== 'name') return token.text;
  const next = tokens[i + 1];
  if (isEachMacro(token.text) && next?.text === '(' && token.text.length >= 5 && headsLoop(tokens, i)) {
    return 'while'.padEnd(token.text.length);
  }
  const isWord = ATTRIBUTE.test(token.text) && next?.text !== '(' && next?.text !== '=' && next?.text !== ';';
  return isWord ? ' '.repeat(token.text.length) : token.text;
}

function headsLoop(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]?.text === '(') depth++;
    else if (tokens[i]?.text === ')' && --depth === 0) return !/^[;,)]$/.test(tokens[i + 1]?.text ?? ';');
  }
  return false;
}

function isFunctionEnd(block: Block, text: string): boolean {
  return text[block.end - 2] === '\n' || block.end === 1;
}

function opener(block: Block, text: string): string {
  if (isFunctionEnd(block, text)) return 'void cut__(void) {';
  if (block.kind === 'loop') return block.loop === 'do' ? 'do {' : 'while (1) {';
  return block.kind === 'if' ? 'if (1) {' : '{';
}

function startsWithStatement(tokens: readonly Token[], text: string): boolean {
  const first = tokens.find((t) => t.kind !== 'directive');
  return first !== undefined && text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start) !== '';
}

/** What closes the brackets that the fragment left open, in order. */
function unclosed(text: string): string {
  const open: string[] = [];
  let inString = false;
  for (const [c] of text.matchAll(/["()[\]{}]/g)) {
    if (c === '"') inString = !inString;
    if (inString) continue;
    if (c === '(' || c === '[' || c === '{') open.push(c);
    else if (c !== '"') open.pop();
  }
  const end = text.trimEnd();
  // A call that was cut after a comma gets its argument, a prototype its semicolon.
  let out = /[,=+\-*/&|<>]$/.test(end) ? '0' : end.endsWith(')') && open.length === 0 ? ';' : '';
  for (const c of open.reverse()) {
    out += c === '(' ? ')' : c === '[' ? ']' : /\}$/.test(out) ? '}' : '; }';
  }
  return out;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const LOOPS: Readonly<Record<string, LoopKind>> = {
  for_statement: 'for',
  while_statement: 'while',
  do_statement: 'do',
};

function toBlock(node: SyntaxNode, mended: Mended, text: string, starts: readonly number[]): Block | undefined {
  const kind = kindOf(node);
  if (kind === undefined) return undefined;
  const start = node.start - mended.shift;
  const end = Math.min(node.end - mended.shift, text.length);
  if (end <= 0) return undefined;
  const loop = LOOPS[node.type];
  if (start < 0) return undefined;
  const isEach = loop === 'while' && !text.startsWith('while', start);
  const open = node.end - mended.shift > text.length;
  const name = kind === 'function' ? functionName(node, mended) : undefined;
  return {
    kind,
    start,
    end,
    line: lineOf(starts, start),
    endLine: lineOf(starts, Math.max(start, end - 1)),
    head: headOf(node, mended),
    ...(name === undefined ? {} : { name }),
    ...(loop === undefined ? {} : { loop: isEach ? ('each' as const) : loop }),
    ...(open ? { open: true as const } : {}),
  };
}

function kindOf(node: SyntaxNode): Block['kind'] | undefined {
  switch (node.type) {
    case 'function_definition':
      return 'function';
    case 'for_statement':
    case 'while_statement':
    case 'do_statement':
      return 'loop';
    case 'if_statement':
      return 'if';
    case 'else_clause':
      return 'else';
    case 'switch_statement':
      return 'switch';
    case 'initializer_list':
      return 'record';
    default:
      return undefined;
  }
}

function find(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((c) => c.field === field);
}

function sourceOf(node: SyntaxNode, mended: Mended): string {
  return mended.text.slice(node.start, node.end);
}

function functionName(node: SyntaxNode, mended: Mended): string | undefined {
  let at = find(node, 'declarator');
  for (let depth = 0; at !== undefined && depth < 12; depth++) {
    if (at.type === 'identifier') return sourceOf(at, mended);
    at = find(at, 'declarator') ?? at.children.find((c) => c.type === 'identifier');
  }
  return undefined;
}

/** Condition of an if or a loop; a for's three parts with their semicolons. Tokens are set apart by one space, as the scanner does it. */
function headOf(node: SyntaxNode, mended: Mended): string {
  if (node.type === 'for_statement') {
    const body = find(node, 'body');
    const text = mended.text.slice(node.start, body?.start ?? node.end);
    return spaced(text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')));
  }
  const condition = find(node, 'condition');
  if (condition === undefined) return '';
  const text = sourceOf(condition, mended);
  return spaced(condition.type === 'parenthesized_expression' ? text.slice(1, -1) : text);
}

function spaced(text: string): string {
  return tokenise(text)
    .map((t) => t.text)
    .join(' ');
}

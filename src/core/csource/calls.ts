import { tokenise, type Token } from './lexer.js';

/** A call with its arguments as they stand in the text, comments and line ends squeezed. */
export type Call = {
  readonly name: string;
  readonly args: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** The text began or ended inside it: arguments may be missing. */
  readonly cut?: true;
  /** It stands alone as a statement, its value unused. */
  readonly statement: boolean;
  /** What the value is assigned to. */
  readonly assigns?: string;
  /** It is the body of a #define of this name. */
  readonly macro?: string;
};

const MAX_ARGS = 32;
// A call this long is not one; without a bound, calls nested 50,000 deep would each be read to the end.
const MAX_TOKENS = 1500;

/** Calls of names that `wanted` takes, in order; prototypes, definitions, strings, comments and struct members are none. */
export function findCalls(tokens: readonly Token[], wanted: (name: string) => boolean): Call[] {
  const calls: Call[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'directive') {
      calls.push(...macroCalls(token, wanted));
      continue;
    }
    if (token.kind !== 'name' || tokens[i + 1]?.text !== '(' || !wanted(token.text)) continue;
    const before = tokens[i - 1];
    if (before !== undefined && (before.text === '.' || before.text === '->')) continue;
    const call = callAt(tokens, i);
    if (call !== undefined && !isDeclaration(tokens, i, call)) calls.push(call.call);
  }
  return calls;
}

type Found = { readonly call: Call; readonly next: number };

function callAt(tokens: readonly Token[], at: number): Found | undefined {
  const name = tokens[at];
  if (name === undefined) return undefined;
  const args: string[] = [];
  let depth = 0;
  let from = at + 2;
  let i = at + 1;
  let last = name;
  const end = Math.min(tokens.length, at + MAX_TOKENS);
  for (; i < end; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.kind === 'directive') continue;
    last = token;
    if (token.text === '(' || token.text === '[' || token.text === '{') depth++;
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      depth--;
      if (depth <= 0) break;
    } else if (token.text === ',' && depth === 1) {
      if (args.length < MAX_ARGS) args.push(textOf(tokens, from, i));
      from = i + 1;
    } else if (token.text === ';' && depth === 1) {
      break;
    }
  }
  const closed = tokens[i]?.text === ')';
  const tail = textOf(tokens, from, Math.min(i, tokens.length));
  if (tail !== '' || args.length > 0) args.push(tail);
  const before = tokens[at - 1];
  const after = tokens[i + 1];
  const statement =
    (before === undefined || /^(?:[;{}):]|else|do)$/.test(before.text) || before.kind === 'directive') &&
    (after === undefined || after.text === ';');
  const assigns = before !== undefined && /^(?:[-+|]?=)$/.test(before.text) ? target(tokens, at - 1) : undefined;
  return {
    call: {
      name: name.text,
      args,
      start: name.start,
      end: last.end,
      line: name.line,
      endLine: last.line,
      statement,
      ...(closed ? {} : { cut: true as const }),
      ...(assigns === undefined ? {} : { assigns }),
    },
    next: i + 1,
  };
}

/** `static void msleep(unsigned int msecs)` is no call: a type stands before it and no expression follows. */
function isDeclaration(tokens: readonly Token[], at: number, found: Found): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return tokens[found.next]?.text === '{';
  if (before.kind === 'name') return !/^(?:return|else|do|case|goto|in|await)$/.test(before.text);
  if (before.text === '*') {
    // `int *foo(void)` against `a * foo(b)`: a declaration begins a statement with a type.
    const type = tokens[at - 2];
    const head = tokens[at - 3];
    const after = tokens[found.next]?.text;
    return type?.kind === 'name' && (head === undefined || head.kind === 'name' || /^[;}]$/.test(head.text))
      ? after === '{' || after === ';'
      : false;
  }
  return /^[;}]$/.test(before.text) && tokens[found.next]?.text === '{' && !/for_?each/i.test(found.call.name);
}

function macroCalls(token: Token, wanted: (name: string) => boolean): Call[] {
  const define = readDefine(token);
  if (define === undefined || define.body === '') return [];
  const inner = tokenise(define.body);
  return findCalls(inner, wanted).map((call) => ({
    ...call,
    start: token.start,
    end: token.end,
    line: token.line + define.bodyLine + call.line,
    endLine: token.line + define.bodyLine + call.endLine,
    macro: define.name,
  }));
}

/** A #define: its parameters, absent when it takes none, and its body without line continuations. */
export type Define = {
  readonly name: string;
  readonly params?: readonly string[];
  readonly body: string;
  readonly line: number;
  readonly endLine: number;
  /** Lines between the directive's first line and the body's. */
  readonly bodyLine: number;
  /** A comment on the same line, which may tell the unit. */
  readonly remark: string;
};

/** Reads a #define from a directive token. */
export function readDefine(token: Token): Define | undefined {
  const head = /^#[ \t]*define[ \t]+([A-Za-z_]\w*)/.exec(token.text);
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  let at = head[0].length;
  let params: string[] | undefined;
  if (token.text[at] === '(') {
    const close = token.text.indexOf(')', at);
    if (close < 0) return undefined;
    params = token.text
      .slice(at + 1, close)
      .split(',')
      .map((p) => p.trim())
      .filter((p) => p !== '');
    at = close + 1;
  }
  const raw = token.text.slice(at);
  const joined = raw.replace(/\\[ \t\r]*\n/g, ' \n');
  const body = tokenise(joined);
  const text = body.length === 0 ? '' : joined.slice(body[0]?.start ?? 0, body.at(-1)?.end ?? 0);
  return {
    name,
    ...(params === undefined ? {} : { params }),
    body: text,
    line: token.line,
    endLine: token.line + count(token.text, '\n'),
    bodyLine: body[0]?.line ?? 0,
    remark: /\/[*/](.*)$/s.exec(raw)?.[1]?.trim() ?? '',
  };
}

function count(text: string, what: string): number {
  let n = 0;
  for (const c of text) if (c === what) n++;
  return n;
}

/** The text of a run of tokens as a C programmer would print it: single spaces where the source had any. */
export function textOf(tokens: readonly Token[], from: number, to: number): string {
  let out = '';
  let end = -1;
  for (const token of tokens.slice(from, to)) {
    if (token.kind === 'directive') continue;
    if (end >= 0 && token.start > end && !/[([]$/.test(out) && !/^[)\],]/.test(token.text)) out += ' ';
    out += token.text;
    end = token.end;
  }
  return out;
}

/** The left side of an assignment that ends at token `equals`. */
export function target(tokens: readonly Token[], equals: number): string | undefined {
  let from = equals - 1;
  let depth = 0;
  for (; from >= 0; from--) {
    const token = tokens[from];
    if (token === undefined || token.kind === 'directive') break;
    // `if (x) y = 1`: the bracket closes a head, not a part of the left side.
    const isHead = token.text === ')' && depth === 0 && !/^(?:->|\.|\[)$/.test(tokens[from + 1]?.text ?? '');
    if (isHead) break;
    if (token.text === ']' || token.text === ')') depth++;
    else if (token.text === '[' || token.text === '(') {
      depth--;
      if (depth < 0) break;
    } else if (depth === 0) {
      if (token.kind === 'name' || token.text === '->' || token.text === '.') {
        const next = tokens[from + 1];
        // Two names in a row: a type stands before the variable.
        if (token.kind === 'name' && next?.kind === 'name' && from + 1 < equals) break;
        continue;
      }
      break;
    }
  }
  const text = textOf(tokens, from + 1, equals).replace(/\s*(->|\.)\s*/g, '$1');
  return text === '' ? undefined : text;
}

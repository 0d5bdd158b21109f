import type { Token } from './lexer.js';

export type LoopKind = 'for' | 'while' | 'do' | 'each';

/** A stretch of code that something governs: a function, a loop, a condition, an initialiser. Ends are offsets into the text. */
export type Block = {
  readonly kind: 'function' | 'loop' | 'if' | 'else' | 'switch' | 'ifdef' | 'record' | 'block';
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** Function or record name. */
  readonly name?: string;
  readonly loop?: LoopKind;
  /** What stands in the parentheses of the head: condition of an if or a loop; for `do`, that of its tail. */
  readonly head: string;
  /** The fragment began inside it. */
  readonly cut?: true;
  /** The fragment ended inside it. */
  readonly open?: true;
};

type Open = {
  kind: Block['kind'];
  start: number;
  line: number;
  head: string;
  braces: boolean;
  name?: string;
  loop?: LoopKind;
};

// Deeper than this nobody writes; braces beyond it are only counted, so that time stays linear.
const MAX_OPEN = 200;
const MAX_CUT = 40;
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'else', 'do']);

/** A macro that heads a loop: list_for_each_entry, for_each_set_bit, hlist_for_each_entry_rcu. */
export function isEachMacro(name: string): boolean {
  return /(?:^|_)for_?each(?:_|$)/i.test(name);
}

/**
 * Blocks of a text by matching braces and heads, outermost first. Made for fragments: an unmatched closing brace is a block
 * that began before the text, an unclosed one lasts to its end. Never fails.
 */
export function scanBlocks(tokens: readonly Token[], length: number): Block[] {
  return new Scanner(tokens, length).run();
}

class Scanner {
  private readonly done: Block[] = [];
  private readonly open: Open[] = [];
  private readonly tokens: readonly Token[];
  private readonly length: number;
  private at = 0;
  private ignored = 0;
  private cuts = 0;
  private statement = 0;

  constructor(tokens: readonly Token[], length: number) {
    this.tokens = tokens.filter((t) => t.kind !== 'directive');
    this.length = length;
  }

  run(): Block[] {
    while (this.at < this.tokens.length) this.step();
    const last = this.tokens.at(-1)?.line ?? 0;
    for (const open of this.open) this.done.push({ ...toBlock(open, this.length, last), open: true });
    return this.done.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  private step(): void {
    const token = this.tokens[this.at];
    if (token === undefined) return;
    const mayOpen = this.open.length < MAX_OPEN;
    if (mayOpen && token.kind === 'name' && (CONTROL.has(token.text) || isEachMacro(token.text))) {
      if (this.control(token)) return;
    }
    if (token.text === '(' || token.text === '[') {
      this.at = this.matching(this.at) + 1;
      return;
    }
    if (token.text === '{' && this.open.length >= MAX_OPEN) {
      this.ignored++;
      this.at++;
      return;
    }
    if (token.text === '}' && this.ignored > 0) {
      this.ignored--;
      this.at++;
      return;
    }
    if (token.text === '{') {
      this.open.push(this.braceBlock(token));
      this.at++;
      this.statement = this.at;
      return;
    }
    if (token.text === '}') {
      this.closeBrace(token);
      return;
    }
    this.at++;
    if (token.text === ';') {
      this.statement = this.at;
      this.endStatement(token);
    } else if (token.text === ':') {
      this.statement = this.at;
    }
  }

  /** `if (...)`, `for (...)`, `do`, `else`: opens a block that lasts for one statement or for one pair of braces. */
  private control(token: Token): boolean {
    const next = this.tokens[this.at + 1];
    const opened: Open = { kind: 'if', start: token.start, line: token.line, head: '', braces: false };
    if (token.text === 'do' || token.text === 'else') {
      if (token.text === 'do') Object.assign(opened, { kind: 'loop', loop: 'do' });
      else opened.kind = 'else';
      this.at++;
    } else {
      if (next?.text !== '(') return false;
      const close = this.matching(this.at + 1);
      const after = this.tokens[close + 1];
      const each = !CONTROL.has(token.text);
      // for_each_x(...) that ends in a semicolon is a call, and one at the top level a definition.
      if (each && (after === undefined || after.text === ';' || after.text === ',' || after.text === ')')) return false;
      opened.head = this.textOf(this.at + 2, close);
      if (each) Object.assign(opened, { kind: 'loop', loop: 'each' });
      else if (token.text === 'switch') opened.kind = 'switch';
      else if (token.text !== 'if') Object.assign(opened, { kind: 'loop', loop: token.text });
      this.at = close + 1;
    }
    if (this.tokens[this.at]?.text === '{') {
      opened.braces = true;
      this.at++;
    }
    this.open.push(opened);
    this.statement = this.at;
    return true;
  }

  private braceBlock(token: Token): Open {
    const head = this.tokens.slice(this.statement, this.at);
    const first = head[0] ?? token;
    const base: Open = { kind: 'block', start: first.start, line: first.line, head: '', braces: true };
    const inFunction = this.open.some((o) => o.kind === 'function' || o.kind === 'loop' || o.kind === 'if');
    const equals = head.findIndex((t) => t.text === '=');
    if (equals >= 0 || head.some((t) => ['struct', 'union', 'enum'].includes(t.text))) {
      const paren = head.findIndex((t) => t.text === '(');
      if (equals >= 0 || paren < 0) {
        const named = head.slice(0, equals < 0 ? head.length : equals).filter((t) => t.kind === 'name');
        const name = named.filter((t) => !isEachMacro(t.text)).at(-1)?.text;
        return { ...base, kind: 'record', ...(name === undefined ? {} : { name }) };
      }
    }
    if (inFunction) return base;
    const name = functionName(head);
    return name === undefined ? base : { ...base, kind: 'function', name };
  }

  private closeBrace(token: Token): void {
    this.at++;
    // Statements that the text left open inside the braces end with them.
    while (this.open.length > 0 && this.open.at(-1)?.braces === false) this.close(token.start, token.line);
    if (this.open.length === 0) this.cutBlock(token);
    else {
      const top = this.open.at(-1);
      if (top?.loop === 'do') this.doTail(top);
      this.close(token.end, token.line);
    }
    this.statement = this.at;
    this.endStatement(token);
  }

  /** A closing brace without an opening one: everything from the beginning of the text was inside. */
  private cutBlock(token: Token): void {
    if (++this.cuts > MAX_CUT) return;
    const next = this.tokens[this.at];
    const block: Open = { kind: 'block', start: 0, line: 0, head: '', braces: true };
    if (next?.text === 'while' && this.tokens[this.at + 1]?.text === '(') {
      const close = this.matching(this.at + 1);
      if (this.tokens[close + 1]?.text === ';') {
        Object.assign(block, { kind: 'loop', loop: 'do' });
        this.doTail(block);
      }
    } else if (next?.text === 'else') block.kind = 'if';
    this.done.push({ ...toBlock(block, token.end, token.line), cut: true });
  }

  private doTail(block: Open): void {
    const next = this.tokens[this.at];
    if (next?.text !== 'while' || this.tokens[this.at + 1]?.text !== '(') return;
    const close = this.matching(this.at + 1);
    block.head = this.textOf(this.at + 2, close);
    this.at = Math.min(close + 1, this.tokens.length);
    if (this.tokens[this.at]?.text === ';') this.at++;
  }

  /** A statement has ended: so have the heads without braces that it was the body of, unless an `else` follows. */
  private endStatement(token: Token): void {
    while (this.open.length > 0) {
      const top = this.open.at(-1);
      if (top === undefined || top.braces) return;
      if (top.loop === 'do') this.doTail(top);
      const isElse = this.tokens[this.at]?.text === 'else';
      this.close(token.end, token.line);
      if (isElse && top.kind === 'if') return;
    }
  }

  private close(end: number, line: number): void {
    const top = this.open.pop();
    if (top !== undefined) this.done.push(toBlock(top, end, line));
  }

  /** Index of the token that closes the bracket at `from`; the last token when it is not closed. */
  private matching(from: number): number {
    let depth = 0;
    for (let i = from; i < this.tokens.length; i++) {
      const text = this.tokens[i]?.text;
      if (text === '(' || text === '[') depth++;
      else if (text === ')' || text === ']') {
        depth--;
        if (depth <= 0) return i;
      } else if (text === '{' && i > from && this.tokens[i - 1]?.text === ')' && depth > 0) {
        // `foo(x) {` inside parentheses: a missing bracket, or a statement expression; stop only for the former.
        if (this.tokens[i - 2]?.text !== '(') continue;
      }
    }
    return this.tokens.length - 1;
  }

  private textOf(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map((t) => t.text)
      .join(' ');
  }
}

function toBlock(open: Open, end: number, endLine: number): Block {
  return {
    kind: open.kind,
    start: open.start,
    end,
    line: open.line,
    endLine,
    head: open.head,
    ...(open.name === undefined ? {} : { name: open.name }),
    ...(open.loop === undefined ? {} : { loop: open.loop }),
  };
}

/**
 * `static int __init foo(struct bar *b)` names foo: the name before the last bracket pair at the top, attributes behind it aside.
 * What stands before may be the rest of a macro that began above the fragment.
 */
function functionName(head: readonly Token[]): string | undefined {
  let depth = 0;
  let name: string | undefined;
  for (const [i, token] of head.entries()) {
    if (token.text === '(') {
      const before = head[i - 1];
      const isName = before?.kind === 'name' && before.text !== 'pub' && !CONTROL.has(before.text);
      // SYSCALL_DEFINE3(open, ...) and friends are named by their macro; good enough as they are.
      if (depth === 0 && isName && (name === undefined ? !/^__attribute/.test(before.text) : startsAgain(head, i - 1)))
        name = before.text;
      depth++;
    } else if (token.text === ')') depth--;
  }
  return name;
}

/** A type stands before the name: another declaration begins. */
function startsAgain(head: readonly Token[], at: number): boolean {
  const type = head[at - 1];
  return type?.text === '*' || (type?.kind === 'name' && !/^__/.test(head[at]?.text ?? ''));
}

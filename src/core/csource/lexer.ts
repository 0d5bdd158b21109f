/** A token of C. `line` is the 0-based line of its first character in the text. */
export type Token = {
  readonly kind: 'name' | 'number' | 'string' | 'punct' | 'directive';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
};

const NEWLINE = 10;
const DOT = 46;
/** Punctuation that no longer one begins with: ( ) [ ] { } ; , : ? ~ */
const SINGLE: ReadonlySet<number> = new Set(Array.from('()[]{};,:?~', (c) => c.charCodeAt(0)));
const CHARACTER = /^'(?:\\[^\n]|[^\\'\n]){1,12}'/;
const PUNCTUATION = ['<<=', '>>=', '...', '->', '++', '--', '<<', '>>', '<=', '>=', '==', '!=', '&&', '||'];
const ASSIGNMENTS = ['+=', '-=', '*=', '/=', '%=', '&=', '|=', '^='];
const TWO_OR_THREE = [...PUNCTUATION, ...ASSIGNMENTS];

/**
 * C text as tokens, comments left out, strings as one token each, a preprocessor line (with its continuations) as one.
 * Never fails: what is no token is skipped. A fragment may begin inside a block comment: that part is left out too.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = commentTail(text);
  let line = 0;
  for (let i = 0; i < at; i++) if (text[i] === '\n') line++;
  let fresh = true;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) {
      line++;
      at++;
      fresh = true;
      continue;
    }
    if (code === 32 || (code >= 9 && code <= 13)) {
      at++;
      continue;
    }
    const start = at;
    const startLine = line;
    let kind: Token['kind'] | undefined;
    if (isNameStart(code)) {
      at = endOfName(text, at + 1);
      kind = 'name';
    } else if (isDigit(code) || (code === DOT && isDigit(text.charCodeAt(at + 1)))) {
      at = endOfNumber(text, at + 1);
      kind = 'number';
    } else if (SINGLE.has(code)) {
      at++;
      kind = 'punct';
    } else {
      const c = text.charAt(at);
      if (c === '/' && text[at + 1] === '*') {
        const end = text.indexOf('*/', at + 2);
        at = end < 0 ? text.length : end + 2;
      } else if (c === '/' && text[at + 1] === '/') {
        at = endOfLine(text, at);
      } else if (c === '#' && fresh) {
        at = endOfDirective(text, at);
        kind = 'directive';
      } else if (c === "'" && !CHARACTER.test(text.slice(at, at + 16))) {
        // A lifetime of Rust, or an apostrophe in prose.
        at++;
      } else if (c === '"' || c === "'") {
        at = endOfString(text, at, c);
        kind = 'string';
      } else if (c === '\\') {
        at++;
      } else {
        at += TWO_OR_THREE.find((p) => text.startsWith(p, at))?.length ?? 1;
        kind = 'punct';
      }
      for (let i = start; i < at; i++) if (text.charCodeAt(i) === NEWLINE) line++;
    }
    if (kind !== undefined) {
      tokens.push({ kind, text: text.slice(start, at), start, end: at, line: startLine });
      fresh = false;
    }
  }
  return tokens;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, `_`, `$` and whatever is not ASCII. */
function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36 || code >= 128;
}

function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isNameStart(code) && !isDigit(code)) break;
  }
  return at;
}

/** Suffixes, digits of any base, points and digit separators. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!((isNameStart(code) && code < 128 && code !== 36) || isDigit(code) || code === DOT || code === 39)) break;
  }
  return at;
}

/** How much of a fragment's beginning is the rest of a block comment: up to the first close without an open. */
function commentTail(text: string): number {
  const close = text.indexOf('*/');
  const open = text.indexOf('/*');
  // A glob such as "drivers/*/foo" in a string is rare enough; a close before any open means that we began inside.
  if (close >= 0 && (open < 0 || close < open)) return close + 2;
  if (open >= 0 || close >= 0) return starLines(text, open);
  return starLines(text, text.length);
}

/** Leading lines ` * like this` of a comment whose end the fragment does not show. */
function starLines(text: string, limit: number): number {
  let at = 0;
  let seen = 0;
  while (at < text.length && at <= limit) {
    const end = endOfLine(text, at);
    const stripped = text.slice(at, end).trim();
    if (!(stripped === '*' || stripped.startsWith('* '))) break;
    // A line `* p = 5;` would be code; prose has no semicolon at its end.
    if (stripped.endsWith(';')) break;
    at = Math.min(end + 1, text.length);
    seen++;
  }
  return seen > 0 ? at : 0;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function endOfDirective(text: string, from: number): number {
  let at = from;
  for (;;) {
    const end = endOfLine(text, at);
    const comment = text.indexOf('/*', at);
    if (comment >= 0 && comment < end) {
      const close = text.indexOf('*/', comment + 2);
      if (close < 0) return end;
      if (close > end) {
        at = close + 2;
        continue;
      }
    }
    let last = end - 1;
    while (last > from && (text[last] === '\r' || text[last] === ' ' || text[last] === '\t')) last--;
    if (text[last] !== '\\' || end >= text.length) return end;
    at = end + 1;
  }
}

function endOfString(text: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < text.length) {
    const c = text[at];
    if (c === '\\') at += 2;
    else if (c === '\n') return at;
    else if (c === quote) return at + 1;
    else at++;
  }
  return text.length;
}

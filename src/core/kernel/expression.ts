const constants: Readonly<Record<string, number>> = {
  USEC_PER_MSEC: 1e3,
  USEC_PER_SEC: 1e6,
  MSEC_PER_SEC: 1e3,
  NSEC_PER_USEC: 1e3,
  NSEC_PER_MSEC: 1e6,
  NSEC_PER_SEC: 1e9,
};

/** The value of a C integer expression of literals, unit constants, + - * / << and brackets; undefined for anything else. */
export function evaluate(text: string): number | undefined {
  if (text.length > 200) return undefined;
  const tokens = text.match(/\w+|<<|[^\s\w]/g) ?? [];
  const reader = { tokens, at: 0, depth: 0 };
  const value = sum(reader);
  return reader.at === tokens.length && value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

type Reader = { readonly tokens: readonly string[]; at: number; depth: number };

function sum(reader: Reader): number | undefined {
  return chain(reader, product, { '+': (a, b) => a + b, '-': (a, b) => a - b });
}

function product(reader: Reader): number | undefined {
  return chain(reader, atom, {
    '*': (a, b) => a * b,
    '/': (a, b) => Math.trunc(a / b),
    '<<': (a, b) => a * 2 ** b,
  });
}

function chain(
  reader: Reader,
  next: (reader: Reader) => number | undefined,
  operators: Readonly<Record<string, (a: number, b: number) => number>>,
): number | undefined {
  let left = next(reader);
  for (;;) {
    const operator = operators[reader.tokens[reader.at] ?? ''];
    if (operator === undefined || left === undefined) return left;
    reader.at++;
    const right = next(reader);
    left = right === undefined ? undefined : operator(left, right);
  }
}

function atom(reader: Reader): number | undefined {
  const token = reader.tokens[reader.at++];
  if (token === undefined) return undefined;
  if (token === '(') {
    if (++reader.depth > 20) return undefined;
    const value = sum(reader);
    reader.depth--;
    return reader.tokens[reader.at++] === ')' ? value : undefined;
  }
  if (token === '-') {
    if (++reader.depth > 20) return undefined;
    const value = atom(reader);
    reader.depth--;
    return value === undefined ? undefined : -value;
  }
  const literal = /^(0x[\da-f]{1,13}|\d{1,15})[ul]{0,3}$/i.exec(token)?.[1];
  return literal === undefined ? constants[token] : Number(literal);
}

const keywords = new Set([
  'break',
  'case',
  'continue',
  'default',
  'do',
  'else',
  'for',
  'goto',
  'if',
  'return',
  'switch',
  'while',
]);

/** Whether a line of code starts with a word that begins a statement. */
export function startsStatement(code: string): boolean {
  return keywords.has(/^[a-z]+\b/.exec(code.trimStart())?.[0] ?? '');
}

const macro =
  /^(?:(?:static|extern|const)\s+)*(?:DECLARE_[A-Z]\w*|DEFINE_[A-Z]\w*|LIST_HEAD|HLIST_HEAD|\w+_ON_STACK|DEFINE)\s*\(/;
const pointer = /^(?:[A-Za-z_]\w*[\s*]+){1,6}\(\s*\*\s*\w+\s*(?:\[[^\]]*\]\s*)?\)\s*[(=;]/;
const words = /^(?:[A-Za-z_]\w*[\s*]+){1,7}[A-Za-z_]\w*\s*[=,;:[]/;
const single = /^(?:[A-Za-z_]\w*[\s*]+){1,7}[A-Za-z_]\w*\s*[=;]/;

/** Whether a line of code (comments and strings blanked) declares variables, as far as one line tells. */
export function isDeclaration(code: string): boolean {
  const text = code.trimStart();
  if (text.length > 400 || startsStatement(text)) return false;
  return macro.test(text) || words.test(text) || pointer.test(text);
}

/** Whether the line declares one variable and no parameter: `int count;`, `u8 *next = buf;`. */
export function declaresOne(code: string): boolean {
  const text = code.trimStart();
  return text.length <= 400 && !startsStatement(text) && !text.startsWith('typedef') && single.test(text);
}

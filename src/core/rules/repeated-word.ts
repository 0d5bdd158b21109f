import { addedLines } from './code-lines.js';
import { logLines } from './log-lines.js';
import type { Rule } from './finding.js';

// Words that may stand twice: English, C, and columns of dumps.
const fine = new Set([
  'that',
  'had',
  'long',
  'struct',
  'union',
  'enum',
  'bla',
  'blah',
  'very',
  'really',
  'so',
  'no',
  'bye',
]);

export const repeatedWord: Rule = {
  id: 'repeated-word',
  title: 'The same word twice',
  nit: true,
  why: 'A slip of the pen that readers stumble over.',
  instead: 'Drop one of the two.',
  level: 'warning',
  confidence: 'low',
  source: 'scripts/checkpatch.pl REPEATED_WORD @ v7.3',
  since: '0.1.0',
  checkpatch: 'REPEATED_WORD',
  default: false,

  *check(input) {
    for (const { text, mailLine } of logLines(input).log) {
      const word = twice(text);
      if (word !== undefined) yield { mailLine, text: `"${word}" stands twice.`, key: word };
    }
    for (const { raw, line, file } of addedLines(input.patch)) {
      const word = twice(raw);
      if (word === undefined) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: `"${word}" stands twice.`, key: word };
    }
  },
};

function twice(text: string): string | undefined {
  if (!/\b([A-Za-z]{2,}) \1\b/i.test(text)) return undefined;
  for (const match of text.matchAll(/\b([A-Za-z]{2,}) (?=([A-Za-z]{2,})\b)/g)) {
    const [, first = '', second = ''] = match;
    if (first.toLowerCase() !== second.toLowerCase() || fine.has(first.toLowerCase())) continue;
    if (/^[0-9a-f]+$/i.test(first)) continue;
    if (/\b(?:struct|union|enum) $/.test(text.slice(0, match.index))) continue;
    const before = text[match.index - 1];
    const after = text[match.index + match[0].length + second.length];
    if (before === '.' || before === '/' || before === '-' || after === '-' || after === '_' || after === ':') continue;
    return first;
  }
  return undefined;
}

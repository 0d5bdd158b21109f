import { addedLines, commentMark, newSideNeighbour, type CodeLine } from './code-lines.js';
import { logLines } from './log-lines.js';
import type { Rule } from './finding.js';

// Words that may stand twice: C types, and the columns of a dump, of which only these are English.
const fine = new Set(['long', 'struct', 'union', 'enum']);
const english = new Set(['be', 'bad', 'add', 'added']);

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
    const { log, signedOff } = logLines(input);
    for (const { text, mailLine } of signedOff ? log.slice(0, -1) : log) {
      const word = twice(text);
      if (word !== undefined) yield { mailLine, text: `"${word}" stands twice.`, key: word };
    }
    for (const added of addedLines(input.patch)) {
      const { raw, line, file } = added;
      const word = twice(raw) ?? acrossLines(added);
      if (word === undefined) continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: `"${word}" stands twice.`, key: word };
    }
  },
};

// The last word of a comment's line and the first of its next.
function acrossLines(added: CodeLine): string | undefined {
  if (!added.code.trimStart().startsWith(commentMark)) return undefined;
  const word = /^\s*\*\s*([a-z]{2,})\s/.exec(added.raw)?.[1];
  const above = word === undefined ? undefined : newSideNeighbour(added, -1)?.text.trimEnd();
  if (word === undefined || above?.endsWith(word) !== true) return undefined;
  return /\w/.test(above.charAt(above.length - word.length - 1)) ? undefined : word;
}

// `ls -l` prints owner and group, which are often the same.
const permissions = /[r-][w-][x-][r-][w-][xsS-][r-][w-][xtT-]/;

function twice(text: string): string | undefined {
  let start = 0;
  for (let space = text.indexOf(' '); space !== -1; space = text.indexOf(' ', space + 1)) {
    // Most pairs differ in their first letter already, and most words begin after a space.
    const from = Math.max(start, text.lastIndexOf('\t', space) + 1);
    if (space - from > 1 && isSameLetter(text, from, space + 1)) {
      const first = text.slice(from, space);
      if (isTwice(first, text, space)) return first;
    }
    start = space + 1;
  }
  return undefined;
}

function isTwice(first: string, text: string, space: number): boolean {
  const second = text.slice(space + 1, space + 1 + first.length);
  const word = first.toLowerCase();
  if (word !== second.toLowerCase() || !isWord(first) || !isWord(second)) return false;
  if (/^[^!.,;?\s]/.test(text.slice(space + 1 + first.length))) return false;
  if (fine.has(word) || (/^[a-f]+$/.test(word) && !english.has(word))) return false;
  return !/\b(?:struct|union|enum) $/.test(text.slice(0, space - first.length)) && !permissions.test(text);
}

function isSameLetter(text: string, one: number, other: number): boolean {
  return (text.charCodeAt(one) | 32) === (text.charCodeAt(other) | 32);
}

// At least two small letters: `Id id` and `IS is` are names more often than slips.
function isWord(text: string): boolean {
  return /^[A-Z]?[a-z]{2,}$/.test(text);
}

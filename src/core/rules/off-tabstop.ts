import { addedIn } from './code-lines.js';
import { declaresOne, startsStatement } from './declarations.js';
import type { Rule } from './finding.js';

export const offTabstop: Rule = {
  id: 'off-tabstop',
  title: 'Statement that does not start on a tab stop',
  nit: true,
  why: 'The indent shows the nesting only if every level is one tab.',
  instead: 'Indent the statement with tabs alone.',
  level: 'warning',
  confidence: 'low',
  source: 'Documentation/process/coding-style.rst, Indentation @ v6.12',
  since: '0.1.0',
  checkpatch: 'TABSTOP',
  default: false,

  *check({ patch }) {
    for (const { code, line, file } of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      const match = /^\t+( +)(\S.*)$/.exec(code);
      if (match === null || (match[1] ?? '').length % 8 === 0) continue;
      const statement = (match[2] ?? '').trimEnd();
      const block = statement === '{' || /^\}\s*(?:else\b|while\b|$)/.test(statement);
      if (!block && !startsStatement(statement) && !declaresOne(statement)) continue;
      const { newNumber, mailLine } = line;
      yield {
        file: file.path,
        line: newNumber,
        mailLine,
        text: 'The statement starts between tab stops.',
        key: statement,
      };
    }
  },
};

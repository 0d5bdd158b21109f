import { addedIn } from './code-lines.js';
import type { Rule } from './finding.js';

export const spaceIndent: Rule = {
  id: 'space-indent',
  title: 'Indented with spaces where tabs are used',
  nit: true,
  why: 'Indentation in the kernel is tabs of eight columns.',
  instead: 'Indent with tabs.',
  level: 'error',
  confidence: 'medium',
  source: 'Documentation/process/coding-style.rst, Indentation @ v6.12',
  since: '0.1.0',
  checkpatch: 'CODE_INDENT',
  default: false,

  *check({ patch }) {
    for (const { raw, line, file } of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      const indent = /^\s*/.exec(raw)?.[0] ?? '';
      if (indent === '' || !(/ {8}/.test(indent) || (indent.includes(' \t') && indent.length < raw.length))) continue;
      const { newNumber, mailLine } = line;
      yield {
        file: file.path,
        line: newNumber,
        mailLine,
        text: 'The indent has spaces where a tab fits.',
        key: raw.trim(),
      };
    }
  },
};

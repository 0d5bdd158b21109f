import { addedIn, commentMark } from './code-lines.js';
import type { Rule } from './finding.js';

export const leadingSpace: Rule = {
  id: 'leading-space',
  title: 'Line of code that begins with a space',
  nit: true,
  why: 'Indentation in the kernel is tabs; spaces only align what is continued.',
  instead: 'Indent with tabs.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/coding-style.rst, Indentation @ v6.12',
  since: '0.1.0',
  checkpatch: 'LEADING_SPACE',
  default: false,

  *check({ patch }) {
    for (const { raw, code, line, file } of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      const first = code.trimStart()[0];
      if (!raw.startsWith(' ')) continue;
      const comment = first === commentMark || (first === undefined && code.includes(commentMark));
      if (comment && !/^ +\t\s*\/[/*]/.test(raw)) continue;
      // One space before a label keeps diff from taking it for a function; one before # nests directives.
      if (/^ +\w+:\s*$|^ \w+:/.test(raw) || first === '#') continue;
      const { newNumber, mailLine } = line;
      yield { file: file.path, line: newNumber, mailLine, text: 'The line begins with a space.', key: raw.trim() };
    }
  },
};

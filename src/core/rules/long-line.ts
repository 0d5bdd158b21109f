import { longest, longLines } from './long-lines.js';
import type { Rule } from './finding.js';

export const longLine: Rule = {
  id: 'long-line',
  title: 'Line longer than 100 columns',
  nit: true,
  why: 'Long lines are hard to read beside a mail and in a review.',
  instead: 'Break the line where it reads well, or nest less.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/coding-style.rst, Breaking long lines and strings @ v6.12',
  since: '0.1.0',
  checkpatch: 'LONG_LINE',
  default: false,

  *check({ patch }) {
    for (const { kind, width, raw, line, file } of longLines(patch)) {
      if (kind !== 'code') continue;
      const { newNumber, mailLine } = line;
      const text = `The line is ${width} columns wide; ${longest} is the limit.`;
      yield { file: file.path, line: newNumber, mailLine, text, key: raw.trim() };
    }
  },
};

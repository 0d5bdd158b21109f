import { longest, longLines } from './long-lines.js';
import type { Rule } from './finding.js';

export const longCommentLine: Rule = {
  id: 'long-comment-line',
  title: 'Comment that runs over 100 columns',
  nit: true,
  why: 'Long lines are hard to read beside a mail and in a review.',
  instead: 'Put the comment above the line.',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/coding-style.rst, Breaking long lines and strings @ v6.12',
  since: '0.1.0',
  checkpatch: 'LONG_LINE_COMMENT',
  default: false,

  *check({ patch }) {
    for (const { kind, width, raw, line, file } of longLines(patch)) {
      if (kind !== 'comment') continue;
      const { newNumber, mailLine } = line;
      const text = `With its comment the line is ${width} columns wide; ${longest} is the limit.`;
      yield { file: file.path, line: newNumber, mailLine, text, key: raw.trim() };
    }
  },
};

import { addedIn, codesOf, newSideIndex } from './code-lines.js';
import type { Rule } from './finding.js';

// What belongs to the function above it.
const belongs =
  /^\s*(?:EXPORT_SYMBOL|early_param|ALLOW_ERROR_INJECTION|MODULE_|module_|DECLARE|__setup|builtin_\w*driver|#\s*(?:end|elif|else))|^[a-z_]*init|^\s*(?:static\s+)?[A-Z_]*ATTR/;

export const noBlankAfterFunction: Rule = {
  id: 'no-blank-after-function',
  title: 'No blank line after a function or structure',
  nit: true,
  why: 'Functions are set apart by one blank line.',
  instead: 'Put a blank line after the closing brace.',
  level: 'note',
  confidence: 'low',
  source: 'Documentation/process/coding-style.rst, Functions @ v6.12',
  since: '0.1.0',
  checkpatch: 'LINE_SPACING',
  default: false,

  *check({ patch }) {
    for (const added of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      const { code, hunk, line, file } = added;
      if (code.trim() === '' || belongs.test(code)) continue;
      const before = newSideIndex(added, -1);
      if (before === undefined || !/^\};?\s*$/.test(codesOf(hunk)[before] ?? '')) continue;
      const { newNumber, mailLine } = line;
      yield {
        file: file.path,
        line: newNumber,
        mailLine,
        text: 'No blank line follows the closing brace.',
        key: code.trim(),
      };
    }
  },
};

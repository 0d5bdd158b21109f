import { addedIn, codesOf, newSideIndex } from './code-lines.js';
import { isDeclaration } from './declarations.js';
import type { Rule } from './finding.js';

export const noBlankAfterDeclarations: Rule = {
  id: 'no-blank-after-declarations',
  title: 'No blank line after declarations',
  nit: true,
  why: 'The kernel sets declarations apart from the code that follows.',
  instead: 'Put a blank line after the declarations.',
  level: 'warning',
  confidence: 'low',
  source: 'scripts/checkpatch.pl LINE_SPACING @ v7.3',
  since: '0.1.0',
  checkpatch: 'LINE_SPACING',
  default: false,

  *check({ patch }) {
    for (const added of addedIn(patch, 'h', 'c', 'dts', 'dtsi')) {
      const { code, hunk, line, file } = added;
      const before = newSideIndex(added, -1);
      if (before === undefined || hunk.lines[before]?.kind !== 'added') continue;
      const above = codesOf(hunk)[before] ?? '';
      if (indentOf(above) === '' || indentOf(above) !== indentOf(code)) continue;
      if (!endsDeclaration(above) || continuesDeclaration(code)) continue;
      const { newNumber, mailLine } = line;
      yield {
        file: file.path,
        line: newNumber,
        mailLine,
        text: 'Code follows declarations without a blank line.',
        key: code.trim(),
      };
    }
  },
};

function indentOf(code: string): string {
  return /^\s*/.exec(code)?.[0] ?? '';
}

function endsDeclaration(above: string): boolean {
  if (!isDeclaration(above) || /^\s*typedef\b/.test(above)) return false;
  const end = above.trimEnd();
  return !/[{\\]$/.test(end) && !/[=!<>&|^+\-*/%?:,]$/.test(end);
}

function continuesDeclaration(code: string): boolean {
  const text = code.trim();
  if (text === '' || isDeclaration(text)) return true;
  // `return ret;` has the shape of a declaration, and a function of two lines needs no blank line.
  if (/^(?:return|goto|else|case|do)\s+\*?[A-Za-z_]\w*\s*[=,;[]/.test(text)) return true;
  if (/^(?:static\s+)?(?:const\s+)?(?:union|struct|enum|typedef)\b/.test(text)) return true;
  if (/^[{}.#"?:([\u001c]/.test(text) || /^\w+\s*:\s*\d+\s*[,;]/.test(text)) return true;
  return /^\(?\s*[=!<>&|^+\-*/%]/.test(text);
}

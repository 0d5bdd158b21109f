import { parsePatches, type Patch } from '../../src/core/patch/index.js';
import { mailOf } from './mail-text.js';

/** One hunk of one file as a mail's patches: `lines` as in a diff, counts worked out. */
export function patchOf(
  lines: readonly string[],
  options: { file?: string; section?: string; oldStart?: number; title?: string } = {},
): readonly Patch[] {
  return parsePatches(mailOf(diffOf([{ lines, ...options }], options.title), subjectOf(options.title))).patches;
}

/** Several hunks, of one file or of more. */
export function patchOfHunks(hunks: readonly Part[], title?: string): readonly Patch[] {
  return parsePatches(mailOf(diffOf(hunks, title), subjectOf(title))).patches;
}

type Part = {
  readonly lines: readonly string[];
  readonly file?: string;
  readonly section?: string;
  readonly oldStart?: number;
};

function subjectOf(title = 'toy: change a wait'): { subject: string } {
  return { subject: `[PATCH] ${title}` };
}

function diffOf(hunks: readonly Part[], title = 'toy: change a wait'): string {
  const out = [`${title}.`, '', 'Signed-off-by: Ada Example <ada@example.org>', '---'];
  let last = '';
  for (const { lines, file = 'drivers/toy/toy.c', section = '', oldStart = 100 } of hunks) {
    if (file !== last) out.push(`diff --git a/${file} b/${file}`, `--- a/${file}`, `+++ b/${file}`);
    last = file;
    const old = lines.filter((l) => !l.startsWith('+')).length;
    const fresh = lines.filter((l) => !l.startsWith('-')).length;
    out.push(`@@ -${oldStart},${old} +${oldStart},${fresh} @@ ${section}`, ...lines);
  }
  return `${out.join('\n')}\n-- \n2.43.0\n`;
}

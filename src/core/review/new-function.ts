import type { DelayChange } from '../delay/index.js';
import type { HunkLine, Patch } from '../patch/index.js';

/**
 * Changes that add a wait within a function, or under a condition, which the patch itself adds: new code in an old file, a quirk, a
 * line that some boards have. Its author has just thought about the wait, and no boot has been any different yet.
 */
export function markNewFunctions(changes: readonly DelayChange[], patches: readonly Patch[]): DelayChange[] {
  return changes.map((change) =>
    isInNewFunction(change, patches) ? { ...change, inNewFunction: true as const } : change,
  );
}

function isInNewFunction(change: DelayChange, patches: readonly Patch[]): boolean {
  const { effect, function: name, newLine } = change;
  if (effect !== 'added' || name === undefined || newLine === undefined) return false;
  const file = patches[change.patch]?.files.find(({ path }) => path === change.file);
  for (const hunk of file?.hunks ?? []) {
    const at = hunk.lines.findIndex((line) => line.newNumber === newLine && line.kind === 'added');
    if (at >= 0) return opensAbove(hunk.lines, at, name);
  }
  return false;
}

/**
 * Only added lines stand between the wait and the line that opens its function, a name at the margin with a parenthesis, or the
 * condition around it, less indented.
 */
function opensAbove(lines: readonly HunkLine[], from: number, name: string): boolean {
  const depth = depthOf(lines[from]?.text ?? '');
  for (let at = from; at >= 0; at--) {
    const line = lines[at];
    if (line === undefined || line.kind === 'context') return false;
    if (line.kind === 'removed') continue;
    if (/^[A-Za-z_]/.test(line.text) && line.text.includes(`${name}(`)) return true;
    if (/^\s+(?:\} ?else )?(?:if|switch) ?\(/.test(line.text) && depthOf(line.text) < depth) return true;
  }
  return false;
}

function depthOf(text: string): number {
  return /^\s*/.exec(text)?.[0].length ?? 0;
}

import type { Hunk, HunkLine, Patch, PatchFile } from './patch.js';

/**
 * Prints a patch as mail text that parsePatches reads as the same patch: in-body From and Subject, log, `---`, notes, diff
 * and marks. What was dropped as damaged is not in it.
 */
export function renderPatch(patch: Patch): string {
  const out: string[] = [];
  const { author, prefix, title } = patch;
  if (author !== undefined) out.push(`From: ${renderName(author.name)}<${author.address}>`);
  if (title !== '' || prefix !== '') out.push(`Subject: ${prefix === '' ? '' : `[${prefix}] `}${title}`);
  if (out.length > 0) out.push('');
  out.push(...patch.log.lines, '---', ...patch.notes.lines, '');
  for (const file of patch.files) out.push(...renderFile(file));
  out.push('');
  if (patch.baseCommit !== undefined) out.push(`base-commit: ${patch.baseCommit}`);
  if (patch.changeId !== undefined) out.push(`change-id: ${patch.changeId}`);
  out.push('-- ', '');
  return out.join('\n');
}

function renderName(name: string): string {
  if (name === '') return '';
  return /^[\w .'-]+$/.test(name) && name === name.trim() ? `${name} ` : `"${name.replace(/["\\]/g, '\\$&')}" `;
}

function renderFile(file: PatchFile): string[] {
  const { status, binary, hunks } = file;
  const old = quote(`a/${file.oldPath ?? file.path}`);
  const fresh = quote(`b/${file.path}`);
  const out = isPlain(file) ? [] : [`diff --git ${old} ${fresh}`, ...extendedHeader(file)];
  if (binary) out.push(`Binary files ${old} and ${fresh} differ`);
  if (hunks.length > 0) {
    out.push(`--- ${status === 'added' ? '/dev/null' : old}`, `+++ ${status === 'deleted' ? '/dev/null' : fresh}`);
  }
  for (const hunk of hunks) out.push(...renderHunk(hunk));
  return out;
}

/** A diff that had no git header: nothing is known that one would say. */
function isPlain({ status, oldMode, newMode, binary, hunks }: PatchFile): boolean {
  const isBare = oldMode === undefined && newMode === undefined && !binary && hunks.length > 0;
  return isBare && (status === 'modified' || status === 'added' || status === 'deleted');
}

function extendedHeader(file: PatchFile): string[] {
  const { status, oldMode, newMode } = file;
  const out: string[] = [];
  if (status === 'added') out.push(`new file mode ${newMode ?? '100644'}`);
  else if (status === 'deleted') out.push(`deleted file mode ${oldMode ?? '100644'}`);
  else if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    out.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  }
  if (status === 'renamed' || status === 'copied') {
    const verb = status === 'renamed' ? 'rename' : 'copy';
    out.push(`${verb} from ${quote(file.oldPath ?? file.path)}`, `${verb} to ${quote(file.path)}`);
  }
  const isKept = status !== 'added' && status !== 'deleted' && oldMode !== undefined && oldMode === newMode;
  if (isKept) out.push(`index 0000000..0000000 ${oldMode}`);
  return out;
}

function renderHunk(hunk: Hunk): string[] {
  const section = hunk.section === '' ? '' : ` ${hunk.section}`;
  const out = [`@@ -${hunk.oldStart},${hunk.oldCount} +${hunk.newStart},${hunk.newCount} @@${section}`];
  for (const line of hunk.lines) {
    out.push(signOf(line) + line.text);
    if (line.noNewline) out.push('\\ No newline at end of file');
  }
  return out;
}

function signOf(line: HunkLine): string {
  switch (line.kind) {
    case 'context':
      return ' ';
    case 'added':
      return '+';
    case 'removed':
      return '-';
    default:
      return line.kind satisfies never;
  }
}

/** C-quotes a name as git does where it must be (quote.c); a blank in it too, so that nothing after it is taken off. */
function quote(name: string): string {
  if (/^[\w./+@,=~#%-]+$/.test(name)) return name;
  const bytes = new TextEncoder().encode(name);
  return `"${Array.from(bytes, quoteByte).join('')}"`;
}

function quoteByte(byte: number): string {
  if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

import { addedIn, commentMark, sources, type CodeLine } from './code-lines.js';
import type { Patch } from '../patch/index.js';

export const longest = 100;

export type LongLine = CodeLine & { readonly kind: 'code' | 'comment' | 'string'; readonly width: number };

const kept = new WeakMap<Patch, readonly LongLine[]>();

/** The added lines over 100 columns that may not be so long, by what stands at their end. */
export function longLines(patch: Patch): readonly LongLine[] {
  const known = kept.get(patch);
  if (known !== undefined) return known;
  const found: LongLine[] = [];
  for (const line of addedIn(patch, ...sources)) {
    if (line.raw.length * 8 <= longest) continue;
    const width = widthOf(line.raw);
    if (width <= longest) continue;
    const kind = kindOf(line);
    if (kind !== undefined) found.push({ ...line, kind, width });
  }
  kept.set(patch, found);
  return found;
}

/** Columns of a line with a tab stop at every eighth. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width = char === '\t' ? width + 8 - (width % 8) : width + 1;
  return width;
}

const logging =
  /^\s*(?:printk\w*|\w+_(?:printk|emerg|alert|crit|err|error|warn|warning|notice|info|debug|dbg|vdbg|devel|cont)(?:_ratelimited|_once|_deferred|_rcu)?|WARN\w*|BUG\w*|panic|MODULE_[A-Z_]+|seq_printf|seq_puts|seq_vprintf)\s*\(/;
const ends = /^(?:,|\)\s*;)?$/;

// A string is not broken, so that it can be searched for; a URL cannot be.
function kindOf({ raw, code }: CodeLine): LongLine['kind'] | undefined {
  if (/\b[a-z][\w.+-]*:\/\/\S/i.test(raw) || /^\s*(?:EFI_GUID\s*\(|DEFINE_PER_CPU)/.test(code)) return undefined;
  if (/^#define\s+\w+\s+EFI_GUID\b/.test(code)) return undefined;
  const last = lastString(code);
  if (last !== undefined && ends.test(last.after.trim())) {
    if (/^\s*$/.test(last.before) || (last.after === '' && /^\s*#\s*define\s+\w+\s*$/.test(last.before)))
      return undefined;
    if (logging.test(code) && widthOf(last.before) <= longest) return undefined;
  }
  const comment = endingComment(code);
  if (comment !== undefined && widthOf(comment) <= longest) return 'comment';
  if (last !== undefined && /^(?:\\|,|\)\s*;)?$/.test(last.after.trim()) && widthOf(last.before) <= longest)
    return 'string';
  return 'code';
}

function lastString(code: string): { before: string; after: string } | undefined {
  const close = code.lastIndexOf('"');
  const open = close <= 0 ? -1 : code.lastIndexOf('"', close - 1);
  return open === -1 ? undefined : { before: code.slice(0, open), after: code.slice(close + 1) };
}

/** What stands before the comment that ends the line. */
function endingComment(code: string): string | undefined {
  let at = code.length;
  while (at > 0 && (code[at - 1] === commentMark || /\s/.test(code[at - 1] ?? ''))) at--;
  const begin = code.indexOf(commentMark, at);
  return begin === -1 ? undefined : code.slice(0, begin);
}

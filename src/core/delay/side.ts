import {
  enclosing,
  functionAt,
  readFragment,
  sectionFunction,
  type Block,
  type CParser,
  type Fragment,
} from '../csource/index.js';
import type { Hunk, HunkLine, PatchFile } from '../patch/index.js';
import type { Flavour } from './catalogue.js';
import type { Language } from './flavour.js';

export type Which = 'old' | 'new';

/** One side of one hunk, read. `lines[i]` is line i of the fragment's text. */
export type Side = {
  readonly which: Which;
  readonly patch: number;
  readonly file: PatchFile;
  readonly hunk: number;
  readonly section: string;
  readonly flavour: Flavour;
  readonly language: Language;
  readonly lines: readonly HunkLine[];
  readonly fragment: Fragment;
};

/** A hunk before and after. */
export type Both = { readonly old: Side; readonly new: Side };

/** Reads both sides of a hunk. */
export function readSides(
  hunk: Hunk,
  at: { patch: number; file: PatchFile; hunk: number; flavour: Flavour; language: Language },
  parser: CParser | undefined,
  before: Both | undefined,
): Both {
  return { old: side('old'), new: side('new') };

  function side(which: Which): Side {
    const skip = which === 'old' ? 'added' : 'removed';
    const lines = hunk.lines.filter((l) => l.kind !== skip);
    const text = lines.map((l) => l.text).join('\n');
    return {
      ...at,
      which,
      section: hunk.section,
      lines,
      fragment: readFragment(text, hunk.section, {
        ...(parser === undefined ? {} : { parser }),
        ...(before === undefined ? {} : { before: before[which].fragment }),
      }),
    };
  }
}

/** Whether any line from `from` to `to` (0-based in the side) is added or removed. */
export function isTouched(side: Side, from: number, to: number): boolean {
  for (let i = from; i <= to; i++) {
    const line = side.lines[i];
    if (line !== undefined && line.kind !== 'context') return true;
  }
  return false;
}

/** Where something stands: the function, the loops around it, its guards. */
export type Place = {
  readonly function?: string;
  readonly loops: readonly Block[];
  readonly guards: readonly Block[];
  readonly blocks: readonly Block[];
};

export function placeOf(side: Side, offset: number): Place {
  const around = enclosing(side.fragment, offset);
  const inner = around.slice(around.findLastIndex((b) => b.kind === 'function') + 1);
  const name = functionAt(side.fragment, offset);
  return {
    ...(name === undefined ? {} : { function: name }),
    loops: inner.filter((b) => b.kind === 'loop'),
    guards: inner.filter((b) => b.kind === 'if' || b.kind === 'else' || b.kind === 'switch' || b.kind === 'ifdef'),
    blocks: inner,
  };
}

/** The function around an offset of a side. */
export function functionOf(side: Side, offset: number): string | undefined {
  return functionAt(side.fragment, offset);
}

export { sectionFunction };

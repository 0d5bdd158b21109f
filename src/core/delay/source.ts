import { readFragment } from '../csource/index.js';
import type { PatchFile } from '../patch/index.js';
import type { ArgumentUnit, Catalogue } from './catalogue.js';
import type { Bound, Wait, WaitKind } from './change.js';
import { unitByUse, usesName } from './constant-unit.js';
import { loopBound } from './loop.js';
import { gather } from './scope.js';
import type { Side } from './side.js';
import { findSites, type Site } from './site.js';

/** One wait of a whole source file, not of a patch. */
export type SourceWait = {
  readonly kind: WaitKind;
  readonly wait: Wait;
  readonly function?: string;
  /** 1-based. */
  readonly line: number;
  /** The loop around it; `poll` for a call that loops by itself. */
  readonly loop?: { readonly shape: 'for' | 'while' | 'do' | 'each' | 'poll'; readonly bound: Bound };
};

const WHOLE_FILE = 4 * 1024 * 1024;

/** A kernel source file as a side of a diff in which every line is context. */
function sideOf(path: string, text: string): Side {
  const file: PatchFile = { path, status: 'modified', binary: false, added: 0, removed: 0, mailLine: 0, hunks: [] };
  const fragment = readFragment(text, '', { cap: WHOLE_FILE });
  return { which: 'new', patch: 0, file, hunk: 0, section: '', flavour: 'linux', language: 'c', lines: [], fragment };
}

/** Every delaying call of a source file, by the block scanner alone. */
export function waitsOfSource(path: string, text: string, catalogue: Catalogue): SourceWait[] {
  const side = sideOf(path, text);
  const scope = gather([side]);
  return findSites(side, catalogue, scope).flatMap((site) => {
    if (site.source !== 'call') return [];
    const loop = site.place.loops.at(-1);
    const name = site.place.function;
    return [
      {
        kind: site.kind,
        wait: site.wait,
        ...(name === undefined ? {} : { function: name }),
        line: site.line + 1,
        ...(site.entry?.kind === 'poll'
          ? { loop: { shape: 'poll' as const, bound: 'deadline' as const } }
          : loop?.loop === undefined
            ? {}
            : { loop: { shape: loop.loop, bound: loopBound(side, loop, scope).bound } }),
      },
    ];
  });
}

/** The unit of a constant by the calls of a source file that wait by it; nothing where none does, or where they differ. */
export function unitInSource(name: string, text: string, catalogue: Catalogue): ArgumentUnit | undefined {
  const side = sideOf('', text);
  const sites: Site[] = findSites(side, catalogue, gather([side]));
  const units = new Set(sites.flatMap((s) => (usesName(s, name) ? (unitByUse(s, name) ?? []) : [])));
  const [only] = units;
  return units.size === 1 ? only : undefined;
}

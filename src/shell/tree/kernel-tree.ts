import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  askedOf,
  resolveChanges,
  unitInSource,
  type Catalogue,
  type DelayChange,
  type TreeAnswer,
} from '../../core/delay/index.js';
import { Failure } from '../config/index.js';
import { openConstants } from './constants.js';
import { siblingsOf } from './rank.js';
import { openSubjects, type Subjects } from './subjects.js';
import { pollIndex, vendorsOf, type Poll } from './siblings.js';

/** A kernel tree that answers what the changes of a mail leave open. */
export type KernelTree = {
  /** The kernel's version by its Makefile, `6.12.1`, or the folder's name. */
  readonly version: string;
  /** One answer a change; where nothing is open, an answer without constants. */
  answer(changes: readonly DelayChange[]): TreeAnswer[];
  /** Summaries of the last commits to some files, newest first; undefined where there is no history. */
  readonly subjects: Subjects;
};

export type TreeOptions = {
  readonly catalogue: Catalogue;
  /** Names the catalogue: an index made with another one is not used. */
  readonly hash: string;
  /** Where indexes are kept; absent: $XDG_CACHE_HOME/reveille. */
  readonly cache?: string;
  readonly say?: (text: string) => void;
};

/** Opens a kernel tree; a folder without drivers/ and include/linux/ is none. */
export function openTree(folder: string, options: TreeOptions): KernelTree {
  const root = resolve(folder);
  const version = versionOf(root);
  if (version === undefined)
    throw new Failure('usage', `${folder}: no kernel tree is there (no drivers/ or no include/linux/)`);
  const constants = openConstants(root);
  let polls: readonly Poll[] | undefined;
  const allPolls = (): readonly Poll[] =>
    (polls ??= pollIndex(root, indexFile(root, version, options), {
      catalogue: options.catalogue,
      constants,
      say: options.say ?? (() => undefined),
    }));

  function answerOne(change: DelayChange): TreeAnswer {
    const { file, names, units } = askedOf(change);
    const text = constants.source(file);
    const told = units.flatMap((name) => {
      const unit = text === undefined ? undefined : unitInSource(name, text, options.catalogue);
      return unit === undefined ? [] : [[name, unit] as const];
    });
    const known: TreeAnswer = {
      constants: names.length === 0 ? {} : constants.lookUp(file, names),
      units: Object.fromEntries(told),
      siblings: [],
    };
    if (text === undefined || change.role.is !== 'poll-interval') return known;
    // Siblings are those that wait as long: so the interval comes first.
    const [resolved] = resolveChanges([change], [known]);
    return { ...known, siblings: siblingsOf(resolved ?? change, allPolls(), vendorsOf(text)) };
  }

  return {
    version,
    answer: (changes) => changes.map(answerOne),
    subjects: openSubjects(root, options.say ?? (() => undefined)),
  };
}

/** By its Makefile; a part of a tree without one goes by its folder's name. */
function versionOf(root: string): string | undefined {
  if (!existsSync(join(root, 'drivers')) || !existsSync(join(root, 'include', 'linux'))) return undefined;
  const path = join(root, 'Makefile');
  const text = existsSync(path) ? readFileSync(path, 'utf8').slice(0, 4000) : '';
  const part = (name: string): string => new RegExp(`^${name} *= *(\\S*)`, 'm').exec(text)?.[1] ?? '';
  const numbers = [part('VERSION'), part('PATCHLEVEL'), part('SUBLEVEL')].filter((p) => p !== '');
  return numbers.length === 0 ? basename(root) : `${numbers.join('.')}${part('EXTRAVERSION')}`;
}

/** One index a tree, version, commit and catalogue. */
function indexFile(root: string, version: string, options: TreeOptions): string {
  const folder = options.cache ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'reveille');
  const commit = headOf(root);
  const name = createHash('sha256').update(`1 ${root} ${version} ${commit} ${options.hash}`).digest('hex').slice(0, 16);
  return join(folder, `polls-${name}.json`);
}

/** What HEAD of a git tree points at, as it stands in its files; empty without git. */
function headOf(root: string): string {
  const head = join(root, '.git', 'HEAD');
  if (!existsSync(head)) return '';
  const text = readFileSync(head, 'utf8').trim();
  const reference = /^ref: (refs\/[\w./-]+)$/.exec(text)?.[1];
  const loose = reference === undefined ? '' : join(root, '.git', reference);
  return loose !== '' && existsSync(loose) ? readFileSync(loose, 'utf8').trim() : text;
}

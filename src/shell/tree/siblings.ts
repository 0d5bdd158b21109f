import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitsOfSource, type Catalogue, type SourceWait } from '../../core/delay/index.js';
import type { TreeConstants } from './constants.js';

/** One place of the tree that polls, as the index keeps it: spans in nanoseconds. */
export type Poll = {
  readonly file: string;
  readonly function?: string;
  readonly text: string;
  readonly line: number;
  readonly min?: number;
  readonly shape: string;
  readonly bound: string;
  readonly vendors: readonly string[];
};

const folders = ['arch', 'block', 'drivers', 'fs', 'net', 'sound'];
const WAITS = /(?:sleep|delay|schedule_timeout|poll_timeout)\w*\s*\(/;
const LOOPS = /\b(?:for|while|do)\b|poll_timeout/;

/** The index of polls: read from its file, or made once from the tree and written there. Nothing but time is lost without a file. */
export function pollIndex(
  root: string,
  file: string | undefined,
  made: { readonly catalogue: Catalogue; readonly constants: TreeConstants; readonly say: (text: string) => void },
): readonly Poll[] {
  const kept = file === undefined || !existsSync(file) ? undefined : readIndex(file);
  if (kept !== undefined) return kept;
  made.say(`reading the polls of ${root}: this is done once and takes about a minute`);
  const polls = folders
    .flatMap((folder) => sources(root, folder))
    .flatMap((path) => pollsOf(path, made.constants, made.catalogue));
  if (file !== undefined) writeIndex(file, polls, made.say);
  return polls;
}

function readIndex(file: string): readonly Poll[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly Poll[];
  } catch (error) {
    // A half-written or foreign file is made again.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function writeIndex(file: string, polls: readonly Poll[], say: (text: string) => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, JSON.stringify(polls));
    renameSync(fresh, file);
  } catch (error) {
    say(`the index cannot be kept: ${(error as Error).message}`);
  }
}

function sources(root: string, folder: string): string[] {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) return sources(root, inside);
      return entry.isFile() && entry.name.endsWith('.c') ? [inside] : [];
    });
}

/** The polls of one file of the tree. */
export function pollsOf(path: string, constants: TreeConstants, catalogue: Catalogue): Poll[] {
  const text = constants.source(path);
  if (text === undefined || !WAITS.test(text)) return [];
  const waits = waitsOfSource(path, pollingPart(text), catalogue).filter(isPoll);
  if (waits.length === 0) return [];
  const vendors = vendorsOf(text);
  return waits.map((w) => ({
    file: path,
    ...(w.function === undefined ? {} : { function: w.function }),
    text: w.wait.text.slice(0, 160),
    line: w.line,
    ...(w.wait.span === undefined ? {} : { min: w.wait.span.min }),
    shape: w.loop?.shape ?? '',
    bound: w.loop?.bound ?? '',
    vendors,
  }));
}

/**
 * The functions that may poll, and all directives; every other line is left empty, so that numbers stay. Reading whole files
 * instead takes ten times as long, and a function ends where the kernel's style puts its brace: in column 0.
 */
export function pollingPart(text: string): string {
  const parts = text.split(/^\}/m);
  return parts.map((part) => (WAITS.test(part) && LOOPS.test(part) ? part : directivesOf(part))).join('}');
}

function directivesOf(part: string): string {
  let goesOn = false;
  return part
    .split('\n')
    .map((line) => {
      const kept = goesOn || line.startsWith('#');
      goesOn = kept && line.endsWith('\\');
      return kept ? line : '';
    })
    .join('\n');
}

function isPoll(wait: SourceWait): boolean {
  if (wait.loop === undefined || wait.loop.shape === 'each') return false;
  return wait.kind === 'sleep' || wait.kind === 'busy' || wait.kind === 'poll-interval';
}

/** Holders of the copyright lines: the first word of each that is a name. */
export function vendorsOf(text: string): string[] {
  const found = new Set<string>();
  for (const line of text.slice(0, 6000).split('\n', 80)) {
    const at = /copyright|\(c\)/i.exec(line)?.index;
    if (at === undefined) continue;
    const holder = line
      .slice(at)
      .match(/[A-Za-z][\w-]{2,}/g)
      ?.find((w) => !/^(?:copyright|the|by|all|present|and)$/i.test(w));
    if (holder !== undefined && found.size < 4) found.add(holder.toLowerCase());
  }
  return [...found];
}

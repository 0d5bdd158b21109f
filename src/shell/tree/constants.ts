import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { findAssigns, findEnums, readDefine, tokenise } from '../../core/csource/index.js';

/** What the names of a kernel tree's files mean. */
export type TreeConstants = {
  /** The texts of these names as seen from a file, with the names that those texts need; one that nothing explains is absent. */
  lookUp(file: string, names: readonly string[]): Readonly<Record<string, string>>;
  /** A file of the tree; nothing where it is not there or too large. */
  source(file: string): string | undefined;
};

// Deeper than this the headers are the kernel's own, which no driver's delay is defined in.
const mostDepth = 3;
const mostFiles = 120;
const mostNames = 60;
const fileCap = 4 * 1024 * 1024;

/** Opens the constants of a tree. Files are read when they are asked for, and the last few hundred kept. */
export function openConstants(root: string): TreeConstants {
  const texts = new Map<string, string | undefined>();
  const tables = new Map<string, ReadonlyMap<string, string>>();

  function source(file: string): string | undefined {
    const path = normalize(file);
    if (path.startsWith('..') || path.startsWith('/')) return undefined;
    if (texts.has(path)) return texts.get(path);
    if (texts.size > 400) {
      texts.clear();
      tables.clear();
    }
    const text = readText(join(root, path));
    texts.set(path, text);
    return text;
  }

  function tableOf(file: string): ReadonlyMap<string, string> {
    const known = tables.get(file);
    if (known !== undefined) return known;
    const table = namesOf(source(file) ?? '');
    tables.set(file, table);
    return table;
  }

  function lookUp(file: string, names: readonly string[]): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    const seen = new Set<string>();
    const open = [...names];
    const files = filesFrom(file);
    while (open.length > 0 && seen.size < mostNames) {
      const name = open.pop();
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      const text = firstOf(files, memberOf(name) ?? name);
      if (text === undefined) continue;
      found[name] = text;
      for (const t of tokenise(text)) if (t.kind === 'name') open.push(t.text);
    }
    return found;
  }

  function firstOf(files: readonly string[], name: string): string | undefined {
    for (const file of files) {
      const text = tableOf(file).get(name);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The file itself, then what it includes, nearest first. */
  function filesFrom(file: string): string[] {
    const order = [normalize(file)];
    let from = 0;
    for (let depth = 0; depth < mostDepth; depth++) {
      const to = order.length;
      for (; from < to; from++) {
        for (const next of includesOf(order[from] ?? '')) {
          if (order.length >= mostFiles) return order;
          if (!order.includes(next)) order.push(next);
        }
      }
    }
    return order;
  }

  function includesOf(file: string): string[] {
    const text = source(file) ?? '';
    const found: string[] = [];
    for (const match of text.matchAll(/^[ \t]*#[ \t]*include[ \t]+(?:"([^"\n]{1,200})"|<([^>\n]{1,200})>)/gm)) {
      const beside = match[1];
      const candidates =
        beside === undefined
          ? [join('include', match[2] ?? ''), join('include/uapi', match[2] ?? '')]
          : [join(dirname(file), beside), join('include', beside)];
      const there = candidates.find((c) => existsSync(join(root, c)));
      if (there !== undefined) found.push(there);
    }
    return found;
  }

  return { lookUp, source };
}

function readText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const bytes = readFileSync(path);
    return bytes.length > fileCap ? undefined : bytes.toString('latin1');
  } catch (error) {
    // A name in a patch may be that of a folder.
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
    throw error;
  }
}

function memberOf(name: string): string | undefined {
  const member = /(?:->|\.)(\w+)$/.exec(name)?.[1];
  return member === undefined ? undefined : `.${member}`;
}

/** #defines without parameters, enum constants and constants of a file; members that are set to one thing only, as `.member`. */
function namesOf(text: string): Map<string, string> {
  const tokens = tokenise(text);
  const names = new Map<string, string>();
  const several = new Set<string>();
  for (const a of findAssigns(tokens)) {
    if (a.operator !== '=') continue;
    const member = memberOf(a.target);
    if (member === undefined) {
      if (a.constant) names.set(a.target, a.value);
      continue;
    }
    if (names.has(member) && names.get(member) !== a.value) several.add(member);
    names.set(member, a.value);
  }
  for (const member of several) names.delete(member);
  for (const e of findEnums(tokens)) names.set(e.name, e.value);
  for (const t of tokens) {
    const define = t.kind === 'directive' ? readDefine(t) : undefined;
    if (define !== undefined && define.params === undefined && define.body !== '') names.set(define.name, define.body);
  }
  return names;
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

// Top to bottom; a room imports only rooms above it. DESIGN section 3, changed only with an ADR.
const core = [
  'kernel',
  'mail',
  'patch',
  'csource',
  'delay',
  'sim',
  'evidence',
  'estimate',
  'rules',
  'review',
  'reply',
  'report',
];
const shell = ['config', 'source', 'tree', 'store', 'transport', 'bot', 'cli'];

// What the core may import beside itself: libraries that compute. node:crypto and node:zlib are used for hashes and
// for inflating attached logs: bytes in, bytes out.
const coreLibraries = new Set([
  'mailparser',
  'nodemailer/lib/addressparser',
  'parse-diff',
  'web-tree-sitter',
  'jstat',
  'zod',
  'd3-scale',
  'd3-shape',
  'node:crypto',
  'node:zlib',
]);

type Import = { from: string; to: string };

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return path.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier =
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (specifier !== undefined && ts.isStringLiteral(specifier)) found.push({ from: path, to: specifier.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `core/mail` for a file in it; undefined outside src/. */
function roomOf(path: string): string | undefined {
  const parts = relative(join(root, 'src'), path).split(sep);
  return parts[0] === '..' || parts.length < 3 ? undefined : `${parts[0]}/${parts[1]}`;
}

const order = [...core.map((r) => `core/${r}`), ...shell.map((r) => `shell/${r}`)];
const files = sources(join(root, 'src'));
const imports = files.flatMap(importsOf);

describe('architecture', () => {
  test('there is something to look at', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(imports.length).toBeGreaterThan(10);
  });

  test('every source file is in a room of the map', () => {
    const strays = files.filter((f) => !order.includes(roomOf(f) ?? ''));
    expect(strays.map((f) => relative(root, f))).toEqual([]);
  });

  test('a room imports only rooms above it, and only through their door', () => {
    const wrong: string[] = [];
    for (const { from, to } of imports) {
      if (!to.startsWith('.')) continue;
      const target = join(dirname(from), to);
      const mine = roomOf(from) ?? '';
      const theirs = roomOf(target) ?? '';
      if (mine === theirs) continue;
      const below = order.indexOf(theirs) > order.indexOf(mine);
      const door = target.endsWith(`${sep}index.js`);
      if (theirs === '' || below || !door) wrong.push(`${relative(root, from)} -> ${to}`);
    }
    expect(wrong).toEqual([]);
  });

  test('a door holds no code', () => {
    const wrong = files
      .filter((f) => f.endsWith(`${sep}index.ts`))
      .filter((f) => {
        const file = ts.createSourceFile(f, readFileSync(f, 'utf8'), ts.ScriptTarget.ES2022, true);
        return file.statements.some((s) => !ts.isExportDeclaration(s));
      });
    expect(wrong.map((f) => relative(root, f))).toEqual([]);
  });

  test('the core imports only libraries that compute', () => {
    const wrong = imports
      .filter(({ from, to }) => roomOf(from)?.startsWith('core/') && !to.startsWith('.') && !coreLibraries.has(to))
      .map(({ from, to }) => `${relative(root, from)} -> ${to}`);
    expect(wrong).toEqual([]);
  });

  test('no file is named for having no purpose', () => {
    const bad = /^(?:utils?|helpers?|common|shared|misc|types)\.ts$/;
    const wrong = [...files, ...sources(join(root, 'test'))].filter((f) => bad.test(f.split(sep).at(-1) ?? ''));
    // test/support/shared.ts is named for the folder ../shared.
    expect(wrong.map((f) => relative(root, f)).filter((f) => f !== join('test', 'support', 'shared.ts'))).toEqual([]);
  });

  test('ARCHITECTURE.md names every room', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const rooms = new Set(files.map((f) => roomOf(f)).filter((r): r is string => r !== undefined));
    const named = [...text.matchAll(/^\| `(\w+)\/` +\|/gm)].map((m) => m[1]);
    expect([...core, ...shell].filter((r) => !named.includes(r))).toEqual([]);
    expect([...rooms].filter((r) => !order.includes(r))).toEqual([]);
  });

  test('no registry host is named in the repository', () => {
    const names = ['package.json', 'package-lock.json', '.npmrc', 'Dockerfile', '.ci/run'];
    const found = names.filter((n) => {
      const text = readFileSync(join(root, n), 'utf8');
      return /registry\.npmjs|deb\.debian|npmmirror/.test(text);
    });
    expect(found).toEqual([]);
  });
});

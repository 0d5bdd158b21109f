import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The real checkpatch.pl: REVEILLE_CHECKPATCH, or that of Debian's linux-source, unpacked once; undefined where there is none. */
export function findCheckpatch(): string | undefined {
  const named = process.env['REVEILLE_CHECKPATCH'];
  if (named !== undefined && existsSync(named)) return named;
  const sources = '/usr/src';
  if (!existsSync(sources)) return undefined;
  const names = readdirSync(sources)
    .filter((name) => /^linux-source-[\d.]+/.test(name))
    .sort();
  for (const name of names) {
    const path = join(sources, name, 'scripts', 'checkpatch.pl');
    if (existsSync(path)) return path;
  }
  const archive = names.filter((name) => name.endsWith('.tar.xz')).at(-1);
  if (archive === undefined) return undefined;
  // Debian packs the tree: its scripts are taken out once.
  const version = archive.replace(/\.tar\.xz$/, '');
  const folder = join(tmpdir(), `reveille-${version}`);
  const path = join(folder, version, 'scripts', 'checkpatch.pl');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const wanted = ['checkpatch.pl', 'spelling.txt', 'const_structs.checkpatch'].map(
    (name) => `${version}/scripts/${name}`,
  );
  spawnSync('tar', ['xJf', join(sources, archive), '-C', folder, ...wanted]);
  return existsSync(path) ? path : undefined;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of our package.json: the same from src/ (tests) and from dist/ (installed). */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const up = dirname(folder);
    if (up === folder) throw new Error('package.json of reveille is missing');
    folder = up;
  }
  return folder;
}

/** The program's own version. */
export function programVersion(): string {
  // Our own file.
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

// What the gate scripts share: where we are, how a command is run, how npm packages get here.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Runs a command in the repository's folder; gives its exit status (a signal counts as 1). */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) {
    console.error(`cannot run ${command}: ${done.error.message}`);
    return 1;
  }
  return done.status ?? 1;
}

/** Runs a program that an npm package brought. */
export function tool(name, args, options = {}) {
  return run(join(root, 'node_modules', '.bin', name), args, options);
}

/** Installs the npm packages of the lock file unless they are there already. */
export function installPackages() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return 0;
  return run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { stdio: ['ignore', 2, 'inherit'] });
}

/** Compiles src/ to dist/, from nothing: a file that is gone from src/ must not live on in dist/. */
export function build() {
  return run(process.execPath, [join(root, 'test', 'gates', 'build.mjs')]);
}

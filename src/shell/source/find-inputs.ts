import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../config/index.js';

/** Something that mails are read from; `named` inputs were asked for by the user, others were found in a directory. */
export type Input = {
  readonly kind: 'file' | 'stdin' | 'inbox' | 'range';
  readonly path: string;
  readonly size: number | undefined;
  readonly named?: boolean;
};

/** What a path of the command line stands for. */
export async function findInputs(path: string, onProblem: (problem: Failure) => void): Promise<readonly Input[]> {
  if (path === '-') return [{ kind: 'stdin', path, size: undefined }];
  try {
    const found = await stat(path);
    if (!found.isDirectory())
      return [{ kind: 'file', path, size: found.isFile() ? found.size : undefined, named: true }];
    const inputs = await inDirectory(path, onProblem);
    if (inputs.length === 0) onProblem(new Failure('not-mail', `${path}: no mail in this directory`));
    return inputs;
  } catch (error) {
    onProblem(unreadable(path, error));
    return [];
  }
}

async function inDirectory(path: string, onProblem: (problem: Failure) => void): Promise<Input[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  if (names.has('HEAD') && names.has('objects') && names.has('refs')) return [{ kind: 'inbox', path, size: undefined }];
  if (names.has('git') && (await isInboxV2(join(path, 'git')))) return inboxV2(join(path, 'git'));
  if (names.has('cur') && names.has('new')) return maildir(path);
  const inputs: Input[] = [];
  for (const entry of entries.sort((left, right) => compare(left.name, right.name))) {
    if (entry.name.startsWith('.')) continue;
    const inner = join(path, entry.name);
    try {
      if (entry.isDirectory()) inputs.push(...(await inDirectory(inner, onProblem)));
      else inputs.push({ kind: 'file', path: inner, size: (await stat(inner)).size });
    } catch (error) {
      onProblem(unreadable(inner, error));
    }
  }
  return inputs;
}

/** public-inbox v2: `git/0.git`, `git/1.git`, ... in the order of their numbers. */
async function isInboxV2(path: string): Promise<boolean> {
  return (await readdir(path)).some((name) => /^\d+\.git$/.test(name));
}

async function inboxV2(path: string): Promise<Input[]> {
  const epochs = (await readdir(path)).filter((name) => /^\d+\.git$/.test(name));
  epochs.sort((left, right) => parseInt(left, 10) - parseInt(right, 10));
  return epochs.map((name) => ({ kind: 'inbox' as const, path: join(path, name), size: undefined }));
}

async function maildir(path: string): Promise<Input[]> {
  const files: { name: string; path: string }[] = [];
  for (const folder of ['cur', 'new']) {
    for (const name of await readdir(join(path, folder))) {
      if (!name.startsWith('.')) files.push({ name, path: join(path, folder, name) });
    }
  }
  // Delivery time stands first in a Maildir name, so this is the order of arrival, read or not.
  files.sort((left, right) => compare(left.name, right.name));
  const inputs: Input[] = [];
  for (const file of files) inputs.push({ kind: 'file', path: file.path, size: (await stat(file.path)).size });
  return inputs;
}

/** By code units: the same order on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** An error of the operating system as a Failure; any other goes on. */
export function unreadable(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error) || !('code' in error)) throw error;
  const why =
    error.code === 'ENOENT'
      ? 'no such file or directory'
      : error.code === 'EACCES'
        ? 'permission denied'
        : error.message;
  return new Failure('unreadable', `${path}: ${why}`, error);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../config/index.js';
import { startGit } from '../source/index.js';

export type Subjects = (files: readonly string[]) => Promise<readonly string[] | undefined>;

const commits = 40;
const mostFiles = 8;
const outputCap = 64 * 1024;
/** Milliseconds. A file that nobody touched for years makes git walk all of the history. */
const timeLimit = 10_000;

/** Summaries of the last commits to some files of a kernel tree, newest first; undefined where its git does not tell. */
export function openSubjects(root: string, say: (text: string) => void): Subjects {
  let git = existsSync(join(root, '.git'));
  if (!git) say(`${root}: no git history there, so prefixes of subjects are not compared with it`);
  const kept = new Map<string, Promise<readonly string[] | undefined>>();

  async function ask(files: readonly string[]): Promise<readonly string[] | undefined> {
    try {
      return await readSubjects(root, files);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      git = false;
      say(`${error.message}; prefixes of subjects are not compared`);
      return undefined;
    }
  }

  return async (files) => {
    const there = files.filter((file) => isInside(file) && existsSync(join(root, file))).slice(0, mostFiles);
    if (!git || there.length === 0) return undefined;
    const key = there.join('\0');
    const answer = kept.get(key) ?? ask(there);
    kept.set(key, answer);
    return answer;
  };
}

function isInside(file: string): boolean {
  return !file.startsWith('/') && !file.split('/').includes('..');
}

async function readSubjects(root: string, files: readonly string[]): Promise<readonly string[]> {
  const paths = files.map((file) => `:(literal)${file}`);
  const { child, ended } = startGit(root, ['log', '-n', `${commits}`, '--no-merges', '--format=%s', '--', ...paths]);
  child.stdin.end();
  const timer = setTimeout(() => child.kill(), timeLimit);
  let text = '';
  try {
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.length > outputCap) break;
    }
    child.kill();
    await ended;
  } finally {
    clearTimeout(timer);
  }
  return text.split('\n').filter((line) => line !== '');
}

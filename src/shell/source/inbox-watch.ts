import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure } from '../config/index.js';
import type { DirectoryReader } from './directory-watch.js';
import { startGit } from './git-process.js';
import { readInbox } from './public-inbox.js';

/** The last commit that was read, by the repository's name. */
type Commits = Readonly<Record<string, string>>;

const headBytes = 64 * 1024;

/**
 * Reads what comes into a public-inbox folder (v1, or v2 with its epochs), which somebody else fetches. A first start begins at the
 * newest mail; an epoch that is new is read from its beginning, and so is a repository whose history was written anew.
 */
export function inboxReader(path: string): DirectoryReader {
  return {
    folders: async () => (await repositories(path)).flatMap((repo) => [repo, join(repo, 'refs', 'heads')]),
    async start() {
      const commits: Record<string, string> = {};
      for (const repo of await repositories(path)) {
        const head = await findCommit(repo, 'HEAD');
        if (head !== undefined) commits[basename(repo)] = head;
      }
      return JSON.stringify(commits);
    },
    async *sweep(cursor, sizeLimit) {
      let commits = JSON.parse(cursor) as Commits; // written by this file only
      for (const repo of await repositories(path)) {
        const name = basename(repo);
        const head = await findCommit(repo, 'HEAD');
        const last = commits[name];
        if (head === undefined || head === last) continue;
        const known = last !== undefined && (await findCommit(repo, last)) !== undefined;
        let before = last;
        let here = last;
        for await (const { bytes, source } of readInbox(repo, () => undefined, known ? `${last}..${head}` : head)) {
          // A commit is behind us when the next one begins: it may hold more than one mail.
          if (source.commit !== here) before = here;
          here = source.commit;
          const truncated = bytes.length > sizeLimit;
          const next = before === undefined ? commits : { ...commits, [name]: before };
          yield {
            bytes: truncated ? bytes.subarray(0, headBytes) : bytes,
            arrived: Date.now(),
            truncated,
            cursor: JSON.stringify(next),
          };
        }
        commits = { ...commits, [name]: head };
        yield { cursor: JSON.stringify(commits) };
      }
    },
  };
}

/** The repository itself, or a v2 folder's epochs in their order. */
async function repositories(path: string): Promise<string[]> {
  const names = new Set(await readdir(path));
  if (names.has('HEAD') && names.has('objects')) return [path];
  if (!names.has('git')) throw new Failure('unreadable', `${path}: this is no public-inbox`);
  const epochs = (await readdir(join(path, 'git'))).filter((name) => /^\d+\.git$/.test(name));
  epochs.sort((left, right) => parseInt(left, 10) - parseInt(right, 10));
  return epochs.map((name) => join(path, 'git', name));
}

/** The commit that a name stands for; undefined in an empty repository, and for a commit that is gone. */
async function findCommit(repo: string, name: string): Promise<string | undefined> {
  const { child, ended } = startGit(repo, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  child.stdin.end();
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => void (text += chunk.toString('latin1')));
  try {
    await ended;
  } catch (error) {
    // With --quiet git says nothing where there is no such commit; any words are about something else.
    if (error instanceof Failure && /: $/.test(error.message)) return undefined;
    throw error;
  }
  return /^[0-9a-f]{40,64}$/.exec(text.trim())?.[0];
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../config/index.js';

/** A running git whose end can be waited for. */
export type GitProcess = {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when git ended well; rejects with a Failure that carries its words. */
  readonly ended: Promise<void>;
};

/** Starts git without any configuration of the user or the machine, and with the repository's own kept from running programs. */
export function startGit(repository: string, args: readonly string[]): GitProcess {
  const safe = [
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'core.pager=cat',
    'protocol.allow=never',
  ];
  const child = spawn(
    'git',
    [...safe.flatMap((value) => ['-c', value]), '--no-pager', '--no-replace-objects', ...args],
    {
      cwd: repository,
      env: {
        PATH: process.env['PATH'],
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_ATTR_NOSYSTEM: '1',
      },
    },
  );
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (words.length < 4000) words += chunk.toString('utf8');
  });
  // git may end before it has read all that we ask; what it says then is in `ended`.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error) => reject(new Failure('git-failed', `cannot run git: ${error.message}`, error)));
    child.on('close', (status, signal) => {
      if (status === 0 || signal === 'SIGTERM') resolve();
      else reject(gitFailure(words, repository));
    });
  });
  // Watched by the reader at its end; an early stop must not count as unhandled.
  ended.catch(() => undefined);
  return { child, ended };
}

function gitFailure(words: string, repository: string): Failure {
  const line = words.split('\n').find((text) => text.startsWith('fatal:')) ?? words.split('\n')[0] ?? '';
  const wrongRange = /unknown revision|bad revision|ambiguous argument|not a valid object|Invalid revision/i.test(
    words,
  );
  return new Failure(wrongRange ? 'git-range' : 'git-failed', `git in ${repository}: ${line.replace(/^fatal: /, '')}`);
}

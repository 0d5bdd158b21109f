import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTree } from '../../src/shell/tree/index.js';

const folder = mkdtempSync(join(tmpdir(), 'reveille-subjects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A small tree of ours; with `commits`, a git history of one file. */
function tree(name: string, commits: readonly string[]): string {
  const root = join(folder, name);
  for (const part of ['drivers/misc', 'include/linux']) mkdirSync(join(root, part), { recursive: true });
  const git = (...args: readonly string[]): void => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const who = ['-c', 'user.name=Ada Example', '-c', 'user.email=ada@example.org'];
    expect(spawnSync('git', [...who, ...args], { cwd: root, env }).status).toBe(0);
  };
  if (commits.length > 0) git('init', '--quiet');
  for (const [at, subject] of commits.entries()) {
    writeFileSync(join(root, 'drivers', 'misc', 'gizmo.c'), `int gizmo = ${at};\n`);
    git('add', '.');
    git('commit', '--quiet', '-m', subject);
  }
  return root;
}

function open(root: string, words: string[] = []) {
  const catalogue = { apis: [], units: [], constants: [] } as unknown as Parameters<typeof openTree>[1]['catalogue'];
  return openTree(root, { catalogue, hash: 'h', cache: join(folder, 'cache'), say: (text) => words.push(text) });
}

describe('the history of a kernel tree', () => {
  test('gives the summaries of the last commits to a file, newest first', async () => {
    const { subjects } = open(tree('with', ['misc: gizmo: add driver', 'misc: gizmo: mend it']));
    expect(await subjects(['drivers/misc/gizmo.c'])).toEqual(['misc: gizmo: mend it', 'misc: gizmo: add driver']);
  });

  test('says nothing of a file that is not there, and never looks outside of the tree', async () => {
    const { subjects } = open(tree('small', ['misc: gizmo: add driver']));
    expect(await subjects(['drivers/misc/gadget.c'])).toBeUndefined();
    expect(await subjects(['../../etc/passwd', '/etc/passwd'])).toBeUndefined();
  });

  test('is missed once and in words where the tree has no git', async () => {
    const words: string[] = [];
    const root = tree('without', []);
    writeFileSync(join(root, 'drivers', 'misc', 'gizmo.c'), 'int gizmo;\n');
    const { subjects } = open(root, words);
    expect(await subjects(['drivers/misc/gizmo.c'])).toBeUndefined();
    expect(words).toEqual([expect.stringContaining('no git history')]);
  });
});

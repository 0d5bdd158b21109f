import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPolicy, loadSettings } from '../../src/shell/config/index.js';
import { commandTable, flatCommands } from '../../src/shell/cli/command-table.js';
import { wholeProgram } from '../../src/shell/cli/program.js';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/hooks.md', 'docs/mail-from-this-bot.md', 'docs/operations.md'];

describe('what the documents say', () => {
  test('the settings and the policy of the first hour are read as they stand, and send nothing', async () => {
    const [settings = '', policy = ''] = [...read('README.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      (found) => found[1] ?? '',
    );
    expect(settings.trimEnd().split('\n')).toHaveLength(10);
    const folder = mkdtempSync(join(tmpdir(), 'reveille-readme-'));
    try {
      writeFileSync(join(folder, 'settings.yaml'), settings);
      writeFileSync(join(folder, 'policy.yaml'), policy);
      const loaded = await loadSettings(join(folder, 'settings.yaml'));
      expect(loaded.mbox).toBe(join(folder, 'replies.mbox'));
      const state = await loadPolicy(loaded.policy);
      expect(state.kind === 'policy' && state.policy.lists.map(({ channel }) => channel)).toEqual(['dry-run']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('every command and long option that they name is there', async () => {
    const all = flatCommands(commandTable(await wholeProgram('0.0.0')));
    for (const page of pages) {
      for (const line of read(page).split('\n')) {
        const called = /\breveille ((?:queue )?[a-z]+)((?: .*)?)/.exec(line.replace(/^[^`]*`npx /, 'npx '));
        if (called === null || !/(?:npx |^ {4}|`)reveille /.test(line)) continue;
        const command =
          all.find(({ name }) => name === called[1]) ?? all.find(({ name }) => name === called[1]?.split(' ')[0]);
        expect([page, line, command?.name]).not.toEqual([page, line, undefined]);
        const own = (called[2] ?? '').split(/[|&;#`]/)[0] ?? '';
        const known = new Set(command?.options.map(({ long }) => long));
        for (const [long] of own.matchAll(/(?<=\s)--[a-z][a-z-]+/g))
          expect([page, line, known.has(long)]).toEqual([page, line, true]);
      }
    }
  });

  test('every link into the repository leads somewhere', () => {
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#:]+)\)/g)) {
        expect([page, target, existsSync(join(root, dirname(page), target))]).toEqual([page, target, true]);
      }
    }
  });
});

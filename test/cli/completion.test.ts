import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandTable, flatCommands, type CommandEntry } from '../../src/shell/cli/command-table.js';
import { completionScript, shells } from '../../src/shell/cli/completion-scripts.js';
import { commands, wholeProgram } from '../../src/shell/cli/program.js';

async function table(): Promise<CommandEntry> {
  return commandTable(await wholeProgram('0.0.0'));
}

/** What bash offers after these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const quoted = ['reveille', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', await table())}
COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _reveille; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const done = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  expect(done.stderr).toBe('');
  return done.stdout.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  test('in bash offers commands, options, choices and the commands of a command', async () => {
    expect(await offered('')).toEqual(Object.keys(commands));
    expect(await offered('su')).toEqual(['summary']);
    expect(await offered('review', '--format', '')).toEqual(['text', 'json', 'ndjson', 'html', 'mbox', 'b4', 'terse']);
    expect(await offered('review', '--nits')).toEqual(['--nits-only']);
    expect(await offered('queue', 'app')).toEqual(['approve']);
    expect(await offered('queue', 'list', '--al')).toEqual(['--all']);
    expect(await offered('summary', 'somefile')).toEqual([]);
  });

  test('knows every command and every long option in every shell', async () => {
    const all = flatCommands(await table());
    expect(all.length).toBeGreaterThan(12);
    for (const shell of shells) {
      const script = completionScript(shell, await table());
      for (const { name, options } of all) {
        if (name !== '') expect(script).toContain(name.split(' ').at(-1));
        for (const { long } of options) expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
      }
    }
  });
});

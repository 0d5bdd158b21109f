import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailText } from '../support/mails.js';
import { probeBody } from '../support/summary-world.js';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'dist', 'shell', 'cli', 'main.js');
const hook = join(root, 'deploy', 'sendemail-validate');

describe('in other people’s tools', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-hooks-'));
  const patch = join(folder, '0001-wake.patch');
  const git = (...args: readonly string[]) => spawnSync('git', [...args], { cwd: folder, encoding: 'utf8' });
  const withInput = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', input });
  const mail = mailText({
    id: 'a',
    subject: '[PATCH] wake: poll more often',
    body: probeBody('usleep_range(1000, 2000);'),
  });

  beforeAll(() => {
    git('init', '-q');
    git('config', 'reveille.command', `${process.execPath} ${program}`);
    writeFileSync(patch, mail);
    chmodSync(hook, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the hook sendemail-validate shows a review, and stops the sending where it is told to', () => {
    const shown = spawnSync(hook, [patch], { cwd: folder, encoding: 'utf8' });
    expect([shown.status, shown.stdout]).toEqual([0, '']);
    expect(shown.stderr).toContain('verdict: worth a reply');
    git('config', 'reveille.failOn', 'finding');
    const stopped = spawnSync(hook, [patch], { cwd: folder, encoding: 'utf8' });
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).toContain('not sent');
    const cover = join(folder, '0000-cover.patch');
    writeFileSync(cover, 'Subject: [PATCH 0/1] wake\n\nAll of it.\n');
    expect(spawnSync(hook, [cover], { cwd: folder, encoding: 'utf8' }).status).toBe(0);
  });

  test('b4 gets its array of results for a mail on standard input, also where there is nothing to say', () => {
    const one = withInput(mail, 'review', '-', '--format', 'b4');
    expect(one.status).toBe(0);
    const [result] = JSON.parse(one.stdout) as [Record<string, string>];
    expect(Object.keys(result).sort()).toEqual(['details', 'status', 'summary', 'tool']);
    expect(result).toMatchObject({ tool: 'reveille', status: 'warn' });
    expect(result['details']).toContain('msleep(100) -> usleep_range(1000, 2000)');
    const quiet = mailText({
      id: 'b',
      subject: '[PATCH] wake: say what it is',
      body: probeBody('msleep(100); /* settle */'),
    });
    expect(JSON.parse(withInput(quiet, 'review', '-', '--format', 'b4').stdout)).toMatchObject([
      { tool: 'reveille', summary: expect.stringContaining('changes no wait') as string },
    ]);
    expect(
      JSON.parse(
        withInput(mailText({ id: 'c', subject: 'Re: x', body: 'Hm.\n' }), 'review', '-', '--format', 'b4').stdout,
      ),
    ).toEqual([]);
  });

  test('terse is a line a remark, as compilers write them', () => {
    const { stdout } = withInput(mail, 'review', '-', '--format', 'terse');
    expect(stdout).not.toBe('');
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^[^:]+:\d+: (?:ERROR|WARNING|CHECK):[a-z0-9-]+: \S/);
  });

  test('the macros of mutt name only options that there are', () => {
    const rc = readFileSync(join(root, 'deploy', 'mutt.rc'), 'utf8');
    for (const command of rc.matchAll(/reveille (\w+)/g)) {
      expect(withInput('', command[1] ?? '', '--help').status).toBe(0);
    }
  });
});

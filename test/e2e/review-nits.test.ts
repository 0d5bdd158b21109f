import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const program = join(import.meta.dirname, '..', '..', 'dist', 'shell', 'cli', 'main.js');
const hasPerl = spawnSync('perl', ['-e', '1']).status === 0;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-nits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Done = { readonly status: number | null; readonly out: string; readonly err: string };

function run(command: string, args: readonly string[], options: { cwd?: string } = {}): Done {
  // Whatever git is told on this machine must not change what the test sees.
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada Example',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada Example',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  };
  const done = spawnSync(command, args, { ...options, env, encoding: 'utf8', timeout: 120_000 });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

function reveille(...args: readonly string[]): Done {
  return run(process.execPath, [program, ...args]);
}

/** A patch that adds one call to a driver of ours. */
function patch(subject: string, added: string, signed = true): string {
  const sign = signed ? '\nSigned-off-by: Ada Example <ada@example.org>\n' : '\n';
  return `From: Ada Example <ada@example.org>
Date: Mon, 2 Nov 2026 10:00:00 +0100
Subject: ${subject}
Message-ID: <20261102-1@example.org>

The gizmo needs a moment after its clock is turned on.
${sign}---
 drivers/misc/gizmo.c | 1 +

diff --git a/drivers/misc/gizmo.c b/drivers/misc/gizmo.c
--- a/drivers/misc/gizmo.c
+++ b/drivers/misc/gizmo.c
@@ -10,3 +10,4 @@ static int gizmo_resume(struct gizmo *gz)
 \tgizmo_clock(gz, true);
 
+${added}
 \treturn 0;
`;
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('nits as a check', () => {
  test('--nits-only --fail-on nit ends with 1 on an unsigned patch and names the rule', () => {
    const { status, out } = reveille(
      'review',
      '--nits-only',
      '--fail-on',
      'nit',
      file('unsigned.patch', patch('[PATCH] misc: gizmo: wait for the clock', '\tgizmo_wait(gz);', false)),
    );
    expect(out).toContain('missing-sign-off');
    expect(status).toBe(1);
  });

  test('a clean patch ends with 0', () => {
    const path = file('clean.patch', patch('[PATCH] misc: gizmo: wait for the clock', '\tgizmo_wait(gz);'));
    expect(reveille('review', '--nits-only', '--fail-on', 'nit', path).status).toBe(0);
  });

  test('a remark that is only a note fails nothing', () => {
    const subject = `[PATCH] misc: gizmo: ${'w'.repeat(59)}`;
    const path = file('note.patch', patch(subject, '\tgizmo_wait(gz);'));
    const { status, out } = reveille('review', '--nits-only', '--all-nits', '--fail-on', 'nit', path);
    expect(out).toContain('subject-length');
    expect(status).toBe(0);
  });

  test('a pre-push hook of git keeps back the commit with a nit and lets the mended one pass', () => {
    const work = join(folder, 'work');
    const remote = join(folder, 'remote.git');
    const git = (...args: readonly string[]): Done => run('git', args, { cwd: work });
    mkdirSync(join(work, 'drivers'), { recursive: true });
    run('git', ['init', '--quiet', '--bare', remote], { cwd: folder });
    git('init', '--quiet', '--initial-branch=main');
    git('remote', 'add', 'origin', remote);
    writeFileSync(join(work, 'drivers', 'gizmo.c'), 'int gizmo;\n');
    git('add', '.');
    git('commit', '--quiet', '-s', '-m', 'misc: gizmo: add driver\n\nIt turns gizmos on.\nMore of them will follow.');
    expect(git('push', '--quiet', 'origin', 'main').status).toBe(0);
    const hook = join(work, '.git', 'hooks', 'pre-push');
    const check = `"${process.execPath}" "${program}" review --nits-only --fail-on nit --git origin/main..HEAD`;
    writeFileSync(hook, `#!/bin/sh\nexec ${check} >&2\n`);
    chmodSync(hook, 0o755);

    writeFileSync(join(work, 'drivers', 'gizmo.c'), 'int gizmo;\nint gadget;\n');
    git('commit', '--quiet', '-a', '-m', 'misc: gizmo: add gadget\n\nA gadget is needed.\nIt comes next.');
    const kept = git('push', '--quiet', 'origin', 'main');
    expect(kept.err).toContain('missing-sign-off');
    expect(kept.status).not.toBe(0);

    git('commit', '--quiet', '--amend', '-s', '--no-edit');
    const passed = git('push', '--quiet', 'origin', 'main');
    expect(passed.status).toBe(0);
    expect(git('rev-parse', 'origin/main').out).toBe(git('rev-parse', 'HEAD').out);
  });
});

describe('a kernel tree with its history', () => {
  test('a prefix that the commits to the same file do not know is a nit', () => {
    const root = join(folder, 'history');
    for (const part of ['drivers/misc', 'include/linux']) mkdirSync(join(root, part), { recursive: true });
    run('git', ['init', '--quiet'], { cwd: root });
    for (let n = 0; n < 9; n++) {
      writeFileSync(join(root, 'drivers', 'misc', 'gizmo.c'), `int gizmo = ${n};\n`);
      run('git', ['add', '.'], { cwd: root });
      run('git', ['commit', '--quiet', '-m', `misc: gizmo: change ${n}`], { cwd: root });
    }
    const path = file('prefix.patch', patch('[PATCH] gizmo: wait for the clock', '\tgizmo_wait(gz);'));
    const { status, out } = reveille('review', '--tree', root, '--nits-only', '--fail-on', 'nit', path);
    expect(out).toContain('9 begin with "misc:", this one with "gizmo:"');
    expect(status).toBe(1);
  });
});

describe('the kernel tree’s own checkpatch.pl beside ours', () => {
  const plain = (): string => file('plain.patch', patch('[PATCH] misc: gizmo: wait', '\tgizmo_wait(gz);'));

  /** A tree with a script of ours: what is tested is how it is run and shown. */
  function tree(name: string, script: string): string {
    for (const part of ['scripts', 'drivers', 'include/linux'])
      mkdirSync(join(folder, name, part), { recursive: true });
    writeFileSync(join(folder, name, 'scripts', 'checkpatch.pl'), script);
    return join(folder, name);
  }

  const speaks = `while (<STDIN>) { $at = $. if /gizmo_wait/ } print "-:$at: WARNING:GIZMO_WAIT: better not\\n"; exit 1;`;

  test('nobody’s script is asked without a tree: a usage error', () => {
    const { status, err } = reveille('review', '--checkpatch', plain());
    expect(err).toContain('--tree');
    expect(status).toBe(2);
  });

  test('a tree without the script is the outside world: exit status 3', () => {
    const bare = join(folder, 'bare');
    for (const part of ['drivers', 'include/linux']) mkdirSync(join(bare, part), { recursive: true });
    const { status, err } = reveille('review', '--checkpatch', '--tree', bare, plain());
    expect(err).toContain('checkpatch.pl');
    expect(status).toBe(3);
  });

  test.skipIf(!hasPerl)(
    'its words are shown as its own, with the line of the mail, and count as nits [needs perl]',
    () => {
      const args = [
        'review',
        '--checkpatch',
        '--tree',
        tree('speaks', speaks),
        '--nits-only',
        '--fail-on',
        'nit',
        plain(),
      ];
      const { status, out } = reveille(...args);
      expect(out).toContain('checkpatch.pl warning GIZMO_WAIT: better not, line 13 of the mail');
      expect(status).toBe(1);
      const json = reveille(...args, '--format', 'json', '--all').out;
      const [first] = JSON.parse(json) as { checkpatch: unknown }[];
      expect(first?.checkpatch).toEqual({
        problem: null,
        messages: [{ level: 'warning', type: 'GIZMO_WAIT', text: 'better not', mailLine: 13 }],
      });
    },
  );

  test.skipIf(!hasPerl)('the settings may name the script: checkpatch.path beside the file [needs perl]', () => {
    tree('named', speaks);
    const settings = file(
      'settings.yaml',
      'checkpatch: { path: named/scripts/checkpatch.pl }\ninstance: { secret: { env: NONE }, domain: bot.invalid }\n',
    );
    const { status, out } = reveille('review', '--checkpatch', '--config', settings, plain());
    expect(out).toContain('GIZMO_WAIT');
    expect(status).toBe(0);
  });

  test.skipIf(!hasPerl)(
    'a script that breaks is said, and the review is still made: exit status 3 [needs perl]',
    () => {
      const { status, out } = reveille('review', '--checkpatch', '--tree', tree('breaks', 'exit 7;'), plain());
      expect(out).toContain('checkpatch.pl did not run');
      expect(out).toContain('verdict:');
      expect(status).toBe(3);
    },
  );
});

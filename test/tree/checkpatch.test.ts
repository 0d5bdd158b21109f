import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanMail, runCheckpatch } from '../../src/shell/tree/index.js';

const hasPerl = spawnSync('perl', ['-e', '1']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'reveille-checkpatch-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const mail = 'From: Ada Example <ada@example.org>\nSubject: [PATCH] gizmo: poll\n\nPoll.\n---\n';

/** A tree whose script is ours: what is tested is how it is run and read. */
function tree(name: string, script: string): string {
  mkdirSync(join(folder, name, 'scripts'), { recursive: true });
  writeFileSync(join(folder, name, 'scripts', 'checkpatch.pl'), script);
  return join(folder, name);
}

describe.skipIf(!hasPerl)('the tree’s own checkpatch [needs perl]', () => {
  test('its messages come in its own words, counted in the body', async () => {
    const path = tree(
      'speaks',
      `while (<STDIN>) { $n++ } print "-:4: WARNING:SOME_TYPE: read $n lines: really\\n-:2: ERROR:HEADER: bad\\n-:5: CHECK:SMALL: x\\ntotal: 1\\n"; exit 1;`,
    );
    const outcome = await runCheckpatch(path, mail);
    expect(outcome).toEqual({
      ok: true,
      messages: [
        { level: 'warning', type: 'SOME_TYPE', text: 'read 5 lines: really', mailLine: 1 },
        { level: 'error', type: 'HEADER', text: 'bad' },
        { level: 'check', type: 'SMALL', text: 'x', mailLine: 2 },
      ],
    });
  });

  test('a clean patch has no messages', async () => {
    expect(await runCheckpatch(tree('clean', 'exit 0;'), mail)).toEqual({ ok: true, messages: [] });
  });

  test('a script that does not end is ended, with its children', async () => {
    const outcome = await runCheckpatch(tree('hangs', 'fork(); sleep 60;'), mail, { timeLimit: 300 });
    expect(outcome).toMatchObject({ ok: false, reason: { kind: 'timeout' } });
  });

  test('a script that fails is reported with its first words', async () => {
    const outcome = await runCheckpatch(tree('fails', 'print STDERR "no such thing\\n"; exit 2;'), mail);
    expect(outcome).toEqual({
      ok: false,
      reason: { kind: 'failed', text: 'checkpatch ended with 2: no such thing' },
    });
  });

  test('strictness and what has no history are told to it', async () => {
    const path = tree('arguments', 'print "-:1: ERROR:ARGS: @ARGV\\n"; exit 1;');
    const outcome = await runCheckpatch(path, mail, { strict: true });
    expect(outcome).toMatchObject({
      messages: [{ text: '--terse --show-types --no-summary --ignore UNKNOWN_COMMIT_ID --no-tree --strict -' }],
    });
  });

  test('nothing of our environment reaches it', async () => {
    process.env['REVEILLE_TEST_SECRET'] = 'x';
    const path = tree(
      'environment',
      'print "-:1: ERROR:ENV: ", join(" ", sort grep { !/^PATH$/ } keys %ENV), "\\n"; exit 1;',
    );
    expect(await runCheckpatch(path, mail)).toMatchObject({ messages: [{ text: 'HOME LC_ALL' }] });
    delete process.env['REVEILLE_TEST_SECRET'];
  });
});

describe('running checkpatch', () => {
  test('a folder without the script is said to have none', async () => {
    expect(await runCheckpatch(join(folder, 'nowhere'), mail)).toMatchObject({
      ok: false,
      reason: { kind: 'missing' },
    });
  });

  test('the cleaned mail has decoded headers on one line each and no list footer', () => {
    const text =
      'Poll.\n---\n@@ -1 +1 @@\n-a\n+b\n\n____________________\nGizmo mailing list\ngizmo@lists.example.org\n';
    const message = { from: { name: 'Ada', address: 'ada@example.org' }, subject: 'gizmo:\n poll', text };
    expect(cleanMail(message)).toBe(
      'From: Ada <ada@example.org>\nSubject: gizmo:  poll\n\nPoll.\n---\n@@ -1 +1 @@\n-a\n+b\n\n',
    );
  });
});

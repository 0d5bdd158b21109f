import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { failureCodes, failures, loadSettings, readSecret } from '../../src/shell/config/index.js';

const folder = mkdtempSync(join(tmpdir(), 'reveille-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const instance = 'instance: { secret: { env: BOT_SECRET }, domain: bot.example.org }\n';

describe('the settings file', () => {
  test('needs little, and its relative paths are beside it', async () => {
    const settings = await loadSettings(write('small.yaml', instance));
    expect(settings).toMatchObject({
      store: `sqlite:${join(folder, 'reveille.db')}`,
      policy: join(folder, 'policy.yaml'),
      jobs: 2,
      log: 'info',
    });
    expect(settings.imap).toBeUndefined();
  });

  test('an unknown key or a wrong value is a failure with file and line', async () => {
    const path = write('wrong.yaml', `${instance}imap:\n  host: imap.example.org\n  prot: 993\n  user: bot\n`);
    await expect(loadSettings(path)).rejects.toMatchObject({ code: 'configuration', exit: 2 });
    await expect(loadSettings(path)).rejects.toThrow(`${path}:4: unknown key "prot" in imap; did you mean "port"?`);
    await expect(loadSettings(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'settings-missing' });
  });

  test.each([
    ['127.0.0.1', '', true],
    ['localhost', '', true],
    ['::1', '', true],
    ['mail.example.org', '', false],
    ['127.0.0.1.example.org', '', false],
    ['10.0.0.1', '', false],
    ['mail.example.org', ', clearText: true', true],
  ])('a server at %s without TLS%s is allowed: %s', async (host, more, allowed) => {
    for (const server of ['imap', 'smtp']) {
      const text = `${instance}${server}: { host: '${host}', port: 143, user: bot, tls: none${more} }\n`;
      const path = write('tls.yaml', text);
      if (allowed) await expect(loadSettings(path)).resolves.toBeDefined();
      else await expect(loadSettings(path)).rejects.toThrow(`${path}:2: ${server}.tls: \`none\` is for loopback only`);
    }
  });

  test('a secret written out is refused', async () => {
    const path = write('secret.yaml', 'instance: { secret: hunter2, domain: bot.example.org }\n');
    await expect(loadSettings(path)).rejects.toMatchObject({ code: 'configuration' });
  });
});

describe('a secret', () => {
  test('comes from a file, a variable or a command, without its line end', async () => {
    expect(await readSecret({ file: write('s', 'from file\n') }, {})).toBe('from file');
    expect(await readSecret({ env: 'S' }, { S: 'from env' })).toBe('from env');
    expect(await readSecret({ command: [process.execPath, '-e', 'console.log("from command")'] }, {})).toBe(
      'from command',
    );
  });

  test('that cannot be had is a failure that does not show it', async () => {
    for (const reference of [
      { env: 'NOPE' },
      { file: join(folder, 'nope') },
      { file: write('empty', '\n') },
      { command: ['/nowhere/pass'] },
    ]) {
      await expect(readSecret(reference, {})).rejects.toMatchObject({ code: 'secret-missing' });
    }
    const leaking = readSecret({ command: [process.execPath, '-e', 'console.error("hunter2"); process.exit(1)'] }, {});
    await expect(leaking).rejects.toSatisfy(
      (error: Error) => !`${error.message} ${String(error.cause)}`.includes('hunter2'),
    );
  });
});

test('every code of the table says what it means and what to do', () => {
  expect(failureCodes.length).toBeGreaterThan(10);
  for (const { title, mend } of Object.values(failures)) expect(title.endsWith('.') && mend.endsWith('.')).toBe(true);
});

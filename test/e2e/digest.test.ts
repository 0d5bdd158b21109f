import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestPeriod } from '../../src/shell/bot/index.js';
import { makeDaemon, type Daemon } from '../support/servers/daemon-process.js';
import { hasDovecot, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { mailsOf } from '../support/servers/mailbox.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { freePort, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { startSmtpSink, type SmtpSink } from '../support/servers/smtp-sink.js';

const program = join(import.meta.dirname, '..', '..', 'dist', 'shell', 'cli', 'main.js');

/** Runs `reveille` beside us: the server that it talks to lives in this process. */
async function reveille(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [program, ...args])).stdout;
}

describe.skipIf(!hasDovecot)('the digest of a list [needs dovecot]', () => {
  const folder = temporaryFolder('digest');
  let imap: Dovecot;
  let smtp: SmtpSink;
  let daemon: Daemon;

  beforeAll(async () => {
    imap = await startDovecot(folder.path, ['bot', 'maria', 'olga']);
    smtp = await startSmtpSink({
      forward: async ({ to, bytes }) => {
        for (const address of to) await imap.deliver(address.split('@')[0] ?? '', bytes);
      },
    });
    daemon = makeDaemon(join(folder.path, 'bot'), {
      imapPort: imap.port,
      smtpPort: smtp.port,
      healthPort: await freePort(),
      lists: {
        'drivers.lists.test':
          '{address: drivers@lists.test, channel: dry-run, settle: 0 s, maintainers: [maria@bot.test, olga@bot.test], digest: none}',
      },
    });
    await daemon.start();
    await imap.deliver(
      'bot',
      patchMail({ id: 'quark-1', to: ['drivers@lists.test'], more: 'List-Id: <drivers.lists.test>\n' }),
    );
    const store = await daemon.open();
    await waitFor(
      'the patch is judged',
      async () => (await store.read((db) => db.selectFrom('decisions').select('mail').execute())).length > 0,
      { limit: 60_000, log: join(daemon.folder, 'daemon.log') },
    );
    await store.close();
    await daemon.stop();
  }, 300_000);
  afterAll(async () => {
    await daemon.stop();
    await smtp.close();
    await imap.stop();
    folder.remove();
  });

  async function expectDigest(user: string, nth: number): Promise<void> {
    const raw = mailsOf(imap, user)[nth] ?? '';
    const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true });
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.get('x-reveille-kind')).toBe('digest');
    expect(mail.subject).toBe('Waits in patches, drivers.lists.test: 1 series, 1 open');
    expect(mail.from?.value.map(({ address }) => address)).toEqual(['bot@bot.test']);
    expect(mail.text).toContain('msleep(100) -> usleep_range(1000, 2000)');
    expect(mail.text).toContain('drivers/quark/core.c');
    expect(Math.max(...(mail.text ?? '').split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
    expect(mail.html).toContain('msleep(100) -&gt; usleep_range(1000, 2000)');
    expect(mail.html).toContain('<!doctype html>');
    expect(raw.split('\n').every((line) => line.length <= 998)).toBe(true);
  }

  test('`summary --send` puts one mail into each maintainer’s mailbox, both parts right, and nothing into the list', async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const ask = ['summary', '--config', daemon.config, '--since', '7d', '--until', until, '--send'];
    const sent = await reveille(...ask);
    expect(sent).toBe('drivers.lists.test: sent to maria@bot.test, olga@bot.test\n');
    expect(mailsOf(imap, 'maria')).toHaveLength(1);
    await expectDigest('maria', 0);
    await expectDigest('olga', 0);
    expect(smtp.taken.flatMap(({ to }) => to)).toEqual(['maria@bot.test', 'olga@bot.test']);
    expect(await reveille(...ask)).toBe('drivers.lists.test: was sent before to maria@bot.test, olga@bot.test\n');
    const none = await reveille('summary', '--config', daemon.config, '--until', '2001-01-01', '--send');
    expect(none).toContain('nothing about waits, so nothing is sent');
    expect(smtp.taken).toHaveLength(1);
  });

  test('the daemon sends it by the policy’s schedule', async () => {
    const period = digestPeriod('daily', Date.now());
    const store = await daemon.open();
    await store.write((tx) =>
      tx
        .updateTable('mails')
        .set({ arrived: (period?.from ?? 0) + 3_600_000 })
        .execute(),
    );
    await store.close();
    const policy = join(daemon.folder, 'policy.yaml');
    writeFileSync(policy, readFileSync(policy, 'utf8').replace('digest: none', 'digest: daily'));
    const before = mailsOf(imap, 'maria').length;
    await daemon.start();
    await waitFor('the digest is in the mailbox', () => mailsOf(imap, 'maria').length > before, {
      limit: 90_000,
      log: join(daemon.folder, 'daemon.log'),
    });
    await daemon.stop();
    expect(
      daemon
        .log()
        .filter(({ event }) => event === 'digest.done')
        .map(({ result }) => result),
    ).toEqual(['sent']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listQueue } from '../../src/shell/store/index.js';
import { approveLists, makeDaemon, type Daemon } from '../support/servers/daemon-process.js';
import { hasDovecot, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { bodyOf, fieldOf, mailsOf, repliesIn } from '../support/servers/mailbox.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { hasMailList, startMailServer, type MailServer } from '../support/servers/postfix.js';
import { freePort, pause, temporaryFolder, waitFor } from '../support/servers/process-group.js';

describe.skipIf(!hasDovecot || !hasMailList)('a real list [needs dovecot, postfix, mlmmj]', () => {
  const folder = temporaryFolder('list');
  let imap: Dovecot;
  let smtp: MailServer;
  let daemon: Daemon;

  beforeAll(async () => {
    imap = await startDovecot(folder.path, ['bot', 'reader', 'operator']);
    const lists = ['drivers', 'storage'];
    smtp = await startMailServer(folder.path, { lmtpPort: imap.lmtpPort, lists });
    for (const list of lists) smtp.subscribe(list, 'bot@bot.test');
    for (const list of lists) smtp.subscribe(list, 'reader@bot.test');
    daemon = makeDaemon(join(folder.path, 'bot'), {
      imapPort: imap.port,
      smtpPort: smtp.port,
      healthPort: await freePort(),
      lists: {
        'drivers.lists.test':
          '{address: drivers@lists.test, channel: list, settle: 0 s, caps: {hour: 99, day: 99, author: 99}}',
        'storage.lists.test':
          '{address: storage@lists.test, channel: list, settle: 0 s, caps: {hour: 99, day: 99, author: 99}}',
      },
    });
    await approveLists(daemon, ['drivers.lists.test', 'storage.lists.test']);
    await daemon.start();
  });
  afterAll(async () => {
    await daemon.stop();
    await smtp.stop();
    await imap.stop();
    folder.remove();
  });

  async function post(raw: string, ...to: string[]): Promise<void> {
    const client = createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true });
    await client.sendMail({ raw, envelope: { from: 'dev@example.org', to } });
    client.close();
  }

  /** Nothing is under way any more: each mail that the bot got was judged, and the outbox is empty. */
  async function settled(mails: number): Promise<void> {
    const store = await daemon.open();
    await waitFor(
      `${mails} mails are judged and nothing waits`,
      async () => {
        const kept = await store.read((db) => db.selectFrom('mails').select('id').execute());
        const due = await store.read((db) => db.selectFrom('due').select('mail').execute());
        const queue = await store.read((db) => listQueue(db, ['due', 'sending']));
        return kept.length >= mails && due.length === 0 && queue.length === 0;
      },
      { limit: 180_000, log: join(daemon.folder, 'daemon.log') },
    );
    await store.close();
  }

  const archived = (list: string): string[] =>
    readdirSync(smtp.archive(list)).map((name) => readFileSync(join(smtp.archive(list), name), 'latin1'));

  test('a patch is answered in its thread: in the archive, with the right people, as composed, once', async () => {
    const began = Date.now();
    await post(patchMail({ id: 'quark-1', to: ['drivers@lists.test'] }), 'drivers@lists.test');
    await waitFor('the reply is at the second subscriber', () => repliesIn(imap, 'reader').length > 0, {
      limit: 180_000,
      log: join(daemon.folder, 'daemon.log'),
    });
    const took = Date.now() - began;
    console.log(`post to reply at a second subscriber: ${took} ms`);
    await settled(2);
    const replies = repliesIn(imap, 'reader');
    expect(replies.length).toBe(1);
    const reply = replies[0] ?? '';
    expect(fieldOf(reply, 'In-Reply-To')).toBe('<quark-1@example.org>');
    expect(fieldOf(reply, 'References')).toBe('<quark-1@example.org>');
    expect(fieldOf(reply, 'To')).toBe('Dev Eloper <dev@example.org>');
    expect(fieldOf(reply, 'Cc')).toBe('drivers@lists.test');
    expect(fieldOf(reply, 'Auto-Submitted')).toBe('auto-replied');
    expect(fieldOf(reply, 'Subject')).toBe('Re: [PATCH] quark: poll the ready bit more often');
    const store = await daemon.open();
    const [row] = await store.read((db) => listQueue(db));
    await store.close();
    const bytes = Buffer.from(row?.bytes ?? []).toString('latin1');
    expect(bodyOf(reply).trimEnd()).toBe(bodyOf(bytes).trimEnd());
    expect(fieldOf(reply, 'Message-ID')).toBe(fieldOf(bytes, 'Message-ID'));
    expect(archived('drivers').filter((mail) => mail.includes('In-Reply-To: <quark-1@example.org>')).length).toBe(1);
    expect(row?.state).toBe('sent');
  });

  test('a patch sent to two lists is answered once, to both', async () => {
    const to = ['drivers@lists.test', 'storage@lists.test'];
    const before = repliesIn(imap, 'reader').length;
    await post(patchMail({ id: 'boson-1', to, name: 'boson' }), ...to);
    await waitFor('the reply is there', () => repliesIn(imap, 'reader').length > before, { limit: 180_000 });
    await settled(4);
    const replies = repliesIn(imap, 'reader').slice(before);
    const ids = new Set(replies.map((mail) => fieldOf(mail, 'Message-ID')));
    expect(ids.size).toBe(1);
    const store = await daemon.open();
    const rows = (await store.read((db) => listQueue(db))).filter((row) => row.parent === '<boson-1@example.org>');
    await store.close();
    expect(rows.length).toBe(1);
    for (const list of to) {
      const name = list.split('@')[0] ?? '';
      const copies = archived(name).filter((mail) => mail.includes('In-Reply-To: <boson-1@example.org>')).length;
      console.log(`${name}: ${copies} copies in the archive`);
      expect(copies).toBeLessThanOrEqual(1);
    }
  });

  test('another robot that answers everything on the list gets at most one mail of ours', async () => {
    let answered = 0;
    const seen = new Set<string>();
    const robot = async (): Promise<void> => {
      for (const mail of mailsOf(imap, 'reader')) {
        const id = fieldOf(mail, 'Message-ID') ?? '';
        if (seen.has(id) || fieldOf(mail, 'From')?.includes('robot@example.org') === true) continue;
        seen.add(id);
        if (!mail.includes('gluon')) continue;
        answered++;
        const raw = `From: Robot <robot@example.org>\nTo: drivers@lists.test\nSubject: ${fieldOf(mail, 'Subject') ?? ''}\nMessage-ID: <robot-${answered}@example.org>\nIn-Reply-To: ${id}\nReferences: ${id}\n\nThank you for your mail. I am away.\n> -		msleep(100);\n> +		usleep_range(1000, 2000);\n`;
        await post(raw, 'drivers@lists.test');
      }
    };
    await post(patchMail({ id: 'gluon-1', to: ['drivers@lists.test'], name: 'gluon' }), 'drivers@lists.test');
    await waitFor('the robot has answered the patch and our reply', async () => (await robot(), answered >= 2), {
      limit: 180_000,
    });
    await pause(1500);
    await robot();
    await settled(8);
    const ours = new Set(
      repliesIn(imap, 'reader')
        .filter((mail) => mail.includes('gluon'))
        .map((mail) => fieldOf(mail, 'Message-ID')),
    );
    console.log(`the robot answered ${answered} mails; ours: ${ours.size}`);
    expect(ours.size).toBe(1);
  });

  test('no password and no mail text is in any log line, and health and metrics answer', async () => {
    const text = daemon.logText();
    expect(text).not.toContain('secret-of-bot');
    expect(text).not.toContain('instance secret');
    expect(text).not.toContain('usleep_range');
    expect(text).not.toContain('status register');
    expect((await daemon.get('/healthz')).text).toBe('alive\n');
    const metrics = await daemon.get('/metrics');
    expect(metrics.text).toMatch(/reveille_sends_total\{channel="list",result="sent"\} \d/);
    expect((await daemon.get('/elsewhere')).status).toBe(404);
  });

  test('SIGTERM drains: the daemon ends with 0 and says so', async () => {
    expect(await daemon.stop()).toBe(0);
    expect(daemon.log().at(-1)?.event).toBe('daemon.stopped');
    await daemon.start();
  });
});

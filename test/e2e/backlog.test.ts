import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listQueue, type Store } from '../../src/shell/store/index.js';
import { approveLists, makeDaemon, type Daemon } from '../support/servers/daemon-process.js';
import { hasDovecot, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { freePort, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { startSmtpSink, type SmtpSink } from '../support/servers/smtp-sink.js';

const list = 'drivers.lists.test';
const more = `List-Id: <${list}>\n`;
const waiting = process.env.REVEILLE_LONG === '1' ? 20_000 : 4000;
const lists = {
  [list]: '{address: drivers@lists.test, channel: list, settle: 0 s, caps: {hour: 99, day: 99, author: 99}}',
};

async function withStore<T>(daemon: Daemon, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await daemon.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const countMails = (daemon: Daemon): Promise<number> =>
  withStore(daemon, (store) =>
    store.read(async (db) => {
      const row = await db
        .selectFrom('mails')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirst();
      return Number(row?.n ?? 0);
    }),
  );
const parentsSent = (daemon: Daemon): Promise<string[]> =>
  withStore(daemon, async (store) => (await store.read((db) => listQueue(db, ['sent']))).map((row) => row.parent));

describe.skipIf(!hasDovecot)('after an outage [needs dovecot]', () => {
  const folder = temporaryFolder('backlog');
  let imap: Dovecot;
  let sink: SmtpSink;
  let daemon: Daemon;

  beforeAll(async () => {
    imap = await startDovecot(folder.path, ['bot']);
    sink = await startSmtpSink();
    const healthPort = await freePort();
    daemon = makeDaemon(join(folder.path, 'bot'), { imapPort: imap.port, smtpPort: sink.port, healthPort, lists });
    await approveLists(daemon, [list]);
  });
  afterAll(async () => {
    await daemon.stop();
    await sink.close();
    await imap.stop();
    folder.remove();
  });

  test(`${waiting} waiting mails are read once each, the old ones recorded and not answered, the new one answered`, async () => {
    await daemon.start();
    await daemon.stop();
    // It has been running for ten days: what was missed is old, not from before its time.
    await withStore(daemon, (store) =>
      store.write(async (tx) => {
        const value = String(Date.now() - 10 * 86_400_000);
        await tx.updateTable('meta').set({ value }).where('key', '=', 'first-start').execute();
      }),
    );
    fill(imap, waiting);
    await imap.deliver('bot', patchMail({ id: 'new-1', to: ['drivers@lists.test'], name: 'boson', more }));
    const log = join(daemon.folder, 'daemon.log');
    const began = Date.now();
    const group = daemon.launch();
    let early = 0;
    await waitFor(
      'all are in the store',
      async () => {
        const mails = await countMails(daemon);
        if (early === 0 && mails > waiting / 4) early = peakOf(group.pid);
        return mails === waiting + 1;
      },
      { limit: 1_500_000, every: 500, log },
    );
    const read = Date.now() - began;
    await waitFor('the new one is answered', async () => (await parentsSent(daemon)).length > 0, {
      limit: 300_000,
      log,
    });
    const answered = Date.now() - began;
    const peak = peakOf(group.pid);
    console.log(
      `${waiting} waiting mails: read in ${read} ms, the new one answered after ${answered} ms, peak ${peak} MB (${early} MB after a quarter)`,
    );
    await waitFor('nothing is due', async () => (await dueOf(daemon)) === 0, { limit: 300_000, log });
    expect(await parentsSent(daemon)).toEqual(['<new-1@example.org>']);
    expect(sink.taken.length).toBe(1);
    const reasons = await withStore(daemon, (store) =>
      store.read((db) =>
        db
          .selectFrom('decisions')
          .select((e) => ['reason', e.fn.countAll().as('n')])
          .groupBy('reason')
          .orderBy('reason')
          .execute(),
      ),
    );
    expect(reasons.map(({ reason, n }) => [reason, Number(n)])).toEqual([
      ['spoken', 1],
      ['too-old', waiting / 5],
    ]);
    // Flat: what is read later takes no more than what was read first. A runaway would be gigabytes.
    expect(peak - early).toBeLessThan(300);
    const { text } = await daemon.get('/metrics');
    const kept = [...text.matchAll(/^reveille_mails_total\{[^}]*kind="(\w+)"\} (\d+)$/gm)].map((m) => [m[1], m[2]]);
    expect(kept).toEqual([['new', String(waiting + 1)]]);
  });
});

describe('without IMAP', () => {
  const folder = temporaryFolder('folders');
  let sink: SmtpSink;
  let daemon: Daemon;
  const box = join(folder.path, 'maildir');

  beforeAll(async () => {
    sink = await startSmtpSink();
    for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(box, name), { recursive: true });
    const healthPort = await freePort();
    const settings = {
      smtpPort: sink.port,
      healthPort,
      lists,
      more: `folders: [{path: ${box}, kind: maildir, sweep: 1 s}]\n`,
    };
    daemon = makeDaemon(join(folder.path, 'bot'), settings);
    await approveLists(daemon, [list]);
    await daemon.start();
  });
  afterAll(async () => {
    await daemon.stop();
    await sink.close();
    folder.remove();
  });

  test('a patch that is delivered into a Maildir is answered once, also when it comes again after a kill', async () => {
    const put = (name: string, text: string): void => {
      writeFileSync(join(box, 'tmp', name), text);
      renameSync(join(box, 'tmp', name), join(box, 'new', name));
    };
    const log = join(daemon.folder, 'daemon.log');
    put('1.a', patchMail({ id: 'maildir-1', to: ['drivers@lists.test'], name: 'quark', more }));
    // Noted as sent, too: a kill between the two would park it, which the fault tests are about.
    await waitFor('it is answered', async () => (await parentsSent(daemon)).length === 1, { log });
    await daemon.kill();
    put('2.b', patchMail({ id: 'maildir-2', to: ['drivers@lists.test'], name: 'gluon', more }));
    await daemon.start();
    await waitFor('the next is answered', async () => (await parentsSent(daemon)).length === 2, { log });
    expect(await countMails(daemon)).toBe(2);
    expect(new Set(await parentsSent(daemon)).size).toBe(2);
    expect(sink.taken.length).toBe(2);
    expect((await daemon.get('/readyz')).text).toBe('ready\n');
  });
});

async function dueOf(daemon: Daemon): Promise<number> {
  return withStore(
    daemon,
    async (store) => (await store.read((db) => db.selectFrom('due').select('mail').execute())).length,
  );
}

/** The most memory that a process has had, in megabytes. */
function peakOf(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(found?.[1] ?? 0) / 1024);
}

/** Mails of two days ago, as files: one in five a patch that would deserve an answer, the others talk. */
function fill(imap: Dovecot, count: number): void {
  imap.admin('mailbox', 'status', '-u', 'bot', 'messages', 'INBOX');
  const into = join(imap.mailFolder('bot'), 'new');
  const date = new Date(Date.now() - 2 * 86_400_000);
  for (let i = 0; i < count; i++) {
    const talk = `From: Bob <bob@example.org>\nTo: drivers@lists.test\nSubject: Re: talk ${i}\nMessage-ID: <talk-${i}@example.org>\nDate: ${date.toUTCString()}\n${more}\n${'Well, I would not be so sure about this one.\n'.repeat(40)}`;
    const text =
      i % 5 === 0 ? patchMail({ id: `old-${i}`, to: ['drivers@lists.test'], name: `old${i}`, date, more }) : talk;
    const name = `${Math.floor(date.getTime() / 1000)}.M${String(i).padStart(6, '0')}P1.host`;
    writeFileSync(join(into, name), text, { mode: 0o666 });
  }
}

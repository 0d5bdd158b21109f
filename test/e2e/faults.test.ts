import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listQueue, type Queued } from '../../src/shell/store/index.js';
import { approveLists, makeDaemon, runReveille, type Daemon } from '../support/servers/daemon-process.js';
import { hasDovecot, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { fieldOf, repliesIn } from '../support/servers/mailbox.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { freePort, pause, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { startSmtpSink, type Fault, type SmtpSink } from '../support/servers/smtp-sink.js';
import { postgresKind, sqliteKind } from '../support/stores.js';

const list = 'drivers.lists.test';
const listHeader = `List-Id: <${list}>\n`;
const kills = process.env.REVEILLE_LONG === '1' ? 200 : 20;

/** A sink that hands every mail on to two subscribers, as a list's server does. */
async function listSink(imap: Dovecot): Promise<SmtpSink> {
  return startSmtpSink({
    forward: async ({ bytes }) => {
      const text = bytes.toString('latin1');
      const copy = Buffer.from(`${listHeader.replace('\n', '\r\n')}${text}`, 'latin1');
      await imap.deliver('bot', copy);
      await imap.deliver('reader', copy);
    },
  });
}

for (const kind of [sqliteKind(), postgresKind()]) {
  describe.skipIf(!hasDovecot || kind.missing)(`trouble on the way out, store ${kind.name} [needs dovecot]`, () => {
    const folder = temporaryFolder('faults');
    let imap: Dovecot;
    let sink: SmtpSink;
    let daemon: Daemon;
    let number = 0;

    beforeAll(async () => {
      await kind.start();
      imap = await startDovecot(folder.path, ['bot', 'reader']);
      sink = await listSink(imap);
      daemon = makeDaemon(join(folder.path, 'bot'), {
        imapPort: imap.port,
        smtpPort: sink.port,
        healthPort: await freePort(),
        store: await kind.url(),
        lists: {
          [list]:
            '{address: drivers@lists.test, channel: list, settle: 0 s, caps: {hour: 9999, day: 9999, author: 9999}}',
        },
      });
      await approveLists(daemon, [list]);
      await daemon.start();
    });
    afterAll(async () => {
      await daemon.stop();
      await sink.close();
      await imap.stop();
      await kind.stop();
      folder.remove();
    });

    async function queue(): Promise<Queued[]> {
      const store = await daemon.open();
      try {
        return await store.read((db) => listQueue(db));
      } finally {
        await store.close();
      }
    }

    /** Replies that were refused for now wait a minute and more; the test does not. */
    async function hurry(): Promise<void> {
      const store = await daemon.open();
      await store.write((tx) => tx.updateTable('outbox').set({ not_before: 0 }).where('state', '=', 'due').execute());
      await store.close();
    }

    /** Posts a patch and waits until its reply has the state. */
    async function postAndWait(state: string): Promise<Queued> {
      const id = `fault-${++number}`;
      await imap.deliver(
        'bot',
        patchMail({ id, to: ['drivers@lists.test'], name: `quark${number}`, more: listHeader }),
      );
      let found: Queued | undefined;
      await waitFor(
        `the reply to ${id} is ${state}`,
        async () => {
          found = (await queue()).find((row) => row.parent === `<${id}@example.org>`);
          return found?.state === state && (state !== 'due' || found.attempts > 0);
        },
        { limit: 180_000, log: join(daemon.folder, 'daemon.log') },
      );
      if (found === undefined) throw new Error('no reply');
      return found;
    }

    const copies = (row: Queued): number =>
      repliesIn(imap, 'reader').filter((mail) => fieldOf(mail, 'Message-ID') === row.messageId).length;

    test.each<[string, Fault, string]>([
      ['a 4xx to MAIL FROM', { at: 'mail', reply: 451 }, 'due'],
      ['a 4xx after the final dot', { at: 'dot', reply: 451 }, 'due'],
      ['a drop before DATA', { at: 'mail', drop: true }, 'due'],
    ])('%s: the same bytes go out later, once', async (_, fault, state) => {
      sink.fail(fault, fault); // twice: a kept connection is tried anew at once
      const row = await postAndWait(state);
      expect(copies(row)).toBe(0);
      sink.fail();
      await hurry();
      await waitFor('it is sent', async () => {
        await hurry();
        return (await queue()).find((one) => one.id === row.id)?.state === 'sent';
      });
      // The sink has it; the way to the subscriber's mailbox takes a moment more.
      await waitFor('it arrives', () => copies(row) > 0);
      expect(copies(row)).toBe(1);
      const wire = sink.taken.filter((mail) => mail.bytes.includes(row.messageId));
      expect(wire.map((mail) => mail.bytes.toString('latin1').replaceAll('\r\n', '\n'))).toEqual([
        Buffer.from(row.bytes).toString('latin1'),
      ]);
    });

    test('a 5xx ends it: nothing is sent, and the row says why', async () => {
      sink.fail({ at: 'dot', reply: 554 });
      const row = await postAndWait('failed');
      expect(row.why).toContain('554');
      expect(copies(row)).toBe(0);
    });

    test('a recipient that is refused for now gets the same bytes later, the others nothing more', async () => {
      sink.fail({ at: 'rcpt', reply: 450, only: 'dev@example.org' });
      const row = await postAndWait('due');
      await waitFor('it is sent', async () => {
        await hurry();
        return (await queue()).find((one) => one.id === row.id)?.state === 'sent';
      });
      const wire = sink.taken.filter((mail) => mail.bytes.includes(row.messageId));
      expect(wire.map((mail) => mail.to)).toEqual([['drivers@lists.test'], ['dev@example.org']]);
    });

    test.each<[string, Fault]>([
      ['a drop', { at: 'dot', drop: 'kept' }],
      ['a hang', { at: 'dot', hang: 'kept' }],
    ])('%s after the final dot is parked, and known as sent when the mail comes back', async (_, fault) => {
      sink.fail(fault);
      const began = Date.now();
      const row = await postAndWait('sent');
      console.log(`${kind.name}: ambiguous and resolved by the mail's return after ${Date.now() - began} ms`);
      await pause(1500);
      // The sink has it; the way to the subscriber's mailbox takes a moment more.
      await waitFor('it arrives', () => copies(row) > 0);
      expect(copies(row)).toBe(1);
    });

    test('a mail that was lost after the final dot stays parked for the operator', async () => {
      sink.fail({ at: 'dot', drop: 'lost' });
      const row = await postAndWait('uncertain');
      await pause(1500);
      expect(copies(row)).toBe(0);
      expect((await queue()).find((one) => one.id === row.id)?.state).toBe('uncertain');
      expect(runReveille('queue', 'list', '--config', daemon.config).text).toContain('uncertain');
    });

    test('the kill file stops everything, and its removal lets it go on', async () => {
      const stop = join(daemon.folder, 'stop');
      writeFileSync(stop, '');
      await waitFor('it is noticed', () => daemon.log().some((line) => line.event === 'kill-file.found'));
      const id = `fault-${++number}`;
      const before = sink.tried();
      await imap.deliver(
        'bot',
        patchMail({ id, to: ['drivers@lists.test'], name: `lepton${number}`, more: listHeader }),
      );
      await pause(2500);
      expect(sink.tried()).toBe(before);
      expect((await daemon.get('/readyz')).text).toContain('the kill file is there');
      const { rmSync } = await import('node:fs');
      rmSync(stop);
      await waitFor(
        'the reply is sent',
        async () => (await queue()).find((row) => row.parent === `<${id}@example.org>`)?.state === 'sent',
        { limit: 180_000 },
      );
    });

    test(`killed ${kills} times at random under load: none lost, none twice`, { timeout: kills * 60_000 }, async () => {
      const before = sink.taken.length;
      const posted: string[] = [];
      const recoveries: number[] = [];
      for (let round = 0; round < kills; round++) {
        for (let i = 0; i < 3; i++) {
          const id = `kill-${round}-${i}`;
          posted.push(`<${id}@example.org>`);
          await imap.deliver(
            'bot',
            patchMail({ id, to: ['drivers@lists.test'], name: `muon${round}x${i}`, more: listHeader }),
          );
        }
        await pause(Math.random() * 700);
        await daemon.kill();
        daemon.launch();
        const began = Date.now();
        const seen = daemon.log().length;
        await waitFor(
          'it is back',
          () =>
            daemon
              .log()
              .slice(seen)
              .some((line) => line.event === 'source.connected'),
          {
            limit: 180_000,
            log: join(daemon.folder, 'daemon.log'),
          },
        );
        recoveries.push(Date.now() - began);
      }
      await waitFor(
        'every patch has its reply out, or parked',
        async () => {
          const rows = await queue();
          const mine = rows.filter((row) => posted.includes(row.parent));
          return (
            mine.length === posted.length && mine.every((row) => ['sent', 'uncertain', 'sending'].includes(row.state))
          );
        },
        { limit: 300_000, log: join(daemon.folder, 'daemon.log') },
      );
      await pause(3000);
      await waitFor('what came back through the list is known as sent', async () => {
        const parked = (await queue()).filter((row) => posted.includes(row.parent) && row.state !== 'sent');
        return parked.every((row) => copies(row) === 0);
      });
      const rows = (await queue()).filter((row) => posted.includes(row.parent));
      const counts = rows.map((row) => copies(row));
      const parked = rows.filter((row) => row.state !== 'sent');
      const double = counts.filter((n) => n > 1).length;
      const lost = rows.filter((row, i) => row.state === 'sent' && counts[i] === 0).length;
      const slowest = Math.max(...recoveries);
      console.log(
        `${kind.name}: ${kills} kills, ${posted.length} patches, ${sink.taken.length - before} mails on the wire, ${double} double, ${lost} lost, ${parked.length} parked; back in ${slowest} ms at most`,
      );
      expect(double).toBe(0);
      expect(lost).toBe(0);
      for (const row of parked) expect(copies(row)).toBe(0);
    });
  });
}

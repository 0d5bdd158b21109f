import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hours } from '../../src/core/review/index.js';
import {
  approve,
  cancelExpired,
  findDue,
  findNextDue,
  findQueued,
  findRelated,
  findSendable,
  listQueue,
  markOutcome,
  markSeen,
  markSending,
  noteFirstStart,
  openStore,
  parkAbandoned,
  quarantine,
  readCursor,
  readDecisions,
  readHistory,
  readMutes,
  readQuarantine,
  readRaw,
  recordArrival,
  reject,
  removeMute,
  writeLater,
  writeMute,
  writeNotice,
  writeReply,
  writeSilence,
  writeTry,
  writeWrong,
  type Arrival,
  type Reply,
  type Store,
  type Tx,
  findConfirmation,
  markTold,
  pruneMails,
  readNotices,
  writeConfirmation,
} from '../../src/shell/store/index.js';
import { postgresKind, sqliteKind } from '../support/stores.js';
import { patchMail, replyMail } from '../support/thread-mails.js';

const now = Date.UTC(2026, 0, 5, 9);

function arrival(id: string, more: Partial<Arrival> = {}): Arrival {
  const mail = patchMail(id);
  return {
    raw: new TextEncoder().encode(`Subject: ${id}\n\n\0\xff body\n`),
    reading: '{"some":"reading"}',
    mail,
    lists: ['wake.lists.example.org'],
    links: [`id:${mail.id ?? ''}`],
    at: now,
    dueAt: now + 1000,
    ...more,
  };
}

function reply(parent: string, more: Partial<Reply['row']> = {}): Reply {
  return {
    row: {
      posting: `<${parent}@example.org>`,
      parent: `<${parent}@example.org>`,
      message_id: `<reply.${parent}@bot.example.org>`,
      channel: 'list',
      home: 'wake.lists.example.org',
      lists: '["wake.lists.example.org"]',
      author: 'ada@example.org',
      live: 1,
      envelope: '{"from":"bot@example.org","to":["ada@example.org"]}',
      bytes: new TextEncoder().encode('Subject: Re: x\r\n\r\n\0 bytes \xe9\r\n'),
      state: 'due',
      held_by: null,
      created_at: now,
      not_before: now,
      expires_at: now + hours(24),
      sending_at: null,
      sent_at: null,
      attempts: 0,
      why: '',
      ...more,
    },
    points: [{ fingerprint: 'f1', rule: 'budget-shrunk', causing: true }],
  };
}

async function speak(tx: Tx, id: string, more: Partial<Reply['row']> = {}): Promise<number> {
  const mail = `<${id}@example.org>`;
  return writeReply(tx, { mails: [mail], posting: mail, at: now, reason: 'spoken' }, reply(id, more));
}

for (const kind of [sqliteKind(), postgresKind()]) {
  describe.skipIf(kind.missing)(`the store on ${kind.name}`, () => {
    beforeAll(() => kind.start());
    afterAll(() => kind.stop());

    async function withStore(work: (store: Store, url: string) => Promise<void>): Promise<void> {
      const url = await kind.url();
      const store = await openStore(url, { now });
      try {
        await work(store, url);
      } finally {
        await store.close();
      }
    }

    test('a mail comes back byte for byte, with its reading, its lists and its due time', () =>
      withStore(async (store) => {
        const one = arrival('a', { cursor: { source: 'imap', value: '7' } });
        expect(await store.write((tx) => recordArrival(tx, one))).toBe('new');
        await store.read(async (db) => {
          expect(await readRaw(db, '<a@example.org>')).toEqual(one.raw);
          expect(await readCursor(db, 'imap')).toBe('7');
          expect(await findDue(db, now + 1000)).toEqual({ mail: '<a@example.org>', dueAt: now + 1000, tries: 0 });
          expect(await findDue(db, now + 999)).toBeUndefined();
          expect(await findNextDue(db)).toBe(now + 1000);
          const [kept] = await findRelated(db, '<a@example.org>');
          expect(kept).toMatchObject({ reading: one.reading, mail: one.mail, lists: one.lists, at: now });
        });
      }));

    test('a second copy is one mail with one more list, and is due once', () =>
      withStore(async (store) => {
        await store.write((tx) => recordArrival(tx, arrival('a')));
        const copy = arrival('a', { lists: ['other.lists.example.org'], at: now + 5, dueAt: now + 9000 });
        expect(await store.write((tx) => recordArrival(tx, copy))).toBe('copy');
        const [kept] = await store.read((db) => findRelated(db, '<a@example.org>'));
        expect(kept?.lists.toSorted()).toEqual(['other.lists.example.org', 'wake.lists.example.org']);
        expect(await store.read((db) => findDue(db, now + 9000))).toMatchObject({ dueAt: now + 1000 });
      }));

    test('a copy through a further list gives a mail that was passed over for want of a list a second look', () =>
      withStore(async (store) => {
        await store.write((tx) => recordArrival(tx, arrival('a')));
        const decided = {
          mails: ['<a@example.org>'],
          posting: '<a@example.org>',
          at: now,
          reason: 'list-not-named',
        } as const;
        await store.write((tx) => writeSilence(tx, decided));
        await store.write((tx) => recordArrival(tx, arrival('a', { dueAt: now + 3 })));
        expect(await store.read((db) => findNextDue(db))).toBeUndefined();
        await store.write((tx) =>
          recordArrival(tx, arrival('a', { lists: ['other.lists.example.org'], dueAt: now + 4 })),
        );
        expect(await store.read((db) => findNextDue(db))).toBe(now + 4);
      }));

    test('a thread is found from any of its mails, a new version by its title', () =>
      withStore(async (store) => {
        const title = 'title:ada@example.org|wake: sleep less';
        await store.write(async (tx) => {
          await recordArrival(tx, arrival('v1', { links: ['id:<v1@example.org>', title] }));
          const answer = replyMail('r', 'v1', 'Looks good.');
          await recordArrival(tx, arrival('r', { mail: answer, links: ['id:<r@example.org>', 'id:<v1@example.org>'] }));
          await recordArrival(tx, arrival('v2', { links: ['id:<v2@example.org>', title] }));
          await recordArrival(tx, arrival('else', { links: ['id:<else@example.org>'] }));
        });
        const found = await store.read((db) => findRelated(db, '<r@example.org>'));
        expect(found.map((kept) => kept.key)).toEqual(['<v1@example.org>', '<r@example.org>', '<v2@example.org>']);
      }));

    test('a broken transaction leaves nothing behind', () =>
      withStore(async (store) => {
        const broken = store.write(async (tx) => {
          await recordArrival(tx, arrival('a'));
          throw new Error('power cut');
        });
        await expect(broken).rejects.toThrow('power cut');
        expect(await store.read((db) => findRelated(db, '<a@example.org>'))).toEqual([]);
        expect(await store.read((db) => findNextDue(db))).toBeUndefined();
      }));

    test('silence is written with its reason, and nothing stays due', () =>
      withStore(async (store) => {
        await store.write((tx) => recordArrival(tx, arrival('a')));
        await store.write((tx) =>
          writeSilence(tx, {
            mails: ['<a@example.org>'],
            posting: '<a@example.org>',
            at: now,
            reason: 'too-old',
            detail: '2 days',
          }),
        );
        expect(await store.read((db) => findNextDue(db))).toBeUndefined();
        expect(await store.read((db) => readDecisions(db))).toMatchObject([
          { kind: 'silent', reason: 'too-old', detail: '2 days' },
        ]);
      }));

    test('a posting that is put off comes again then, and a failed try is counted', () =>
      withStore(async (store) => {
        await store.write((tx) => recordArrival(tx, arrival('a')));
        await store.write((tx) => writeLater(tx, ['<a@example.org>'], now + 5000));
        expect(await store.read((db) => findNextDue(db))).toBe(now + 5000);
        expect(await store.write((tx) => writeTry(tx, '<a@example.org>', now + 6000))).toBe(1);
        expect(await store.write((tx) => writeTry(tx, '<a@example.org>', now + 7000))).toBe(2);
      }));

    test('a reply keeps its bytes, claims its mails, and a second claim breaks the whole transaction', () =>
      withStore(async (store) => {
        await store.write((tx) => recordArrival(tx, arrival('a')));
        const id = await store.write((tx) => speak(tx, 'a'));
        const queued = await store.read((db) => findQueued(db, id));
        expect(queued).toMatchObject({ state: 'due', messageId: '<reply.a@bot.example.org>', live: true });
        expect(queued?.bytes).toEqual(reply('a').row.bytes);
        const again = store.write(async (tx) => {
          await recordArrival(tx, arrival('b'));
          await speak(tx, 'a', { message_id: '<reply.other@bot.example.org>' });
        });
        await expect(again).rejects.toThrow();
        expect(await store.read((db) => listQueue(db))).toHaveLength(1);
        expect(await store.read((db) => findRelated(db, '<b@example.org>'))).toEqual([]);
        const sameId = store.write((tx) => speak(tx, 'c', { message_id: '<reply.a@bot.example.org>' }));
        await expect(sameId).rejects.toThrow();
      }));

    test('history tells what was claimed, said, muted, approved and sent', () =>
      withStore(async (store) => {
        await store.write(async (tx) => {
          await noteFirstStart(tx, now - 5);
          expect(await noteFirstStart(tx, now)).toBe(now - 5);
          await speak(tx, 'a', { state: 'held', held_by: 'first-twenty' });
          await writeMute(tx, { scope: 'author', key: 'eve@example.org', at: now, by: 'eve@example.org', why: 'stop' });
        });
        await store.write((tx) => approve(tx, 1, now));
        const about = { ids: ['<a@example.org>', '<z@example.org>'], fingerprints: ['f1'], now, day: hours(24) };
        const history = await store.read((db) => readHistory(db, about));
        expect(history).toEqual({
          firstStart: now - 5,
          ownIds: [],
          mutes: [{ scope: 'author', key: 'eve@example.org' }],
          spoken: [{ fingerprint: 'f1', posting: '<a@example.org>', author: 'ada@example.org', causing: true }],
          claimed: ['<a@example.org>'],
          approved: { 'wake.lists.example.org': 1 },
          recent: [{ at: now, lists: ['wake.lists.example.org'], author: 'ada@example.org', live: true }],
        });
        const later = await store.read((db) => readHistory(db, { ...about, now: now + hours(25) }));
        expect(later.recent).toEqual([]);
      }));

    test('a row is sending before it is sent, comes again after a pause when refused, and is parked when nobody can tell', () =>
      withStore(async (store) => {
        await store.write((tx) => speak(tx, 'a'));
        const state = async (): Promise<string | undefined> => (await store.read((db) => findQueued(db, 1)))?.state;
        const turn = (outcome: Parameters<typeof markOutcome>[2], at: number): Promise<void> =>
          store.write(async (tx) => {
            await markSending(tx, 1, at);
            await markOutcome(tx, 1, outcome, { now: at, leftAt: at });
          });
        await turn({ kind: 'refused', retry: 'later', why: '451 greylisted' }, now);
        expect(await state()).toBe('due');
        expect(await store.read((db) => findSendable(db, now))).toBeUndefined();
        expect(await store.read((db) => findSendable(db, now + 60_000))).toMatchObject({ id: 1, attempts: 1 });
        await turn({ kind: 'ambiguous', why: 'dropped after the final dot' }, now + 60_000);
        expect(await state()).toBe('uncertain');
        expect(await store.read((db) => findSendable(db, now + hours(5)))).toBeUndefined();
        await store.write((tx) => markSeen(tx, '<reply.a@bot.example.org>', now + 70_000));
        expect(await state()).toBe('sent');
      }));

    test('what was refused before it had leave comes again, unless another process has taken the row meanwhile', () =>
      withStore(async (store) => {
        await store.write((tx) => speak(tx, 'a'));
        const refuse = { kind: 'refused', retry: 'later', why: 'no connection' } as const;
        const row = async (): Promise<unknown> => {
          const found = await store.read((db) => findQueued(db, 1));
          return [found?.state, found?.attempts, found?.notBefore];
        };
        await store.write((tx) => markOutcome(tx, 1, refuse, { now, leftAt: undefined }));
        expect(await row()).toEqual(['due', 1, now + 60_000]);
        await store.write((tx) => markSending(tx, 1, now + 60_000));
        await store.write((tx) => markOutcome(tx, 1, refuse, { now: now + 60_001, leftAt: undefined }));
        await store.write((tx) => markOutcome(tx, 1, refuse, { now: now + 60_001, leftAt: now + 59_000 }));
        expect(await row()).toEqual(['sending', 2, now + 60_000]);
        const sent = store.write((tx) => markOutcome(tx, 1, { kind: 'sent' }, { now, leftAt: undefined }));
        await expect(sent).rejects.toThrow('no leave');
      }));

    test('a refusal for good is a failure; an abandoned row is parked, never sent again by itself', () =>
      withStore(async (store) => {
        await store.write(async (tx) => {
          await speak(tx, 'a');
          await markSending(tx, 1, now);
          await markOutcome(tx, 1, { kind: 'refused', retry: 'never', why: '550 no' }, { now, leftAt: now });
          await speak(tx, 'b');
          await markSending(tx, 2, now);
          await parkAbandoned(tx, now);
          expect((await findQueued(tx, 2))?.state).toBe('sending');
          await parkAbandoned(tx, now + 1);
        });
        const queue = await store.read((db) => listQueue(db));
        expect(queue.map((q) => [q.state, q.why])).toEqual([
          ['failed', '550 no'],
          ['uncertain', 'the process ended while sending'],
        ]);
      }));

    test('what waits too long is cancelled, and its words may be said by a later version', () =>
      withStore(async (store) => {
        await store.write((tx) => speak(tx, 'a', { state: 'held', held_by: 'first-twenty' }));
        expect(await store.write((tx) => cancelExpired(tx, now + hours(24)))).toEqual([]);
        expect(await store.write((tx) => cancelExpired(tx, now + hours(24) + 1))).toEqual([1]);
        const about = { ids: ['<a@example.org>'], fingerprints: ['f1'], now, day: hours(24) };
        expect(await store.read((db) => readHistory(db, about))).toMatchObject({
          spoken: [],
          claimed: ['<a@example.org>'],
        });
      }));

    test('the operator approves, rejects, and is told when it is too late for either', () =>
      withStore(async (store) => {
        await store.write(async (tx) => {
          await speak(tx, 'a', { state: 'held', held_by: 'approval' });
          await speak(tx, 'b', { state: 'held', held_by: 'approval' });
          await speak(tx, 'c', { state: 'held', held_by: 'approval', expires_at: now });
        });
        await store.write((tx) => approve(tx, 1, now + 1));
        await store.write((tx) => reject(tx, 2, 'not useful'));
        await expect(store.write((tx) => approve(tx, 2, now + 1))).rejects.toMatchObject({ code: 'queue-state' });
        await expect(store.write((tx) => approve(tx, 3, now + 1))).rejects.toMatchObject({ code: 'queue-state' });
        await expect(store.write((tx) => approve(tx, 9, now + 1))).rejects.toMatchObject({ code: 'queue-unknown' });
        const states = (await store.read((db) => listQueue(db))).map((q) => q.state);
        expect(states.slice(0, 2)).toEqual(['due', 'cancelled']);
      }));

    test('two "wrong" marks mute a rule until the operator has looked; one person does not count twice for one mail', () =>
      withStore(async (store) => {
        const mark = (sender: string, messageId: string): Promise<string> =>
          store.write((tx) => writeWrong(tx, { rule: 'budget-shrunk', sender, messageId, at: now }));
        expect(await mark('bob@example.org', '<1@bot>')).toBe('marked');
        expect(await mark('bob@example.org', '<1@bot>')).toBe('marked');
        expect(await store.read((db) => readMutes(db))).toEqual([]);
        expect(await mark('eve@example.org', '<1@bot>')).toBe('muted');
        expect(await store.read((db) => readMutes(db))).toMatchObject([{ scope: 'rule', key: 'budget-shrunk' }]);
        expect(await store.write((tx) => removeMute(tx, { scope: 'rule', key: 'budget-shrunk' }))).toBe(true);
        expect(await mark('dan@example.org', '<2@bot>')).toBe('marked');
      }));

    test('the bytes of old mails are dropped, a few at a time; what was read stays, and they are known when they come again', () =>
      withStore(async (store) => {
        await store.write(async (tx) => {
          for (const id of ['a', 'b', 'c']) await recordArrival(tx, arrival(id));
          await tx
            .updateTable('mails')
            .set({ arrived: now - hours(100) })
            .where('id', '!=', '<c@example.org>')
            .execute();
          // Only what has been decided is old.
          await tx.deleteFrom('due').where('mail', '!=', '<b@example.org>').execute();
        });
        expect(await store.write((tx) => pruneMails(tx, now - hours(50)))).toBe(1);
        expect(await store.write((tx) => pruneMails(tx, now - hours(50)))).toBe(0);
        const sizes = await Promise.all(
          ['a', 'b', 'c'].map(async (id) => (await store.read((db) => readRaw(db, `<${id}@example.org>`)))?.length),
        );
        expect(sizes.map((size) => (size ?? 0) > 0)).toEqual([false, true, true]);
        expect((await store.read((db) => findRelated(db, '<a@example.org>')))[0]?.reading).not.toBe('');
        expect(await store.write((tx) => recordArrival(tx, arrival('a')))).toBe('copy');
      }));

    test('a person gets one confirmation a day', () =>
      withStore(async (store) => {
        const one = { at: now, to: 'ada@example.org', inReplyTo: '<x@example.org>', subject: 'Re: x', what: 'Yes.' };
        await store.write(async (tx) => {
          await writeConfirmation(tx, one);
          await writeConfirmation(tx, { ...one, at: now + 1 });
          await writeConfirmation(tx, { ...one, at: now + hours(25) });
        });
        const kept = await store.read((db) => db.selectFrom('notices').select('at').orderBy('id').execute());
        expect(kept.map(({ at }) => Number(at))).toEqual([now, now + hours(25)]);
        expect(await store.read((db) => findConfirmation(db, now + hours(2)))).toMatchObject(one);
        expect(await store.read((db) => readNotices(db))).toEqual([]);
      }));

    test('notices are told once, poison is put aside with its reason', () =>
      withStore(async (store) => {
        await store.write(async (tx) => {
          await recordArrival(tx, arrival('a'));
          await writeNotice(tx, { at: now, kind: 'rule-muted', text: 'budget-shrunk' });
          await quarantine(tx, {
            at: now,
            source: 'imap',
            mail: '<a@example.org>',
            reason: 'cannot be read',
            raw: new Uint8Array([0, 255]),
          });
        });
        const told = await store.read((db) => readNotices(db));
        expect(told).toMatchObject([{ kind: 'rule-muted' }]);
        const ids = told.map(({ id }) => id);
        expect(await store.write((tx) => markTold(tx, ids, true))).toBe(true);
        expect(await store.write((tx) => markTold(tx, ids, true))).toBe(false);
        expect(await store.read((db) => readNotices(db))).toEqual([]);
        expect(await store.write((tx) => markTold(tx, ids, false))).toBe(true);
        expect(await store.read((db) => readNotices(db))).toEqual(told);
        expect(await store.read((db) => readQuarantine(db))).toEqual([
          { mail: '<a@example.org>', reason: 'cannot be read', raw: new Uint8Array([0, 255]) },
        ]);
        expect(await store.read((db) => findNextDue(db))).toBeUndefined();
      }));

    test('two holders of one store write in turn and see each other', () =>
      withStore(async (store, url) => {
        const other = await openStore(url, { now });
        const order: string[] = [];
        const first = store.write(async (tx) => {
          await recordArrival(tx, arrival('a'));
          await new Promise((wake) => setTimeout(wake, 60));
          order.push('first');
        });
        await new Promise((wake) => setTimeout(wake, 20));
        const second = other.write(async (tx) => {
          order.push((await findRelated(tx, '<a@example.org>')).length === 1 ? 'second sees it' : 'second does not');
        });
        await Promise.all([first, second]);
        expect(order).toEqual(['first', 'second sees it']);
        await other.close();
      }));

    test('readers go on while somebody writes, and see nothing half done', () =>
      withStore(async (store, url) => {
        const reader = await openStore(url, { now });
        await store.write(async (tx) => {
          await recordArrival(tx, arrival('a'));
          expect(await reader.read((db) => findRelated(db, '<a@example.org>'))).toEqual([]);
        });
        expect(await reader.read((db) => findRelated(db, '<a@example.org>'))).toHaveLength(1);
        await reader.close();
      }));

    test('opening again migrates nothing, and a store of a newer program is left alone', () =>
      withStore(async (store, url) => {
        const again = await openStore(url, { now });
        await again.close();
        await store.write((tx) => tx.insertInto('migrations').values({ version: 999, applied_at: now }).execute());
        await expect(openStore(url, { now })).rejects.toMatchObject({ code: 'store-newer', retry: 'never' });
      }));
  });
}

import { describe, expect, test } from 'vitest';
import { sendOne } from '../../src/shell/bot/index.js';
import { listQueue, writeMute, type SendOutcome } from '../../src/shell/store/index.js';
import { mailText, patchBody } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { World } from '../support/world.js';

/** A world with replies that wait to be sent, one to each author. */
async function waiting(...authors: readonly string[]): Promise<World> {
  const w = await World.open();
  w.sending = () => ({ kind: 'refused', retry: 'later', why: '451' });
  for (const id of authors) {
    const body = patchBody(`drivers/wake/${id}.c`);
    await w.mail(mailText({ id, subject: `[PATCH] wake: ${id}`, body, date: w.now, from: `${id}@example.org` }));
  }
  await w.pass(21);
  w.now += 61_000;
  return w;
}

/** What a transport does that gets ready, and while it does something happens. */
async function sendWhile(w: World, happens: () => Promise<void> | void): Promise<SendOutcome | undefined> {
  const send = async (_: unknown, leave: () => Promise<boolean>): Promise<SendOutcome> => {
    await happens();
    return { kind: (await leave()) ? 'sent' : 'withdrawn' };
  };
  return (await sendOne(w.store, { ...w.sendDeps(), send }, () => w.now))?.outcome;
}

const states = async (w: World): Promise<string[]> =>
  (await w.store.read((db) => listQueue(db))).map(({ state }) => state);

describe('leave to send, asked for when a transport is ready', () => {
  test('is given once: of two processes with one reply in hand the second goes home', async () => {
    const w = await waiting('ada');
    const outcome = await sendWhile(w, async () => {
      expect(await sendWhile(w, () => undefined)).toEqual({ kind: 'sent' });
    });
    expect(outcome).toEqual({ kind: 'withdrawn' });
    expect(await states(w)).toEqual(['sent']);
  });

  test.each<[string, (w: World) => Promise<void> | void, string]>([
    ['the kill file has come', (w) => void (w.killed = true), 'due'],
    ['the policy has broken', (w) => void (w.policy = { kind: 'none', why: 'broken' }), 'due'],
    ['the list has opted out', (w) => void (w.policy = policyOf([listPolicy({ channel: 'none' })])), 'cancelled'],
    [
      'the author has said stop',
      (w) =>
        w.store.write((tx) =>
          writeMute(tx, { scope: 'author', key: 'ada@example.org', at: w.now, by: 'ada', why: 'stop' }),
        ),
      'cancelled',
    ],
    [
      'a newer version has come',
      async (w) => {
        const body = patchBody('drivers/wake/ada.c', 'msleep(100);', 'udelay(9);');
        const more = { subject: '[PATCH v2] wake: ada', date: w.now, from: 'ada@example.org' };
        await w.mail(mailText({ id: 'ada2', body, ...more }));
      },
      'cancelled',
    ],
    ['a day has passed', (w) => void (w.now += 25 * 3_600_000), 'cancelled'],
  ])('is refused once %s', async (_, happens, state) => {
    const w = await waiting('ada');
    expect(await sendWhile(w, () => happens(w))).toEqual({ kind: 'withdrawn' });
    expect(await states(w)).toEqual([state]);
  });

  test('is refused where another reply has reached the cap meanwhile', async () => {
    const w = await waiting('ada', 'bea');
    w.policy = policyOf([listPolicy({ caps: { hour: 1, day: 9, author: 9 } })]);
    const outcome = await sendWhile(w, async () => {
      const [, other] = await w.store.read((db) => listQueue(db));
      await w.store.write((tx) =>
        tx
          .updateTable('outbox')
          .set({ state: 'sent', sending_at: w.now })
          .where('id', '=', other?.id ?? 0)
          .execute(),
      );
    });
    expect(outcome).toEqual({ kind: 'withdrawn' });
    expect(await states(w)).toEqual(['due', 'sent']);
  });
});

import { createHash } from 'node:crypto';
import type { Arrived, ThreadMail } from '../../core/review/index.js';
import type { Db, Tx } from './tables.js';

/** A mail that has been fetched and read, ready to be kept. */
export type Arrival = {
  readonly raw: Uint8Array;
  /** Reading, as JSON text. */
  readonly reading: string;
  readonly mail: ThreadMail;
  readonly lists: readonly string[];
  /** What finds it again: its own id, the ids it names, its title, its change-id. */
  readonly links: readonly string[];
  readonly at: number;
  /** When its series is judged; absent for a mail that is never answered. */
  readonly dueAt?: number;
  /** Where the source goes on after this mail. */
  readonly cursor?: { readonly source: string; readonly value: string };
};

/** The key of a mail: its message-id, else a hash of its bytes. */
export function mailKey(id: string | undefined, raw: Uint8Array): string {
  return id ?? `sha256:${createHash('sha256').update(raw).digest('hex')}`;
}

/**
 * Keeps a mail, makes its series due and moves the cursor: one transaction. A further copy adds the list that it came
 * through, and gives the mail a second look if it had been passed over for want of that list.
 */
export async function recordArrival(tx: Tx, arrival: Arrival): Promise<'new' | 'copy'> {
  const id = mailKey(arrival.mail.id, arrival.raw);
  const inserted = await tx
    .insertInto('mails')
    .values({
      id,
      arrived: arrival.at,
      raw: Buffer.from(arrival.raw),
      reading: arrival.reading,
      mail: JSON.stringify(arrival.mail),
    })
    .onConflict((c) => c.column('id').doNothing())
    .returning('seq')
    .executeTakeFirst();
  const fresh = await recordLists(tx, id, arrival);
  const keys = [...new Set(arrival.links)];
  if (inserted !== undefined && keys.length > 0) {
    await tx
      .insertInto('links')
      .values(keys.map((key) => ({ key, mail: id })))
      .onConflict((c) => c.doNothing())
      .execute();
  }
  if (arrival.dueAt !== undefined && (inserted !== undefined || (fresh && (await wasForWantOfList(tx, id))))) {
    await tx
      .insertInto('due')
      .values({ mail: id, due_at: arrival.dueAt, tries: 0 })
      .onConflict((c) => c.doNothing())
      .execute();
  }
  if (arrival.cursor !== undefined) await moveCursor(tx, arrival.cursor);
  return inserted === undefined ? 'copy' : 'new';
}

async function recordLists(tx: Tx, id: string, arrival: Arrival): Promise<boolean> {
  let fresh = false;
  for (const list of new Set(arrival.lists)) {
    const added = await tx
      .insertInto('deliveries')
      .values({ mail: id, list, arrived: arrival.at })
      .onConflict((c) => c.doNothing())
      .returning('list')
      .executeTakeFirst();
    fresh ||= added !== undefined;
  }
  return fresh;
}

async function wasForWantOfList(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('decisions').select('reason').where('mail', '=', id).executeTakeFirst();
  return (
    row !== undefined &&
    ['list-not-named', 'list-off', 'path-filtered', 'subsystem-filtered', 'list-muted'].includes(row.reason)
  );
}

/** Moves a source's cursor, also past mails that are not kept. */
export async function moveCursor(tx: Tx, cursor: { readonly source: string; readonly value: string }): Promise<void> {
  await tx
    .insertInto('cursors')
    .values(cursor)
    .onConflict((c) => c.column('source').doUpdateSet({ value: cursor.value }))
    .execute();
}

export async function readCursor(db: Db, source: string): Promise<string | undefined> {
  return (await db.selectFrom('cursors').select('value').where('source', '=', source).executeTakeFirst())?.value;
}

/** A mail as it is kept. `reading` is JSON text. */
export type Kept = Arrived & { readonly key: string; readonly seq: number; readonly reading: string };

// A thread of this many mails is no thread that a decision needs whole: the newest are taken.
const relatedLimit = 2000;

/** Every mail that has to do with one: its thread, and other postings by title, author or change-id; oldest first. */
export async function findRelated(db: Db, id: string): Promise<Kept[]> {
  let ids = [id];
  for (let hop = 0; hop < 2; hop++) {
    const rows = await db
      .selectFrom('links as mine')
      .innerJoin('links as theirs', 'theirs.key', 'mine.key')
      .select('theirs.mail')
      .distinct()
      .where('mine.mail', 'in', ids.slice(0, 500))
      .limit(relatedLimit)
      .execute();
    ids = [...new Set([...ids, ...rows.map((row) => row.mail)])];
  }
  return findMails(db, ids);
}

/** The mails of these keys that are kept, oldest first. */
export async function findMails(db: Db, ids: readonly string[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (let from = 0; from < ids.length; from += 500) {
    const part = ids.slice(from, from + 500);
    const rows = await db
      .selectFrom('mails')
      .select(['id', 'seq', 'arrived', 'reading', 'mail'])
      .where('id', 'in', part)
      .execute();
    const lists = await db.selectFrom('deliveries').select(['mail', 'list']).where('mail', 'in', part).execute();
    for (const row of rows) {
      kept.push({
        key: row.id,
        seq: Number(row.seq),
        at: Number(row.arrived),
        reading: row.reading,
        mail: JSON.parse(row.mail) as ThreadMail, // written by recordArrival only
        lists: lists.filter((l) => l.mail === row.id).map((l) => l.list),
      });
    }
  }
  return kept.sort((a, b) => a.seq - b.seq);
}

/** The bytes of a mail as they came. */
export async function readRaw(db: Db, key: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('mails').select('raw').where('id', '=', key).executeTakeFirst();
  return row === undefined ? undefined : bytesOf(row.raw);
}

const mostPruned = 500;

/**
 * Drops the bytes of mails that came before a moment, decided ones only and a few at a time; what was read from them stays, so that
 * they are known when they come again. Gives how many.
 */
export async function pruneMails(tx: Tx, before: number): Promise<number> {
  const rows = await tx
    .selectFrom('mails')
    .select('id')
    .where('arrived', '<', before)
    .where('pruned', '=', 0)
    .where('id', 'not in', (e) => e.selectFrom('due').select('mail'))
    .limit(mostPruned)
    .execute();
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    await tx
      .updateTable('mails')
      .set({ raw: Buffer.alloc(0), pruned: 1 })
      .where('id', 'in', ids)
      .execute();
  }
  await tx.deleteFrom('quarantine').where('at', '<', before).execute();
  return rows.length;
}

/** Databases give bytes as Buffer or ArrayBuffer. */
export function bytesOf(value: Uint8Array | ArrayBuffer): Uint8Array {
  return value instanceof Uint8Array ? new Uint8Array(value) : new Uint8Array(value.slice(0));
}

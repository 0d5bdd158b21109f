import type { Db, Tx } from './tables.js';

/** Something that a person should be told by mail. */
export type Notice = { readonly id: number; readonly at: number; readonly kind: string; readonly text: string };

/** The answer to a command of a verified sender. */
export type Confirmation = {
  readonly at: number;
  readonly to: string;
  readonly inReplyTo: string;
  readonly subject: string;
  readonly what: string;
};

const confirmation = 'confirmation';
const day = 86_400_000;
const mostConfirmations = 20;

/** Something the operator should know. */
export async function writeNotice(
  tx: Tx,
  notice: { readonly at: number; readonly kind: string; readonly text: string },
): Promise<void> {
  await tx
    .insertInto('notices')
    .values({ ...notice, text: notice.text.slice(0, 4000), told: 0 })
    .execute();
}

/** Puts a confirmation in the line, unless the person has had one within a day or there have been too many. */
export async function writeConfirmation(tx: Tx, told: Confirmation): Promise<void> {
  const rows = await tx
    .selectFrom('notices')
    .select('text')
    .where('kind', '=', confirmation)
    .where('at', '>', told.at - day)
    .execute();
  if (rows.length >= mostConfirmations) return;
  if (rows.some(({ text }) => parseConfirmation(text).to === told.to)) return;
  const { at, ...rest } = told;
  const text = JSON.stringify({
    ...rest,
    subject: rest.subject.slice(0, 500),
    inReplyTo: rest.inReplyTo.slice(0, 998),
  });
  await tx.insertInto('notices').values({ at, kind: confirmation, text, told: 0 }).execute();
}

function parseConfirmation(text: string): Omit<Confirmation, 'at'> {
  return JSON.parse(text) as Omit<Confirmation, 'at'>; // written by writeConfirmation only
}

/** What the operator has not been told yet, oldest first. */
export async function readNotices(db: Db): Promise<Notice[]> {
  const rows = await db
    .selectFrom('notices')
    .selectAll()
    .where('told', '=', 0)
    .where('kind', '!=', confirmation)
    .orderBy('id')
    .limit(500)
    .execute();
  return rows.map(({ id, at, kind, text }) => ({ id: Number(id), at: Number(at), kind, text }));
}

/** The oldest confirmation that has not been sent, if it is no older than a day. */
export async function findConfirmation(db: Db, now: number): Promise<(Confirmation & { id: number }) | undefined> {
  const row = await db
    .selectFrom('notices')
    .selectAll()
    .where('told', '=', 0)
    .where('kind', '=', confirmation)
    .where('at', '>', now - day)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { id: Number(row.id), at: Number(row.at), ...parseConfirmation(row.text) };
}

/** Notes notices as told, or not. False when all of them were that already: another process has them in hand. */
export async function markTold(tx: Tx, ids: readonly number[], told: boolean): Promise<boolean> {
  const [from, to] = told ? [0, 1] : [1, 0];
  const done = await tx
    .updateTable('notices')
    .set({ told: to })
    .where('id', 'in', [...ids, -1])
    .where('told', '=', from)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) > 0;
}

/** When somebody was last told something. */
export async function readLastTold(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'last-told').executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
}

export async function writeLastTold(tx: Tx, now: number): Promise<void> {
  await tx
    .insertInto('meta')
    .values({ key: 'last-told', value: String(now) })
    .onConflict((c) => c.column('key').doUpdateSet({ value: String(now) }))
    .execute();
}

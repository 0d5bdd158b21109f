import type { Db, Tx } from './tables.js';

/** Notes that something is done, once: false where it was noted before. */
export async function writeMark(tx: Tx, key: string, value: string): Promise<boolean> {
  const row = await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((c) => c.doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function readMark(db: Db, key: string): Promise<string | undefined> {
  return (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value;
}

/** It was not done after all: it may be tried again. */
export async function removeMark(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', key).execute();
}

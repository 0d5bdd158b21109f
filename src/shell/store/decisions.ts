import type { History, Mute, Period, SilenceReason } from '../../core/review/index.js';
import { bytesOf } from './arrivals.js';
import type { Db, NewOutboxRow, Tx } from './tables.js';

export type DueRow = { readonly mail: string; readonly dueAt: number; readonly tries: number };

/** The mail whose series has been due for longest, if one is due by now: of all, of all but some, or one alone. */
export async function findDue(
  db: Db,
  now: number,
  among: { readonly but?: readonly string[]; readonly only?: string } = {},
): Promise<DueRow | undefined> {
  const { but = [], only } = among;
  const base = db.selectFrom('due').selectAll().where('due_at', '<=', now).orderBy('due_at').orderBy('mail').limit(1);
  const rest = but.length === 0 ? base : base.where('mail', 'not in', [...but]);
  const row = await (only === undefined ? rest : rest.where('mail', '=', only)).executeTakeFirst();
  return row === undefined ? undefined : { mail: row.mail, dueAt: Number(row.due_at), tries: Number(row.tries) };
}

/** When the next series is due; undefined when none is. */
export async function findNextDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('due')
    .select((e) => e.fn.min('due_at').as('at'))
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
}

/** What has happened before that a decision must know, read in the decision's own transaction. */
export async function readHistory(
  db: Db,
  about: {
    readonly ids: readonly string[];
    readonly fingerprints?: readonly string[];
    readonly now: number;
    readonly day: Period;
  },
): Promise<Omit<History, 'killed'>> {
  const recent = await db
    .selectFrom('outbox')
    .select(['created_at', 'sending_at', 'lists', 'author', 'live'])
    .where('state', '!=', 'cancelled')
    .where((e) => e.or([e('created_at', '>', about.now - about.day), e('sending_at', '>', about.now - about.day)]))
    .execute();
  const mutes = await db.selectFrom('mutes').select(['scope', 'key']).execute();
  const claimed = await db
    .selectFrom('claims')
    .select('message_id')
    .where('message_id', 'in', [...about.ids, ''])
    .execute();
  const spoken = await db
    .selectFrom('spoken')
    .select(['fingerprint', 'posting', 'author', 'causing'])
    .where((e) =>
      e.or([e('fingerprint', 'in', [...(about.fingerprints ?? []), '']), e('posting', 'in', [...about.ids, ''])]),
    )
    .execute();
  const approvals = await db.selectFrom('approvals').selectAll().execute();
  const own = await db
    .selectFrom('outbox')
    .select('message_id')
    .where('message_id', 'in', [...about.ids, ''])
    .execute();
  const start = await db.selectFrom('meta').select('value').where('key', '=', 'first-start').executeTakeFirst();
  return {
    ...(start === undefined ? {} : { firstStart: Number(start.value) }),
    ownIds: own.map((row) => row.message_id),
    mutes: mutes.map((row) => ({ scope: row.scope as Mute['scope'], key: row.key })),
    spoken: spoken.map((row) => ({ ...row, causing: Number(row.causing) === 1 })),
    claimed: claimed.map((row) => row.message_id),
    approved: Object.fromEntries(approvals.map((row) => [row.list, Number(row.count)])),
    recent: recent.map((row) => ({
      at: Number(row.sending_at ?? row.created_at),
      lists: JSON.parse(row.lists) as string[],
      author: row.author,
      live: Number(row.live) === 1,
    })),
  };
}

/** Notes the first start once: what came before it is never answered. Gives the moment that stands. */
export async function noteFirstStart(tx: Tx, now: number): Promise<number> {
  await tx
    .insertInto('meta')
    .values({ key: 'first-start', value: String(now) })
    .onConflict((c) => c.doNothing())
    .execute();
  const row = await tx.selectFrom('meta').select('value').where('key', '=', 'first-start').executeTakeFirstOrThrow();
  return Number(row.value);
}

/** What became of a posting: the mails that share the decision, and its words. */
export type Decided = {
  readonly mails: readonly string[];
  readonly posting: string;
  readonly at: number;
  readonly reason: SilenceReason | 'spoken';
  readonly detail?: string;
};

/** Writes that a posting stays without an answer, and why. Nothing of it is due any more. */
export async function writeSilence(tx: Tx, decided: Decided): Promise<void> {
  await writeDecisions(tx, decided, undefined);
}

/** Puts a posting off. */
export async function writeLater(tx: Tx, mails: readonly string[], until: number): Promise<void> {
  await tx
    .updateTable('due')
    .set({ due_at: until })
    .where('mail', 'in', [...mails])
    .execute();
}

export type Reply = {
  readonly row: Omit<NewOutboxRow, 'id' | 'bytes'> & { readonly bytes: Uint8Array };
  readonly points: readonly { readonly fingerprint: string; readonly rule: string; readonly causing: boolean }[];
};

/**
 * Writes a reply with its final bytes, claims every mail it answers for, and notes what is said: one transaction. A claim or a
 * Message-ID that is there already breaks the whole transaction, so that nothing is ever said twice.
 */
export async function writeReply(tx: Tx, decided: Decided, reply: Reply): Promise<number> {
  const { id } = await tx
    .insertInto('outbox')
    .values({ ...reply.row, bytes: Buffer.from(reply.row.bytes) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const outbox = Number(id);
  await tx
    .insertInto('claims')
    .values(decided.mails.map((message_id) => ({ message_id, outbox })))
    .execute();
  const { posting, author } = reply.row;
  if (reply.points.length > 0) {
    await tx
      .insertInto('spoken')
      .values(
        reply.points.map(({ fingerprint, rule, causing }) => ({
          fingerprint,
          posting,
          author,
          causing: causing ? 1 : 0,
          rule,
          at: decided.at,
          outbox,
        })),
      )
      .onConflict((c) => c.doNothing())
      .execute();
  }
  await writeDecisions(tx, decided, outbox);
  return outbox;
}

async function writeDecisions(tx: Tx, decided: Decided, outbox: number | undefined): Promise<void> {
  const { posting, at, reason, detail = '' } = decided;
  const kind = reason === 'spoken' ? 'spoken' : 'silent';
  for (const mail of decided.mails) {
    const said = { posting, at, kind, reason, detail: detail.slice(0, 2000), outbox: outbox ?? null };
    await tx
      .insertInto('decisions')
      .values({ mail, ...said })
      .onConflict((c) => c.column('mail').doUpdateSet(said))
      .execute();
  }
  await tx
    .deleteFrom('due')
    .where('mail', 'in', [...decided.mails])
    .execute();
}

/** One more failed try at a mail; the pause before the next is the caller's. Gives the number of tries so far. */
export async function writeTry(tx: Tx, mail: string, nextAt: number): Promise<number> {
  const row = await tx
    .updateTable('due')
    .set((e) => ({ tries: e('tries', '+', 1), due_at: nextAt }))
    .where('mail', '=', mail)
    .returning('tries')
    .executeTakeFirst();
  return Number(row?.tries ?? 0);
}

/** Puts a mail that cannot be read or judged aside, with its reason, so that the queue goes on. */
export async function quarantine(
  tx: Tx,
  poison: {
    readonly at: number;
    readonly source: string;
    readonly mail: string;
    readonly reason: string;
    readonly raw: Uint8Array;
  },
): Promise<void> {
  const row = { ...poison, reason: poison.reason.slice(0, 2000), raw: Buffer.from(poison.raw) };
  // A source may give a mail again after a crash, or from a mailbox that was made anew.
  const there = tx.selectFrom('quarantine').select('id').where('mail', '=', poison.mail).limit(1);
  if ((await there.executeTakeFirst()) === undefined) await tx.insertInto('quarantine').values(row).execute();
  await tx.deleteFrom('due').where('mail', '=', poison.mail).execute();
}

export async function readQuarantine(db: Db): Promise<{ mail: string; reason: string; raw: Uint8Array }[]> {
  const rows = await db.selectFrom('quarantine').selectAll().orderBy('id').execute();
  return rows.map((row) => ({ mail: row.mail, reason: row.reason, raw: bytesOf(row.raw) }));
}

/** Decisions by mail, for statistics and for people who ask why. */
export async function readDecisions(
  db: Db,
): Promise<{ mail: string; posting: string; kind: string; reason: string; detail: string; at: number }[]> {
  const rows = await db.selectFrom('decisions').selectAll().orderBy('at').orderBy('mail').execute();
  return rows.map((row) => ({ ...row, at: Number(row.at) }));
}

import { findMails, type Kept } from './arrivals.js';
import { findQueued, type Queued } from './outbox.js';
import type { Db } from './tables.js';

const batch = 500;

/** The mails that came from a moment on and before another, oldest first, a few hundred at a time. */
export async function* mailsBetween(db: Db, from: number, until: number): AsyncGenerator<Kept[]> {
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom('mails')
      .select(['id', 'seq'])
      .where('arrived', '>=', from)
      .where('arrived', '<', until)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(batch)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await findMails(
      db,
      rows.map((row) => row.id),
    );
    after = Number(last.seq);
  }
}

/** What was decided about a mail, with the reply that answers for it. */
export type MailOutcome = {
  readonly mail: string;
  readonly posting: string;
  readonly kind: string;
  readonly reason: string;
  readonly detail: string;
  readonly reply?: Queued;
};

/** The decisions about these mails; one that is not decided yet has none. */
export async function readOutcomes(db: Db, ids: readonly string[]): Promise<MailOutcome[]> {
  const found: MailOutcome[] = [];
  for (let from = 0; from < ids.length; from += batch) {
    const rows = await db
      .selectFrom('decisions')
      .selectAll()
      .where('mail', 'in', ids.slice(from, from + batch))
      .execute();
    for (const { mail, posting, kind, reason, detail, outbox } of rows) {
      const reply = outbox === null ? undefined : await findQueued(db, Number(outbox));
      found.push({ mail, posting, kind, reason, detail, ...(reply === undefined ? {} : { reply }) });
    }
  }
  return found;
}

export type WrongRow = {
  readonly rule: string;
  readonly by: string;
  readonly at: number;
  readonly list: string;
  readonly reply: number;
};

/** Marks of "wrong", with the reply each is about. */
export async function readWrongs(db: Db): Promise<WrongRow[]> {
  const rows = await db
    .selectFrom('wrongs')
    .innerJoin('outbox', 'outbox.message_id', 'wrongs.message_id')
    .select(['wrongs.rule', 'wrongs.sender', 'wrongs.at', 'outbox.home', 'outbox.id'])
    .orderBy('wrongs.at')
    .orderBy('wrongs.rule')
    .execute();
  return rows.map(({ rule, sender, at, home, id }) => ({
    rule,
    by: sender,
    at: Number(at),
    list: home,
    reply: Number(id),
  }));
}

/** One reply as statistics see it. */
export type ActivityOf = Pick<Queued, 'home' | 'state' | 'live' | 'heldBy' | 'why' | 'createdAt'>;

/** Every reply that was written from a moment on and before another. */
export async function readActivityRows(db: Db, from: number, until: number): Promise<ActivityOf[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['home', 'state', 'live', 'held_by', 'why', 'created_at'])
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .orderBy('id')
    .execute();
  return rows.map(({ home, state, live, held_by, why, created_at }) => ({
    home,
    state: state as Queued['state'], // written by outbox.ts and decisions.ts only
    live: Number(live) === 1,
    ...(held_by === null ? {} : { heldBy: held_by }),
    why,
    createdAt: Number(created_at),
  }));
}

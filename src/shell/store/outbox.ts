import { bytesOf } from './arrivals.js';
import { Failure } from '../config/index.js';
import type { Db, OutboxRow, Tx } from './tables.js';

/**
 * `due` waits for its turn, `held` for the operator; `sending` is with a transport; `uncertain` may have left: it is never sent
 * again by itself; `failed` was refused for good; `cancelled` will not be sent.
 */
export type OutboxState = 'due' | 'held' | 'sending' | 'sent' | 'uncertain' | 'failed' | 'cancelled';

/** A reply in the outbox with its final bytes: what is sent, and sent again, is these. */
export type Queued = {
  readonly id: number;
  readonly state: OutboxState;
  readonly posting: string;
  readonly parent: string;
  readonly messageId: string;
  readonly channel: string;
  readonly home: string;
  readonly lists: readonly string[];
  readonly author: string;
  readonly live: boolean;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly bytes: Uint8Array;
  readonly heldBy?: string;
  readonly createdAt: number;
  readonly notBefore: number;
  readonly expiresAt: number;
  readonly sendingAt?: number;
  readonly sentAt?: number;
  readonly attempts: number;
  readonly why: string;
};

function queuedOf(row: OutboxRow): Queued {
  return {
    id: Number(row.id),
    state: row.state as OutboxState, // written by this file and decisions.ts only
    posting: row.posting,
    parent: row.parent,
    messageId: row.message_id,
    channel: row.channel,
    home: row.home,
    lists: JSON.parse(row.lists) as string[],
    author: row.author,
    live: Number(row.live) === 1,
    envelope: JSON.parse(row.envelope) as Queued['envelope'],
    bytes: bytesOf(row.bytes),
    ...(row.held_by === null ? {} : { heldBy: row.held_by }),
    createdAt: Number(row.created_at),
    notBefore: Number(row.not_before),
    expiresAt: Number(row.expires_at),
    ...(row.sending_at === null ? {} : { sendingAt: Number(row.sending_at) }),
    ...(row.sent_at === null ? {} : { sentAt: Number(row.sent_at) }),
    attempts: Number(row.attempts),
    why: row.why,
  };
}

export async function listQueue(db: Db, states?: readonly OutboxState[]): Promise<Queued[]> {
  const base = db.selectFrom('outbox').selectAll().orderBy('id');
  const rows = await (states === undefined ? base : base.where('state', 'in', [...states])).execute();
  return rows.map(queuedOf);
}

export async function findQueued(db: Db, id: number): Promise<Queued | undefined> {
  const row = await db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : queuedOf(row);
}

/** Our mail of one of these message-ids, for a reply that may carry a command. */
export async function findOwn(db: Db, messageIds: readonly string[]): Promise<Queued | undefined> {
  if (messageIds.length === 0) return undefined;
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .where('message_id', 'in', [...messageIds])
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : queuedOf(row);
}

/** The oldest reply whose turn it is, but for some. */
export async function findSendable(db: Db, now: number, but: readonly number[] = []): Promise<Queued | undefined> {
  const base = db.selectFrom('outbox').selectAll().where('state', '=', 'due').where('not_before', '<=', now);
  const rest = but.length === 0 ? base : base.where('id', 'not in', [...but]);
  const row = await rest.orderBy('not_before').orderBy('id').limit(1).executeTakeFirst();
  return row === undefined ? undefined : queuedOf(row);
}

/** Replies that went to a transport within the last day, for the caps: the last door before the world. */
export async function readSent(db: Db, since: number): Promise<Queued[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['sending', 'sent', 'uncertain'])
    .where('sending_at', '>', since)
    .execute();
  return rows.map(queuedOf);
}

/** Intent first: a row is `sending` from just before the first byte of its mail leaves. */
export async function markSending(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('outbox')
    .set((e) => ({ state: 'sending', sending_at: now, attempts: e('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'due')
    .execute();
}

/**
 * How a try to send ended. `ambiguous`: the server may have taken it; then only its own return tells. `withdrawn`: it got no leave,
 * and the row is somebody else's business. `only`: recipients who still wait, while the others have the mail.
 */
export type SendOutcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'refused';
      readonly retry: 'later' | 'never';
      readonly why: string;
      readonly only?: readonly string[];
    }
  | { readonly kind: 'ambiguous'; readonly why: string }
  | { readonly kind: 'withdrawn' };

const firstPause = 60_000;
const longestPause = 3_600_000;

/**
 * Notes how a try ended. What was refused for now comes again after a growing pause; what may have left never does. `leftAt` is the
 * moment of markSending(): without it nothing can have left, and a row that another process has taken meanwhile is let alone.
 */
export async function markOutcome(
  tx: Tx,
  id: number,
  outcome: SendOutcome,
  at: { readonly now: number; readonly leftAt: number | undefined },
): Promise<void> {
  const row = await tx
    .selectFrom('outbox')
    .select(['attempts', 'state', 'sending_at', 'envelope'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || outcome.kind === 'withdrawn') return;
  const attempts = Number(row.attempts);
  if (at.leftAt === undefined) {
    if (outcome.kind !== 'refused') throw new Error('a transport has sent a mail that had no leave');
    if (row.state !== 'due') return;
    const set = { ...outcomeOf(outcome, attempts + 1, at.now), attempts: attempts + 1 };
    await tx.updateTable('outbox').set(set).where('id', '=', id).execute();
    return;
  }
  // A slow server can outlast the patience after which a row is parked: what it says in the end still counts.
  const isParked = row.state === 'uncertain' && outcome.kind === 'sent';
  const isMine = row.state === 'sending' && Number(row.sending_at) === at.leftAt;
  if (!isMine && !isParked) return;
  await tx
    .updateTable('outbox')
    .set(outcomeOf(outcome, attempts, at.now))
    .where('id', '=', id)
    .execute();
  if (outcome.kind !== 'refused' || outcome.only === undefined) return;
  const envelope = JSON.stringify({ ...(JSON.parse(row.envelope) as Queued['envelope']), to: outcome.only });
  await tx.updateTable('outbox').set({ envelope }).where('id', '=', id).execute();
}

function outcomeOf(
  outcome: Exclude<SendOutcome, { kind: 'withdrawn' }>,
  attempts: number,
  now: number,
): Partial<OutboxRow> {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent', sent_at: now, why: '' };
    case 'ambiguous':
      return { state: 'uncertain', why: outcome.why };
    case 'refused':
      if (outcome.retry === 'never') return { state: 'failed', why: outcome.why };
      return {
        state: 'due',
        sending_at: null,
        not_before: now + Math.min(firstPause * 2 ** Math.min(attempts - 1, 10), longestPause),
        why: outcome.why,
      };
    default:
      outcome satisfies never;
      return {};
  }
}

/** Our own mail came back through a list: it has left, whatever the drop looked like. */
export async function markSeen(tx: Tx, messageId: string, now: number): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: now, why: '' })
    .where('message_id', '=', messageId)
    .where('state', 'in', ['uncertain', 'sending'])
    .execute();
}

/**
 * A process that died while sending leaves a row nobody can be sure about: it is parked. A draft is looked for in its folder
 * before it is put there, so that one is simply tried again.
 */
export async function parkAbandoned(tx: Tx, before: number): Promise<void> {
  const why = 'the process ended while sending';
  for (const [isDraft, set] of [
    [true, { state: 'due', sending_at: null, why }],
    [false, { state: 'uncertain', why }],
  ] as const) {
    await tx
      .updateTable('outbox')
      .set(set)
      .where('state', '=', 'sending')
      .where('sending_at', '<', before)
      .where('channel', isDraft ? '=' : '!=', 'drafts')
      .execute();
  }
}

/** Its turn comes later. */
export async function postpone(tx: Tx, id: number, until: number): Promise<void> {
  await tx.updateTable('outbox').set({ not_before: until }).where('id', '=', id).where('state', '=', 'due').execute();
}

/** Will not be sent. What it would have said may be said by a later version. */
export async function cancel(tx: Tx, id: number, why: string): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ state: 'cancelled', why })
    .where('id', '=', id)
    .where('state', 'in', ['due', 'held'])
    .execute();
  await tx.deleteFrom('spoken').where('outbox', '=', id).execute();
}

/** Cancels what has grown too old to leave, approved or not. */
export async function cancelExpired(tx: Tx, now: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('outbox')
    .select('id')
    .where('state', 'in', ['due', 'held'])
    .where('expires_at', '<', now)
    .execute();
  for (const { id } of rows) await cancel(tx, Number(id), 'too-old');
  return rows.map(({ id }) => Number(id));
}

/** The operator lets a held reply go, or a parked one again with the same bytes. */
export async function approve(tx: Tx, id: number, now: number): Promise<Queued> {
  const queued = await findQueued(tx, id);
  if (queued === undefined) throw new Failure('queue-unknown', `no reply ${id}`);
  if (queued.state !== 'held' && queued.state !== 'uncertain')
    throw new Failure('queue-state', `reply ${id} is ${queued.state}`);
  if (queued.expiresAt < now) {
    throw new Failure('queue-state', `reply ${id} has expired: its mail is older than 24 hours`);
  }
  await tx
    .updateTable('outbox')
    .set({ state: 'due', not_before: now, sending_at: null })
    .where('id', '=', id)
    .execute();
  if (queued.state === 'held') {
    for (const list of queued.lists) {
      await tx
        .insertInto('approvals')
        .values({ list, count: 1 })
        .onConflict((c) => c.column('list').doUpdateSet((e) => ({ count: e('approvals.count', '+', 1) })))
        .execute();
    }
  }
  return { ...queued, state: 'due' };
}

/** The operator wants it never sent. What it said counts as said: a later version does not bring it again. */
export async function reject(tx: Tx, id: number, why: string): Promise<Queued> {
  const queued = await findQueued(tx, id);
  if (queued === undefined) throw new Failure('queue-unknown', `no reply ${id}`);
  if (!['held', 'due', 'uncertain'].includes(queued.state))
    throw new Failure('queue-state', `reply ${id} is ${queued.state}`);
  await tx
    .updateTable('outbox')
    .set({ state: 'cancelled', why: `operator-rejected: ${why}` })
    .where('id', '=', id)
    .execute();
  return { ...queued, state: 'cancelled' };
}

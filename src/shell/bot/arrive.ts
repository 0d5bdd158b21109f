import {
  guardMail,
  linksOf,
  minutes,
  type Instant,
  type PolicyState,
  type ThreadMail,
} from '../../core/review/index.js';
import {
  mailKey,
  markSeen,
  moveCursor,
  quarantine,
  recordArrival,
  writeSilence,
  type Store,
  type Tx,
} from '../store/index.js';
import type { Authenticate } from './authenticate.js';
import type { Reader, ReadMail } from './deps.js';
import { mayCommand, obey } from './obey.js';

/** A mail as a source gives it. */
export type Incoming = {
  readonly raw: Uint8Array;
  readonly at: Instant;
  readonly source: string;
  /** Where the source goes on after this mail. */
  readonly cursor?: string;
};

export type ArriveDeps = {
  readonly read: Reader;
  readonly policy: () => PolicyState;
  /** Whose word a command is; without it every sender is unverified. */
  readonly authenticate?: Authenticate;
};

/** What became of an arrival. */
export type ArrivalResult = {
  readonly kind: 'new' | 'copy' | 'quarantined';
  readonly key: string;
  readonly command?: string;
};

// A policy that cannot be read now may be whole when the series is due.
const settleWithoutPolicy = minutes(20);

/**
 * Takes one mail in: {mail, Reading, series due at arrival + settle time, cursor, commands in it} in one transaction. A mail that
 * cannot be read is put aside with its reason, and the cursor goes on.
 */
export async function arrive(store: Store, deps: ArriveDeps, incoming: Incoming): Promise<ArrivalResult> {
  const cursor = incoming.cursor === undefined ? undefined : { source: incoming.source, value: incoming.cursor };
  let read: ReadMail;
  try {
    read = await deps.read(incoming.raw);
  } catch (error) {
    const key = mailKey(undefined, incoming.raw);
    await store.write(async (tx) => {
      await quarantine(tx, {
        at: incoming.at,
        source: incoming.source,
        mail: key,
        reason: String(error),
        raw: incoming.raw,
      });
      if (cursor !== undefined) await moveCursor(tx, cursor);
    });
    return { kind: 'quarantined', key };
  }
  const { mail } = read;
  const key = mailKey(mail.id, incoming.raw);
  const state = deps.policy();
  // Asked before the transaction: DNS may take its time.
  const standing = mayCommand(mail) ? await deps.authenticate?.(incoming.raw, mail.from ?? '') : undefined;
  return store.write(async (tx) => {
    const posts = mail.kind === 'patch' || mail.kind === 'cover';
    const kind = await recordArrival(tx, {
      raw: incoming.raw,
      reading: JSON.stringify(read.reading),
      mail,
      lists: read.lists,
      links: linksOf(mail),
      at: incoming.at,
      ...(posts && mail.id !== undefined ? { dueAt: incoming.at + settleOf(state, read.lists) } : {}),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (kind === 'copy') return { kind, key };
    if (mail.id !== undefined) await markSeen(tx, mail.id, incoming.at);
    await noteSilence(tx, { mail, key, state, at: incoming.at });
    const command = await obey(tx, { mail, state, at: incoming.at, ...(standing === undefined ? {} : { standing }) });
    return command === undefined ? { kind, key } : { kind, key, command };
  });
}

function settleOf(state: PolicyState, lists: readonly string[]): number {
  if (state.kind === 'none') return settleWithoutPolicy;
  const named = state.policy.lists.filter((list) => lists.includes(list.listId));
  return named.length === 0 ? 0 : Math.max(...named.map((list) => list.settle));
}

type Arriving = { readonly mail: ThreadMail; readonly key: string; readonly state: PolicyState; readonly at: Instant };

/** Mails that carry a patch and are never answered get their reason at once; talk needs none. */
async function noteSilence(tx: Tx, { mail, key, state, at }: Arriving): Promise<void> {
  if (mail.kind === 'reply' || mail.kind === 'other') return;
  if ((mail.kind === 'patch' || mail.kind === 'cover') && mail.id !== undefined) return;
  const reason = state.kind === 'none' ? 'no-policy' : (guardMail(mail, state.policy) ?? 'not-a-patch');
  await writeSilence(tx, { mails: [key], posting: key, at, reason });
}

import {
  authorOf,
  guardMail,
  linksOf,
  minutes,
  orderOf,
  parseCommand,
  roleOf,
  type Instant,
  type PolicyState,
  type Role,
  type ThreadMail,
} from '../../core/review/index.js';
import {
  findOwn,
  findRelated,
  mailKey,
  markSeen,
  moveCursor,
  quarantine,
  readSpoken,
  recordArrival,
  writeMute,
  writeNotice,
  writeSilence,
  writeWrong,
  type Queued,
  type Store,
  type Tx,
} from '../store/index.js';
import type { Reader, ReadMail } from './deps.js';

/** A mail as a source gives it. */
export type Incoming = {
  readonly raw: Uint8Array;
  readonly at: Instant;
  readonly source: string;
  /** Where the source goes on after this mail. */
  readonly cursor?: string;
};

export type ArriveDeps = { readonly read: Reader; readonly policy: () => PolicyState };

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
    const command = await obey(tx, mail, state, incoming.at);
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

/** Does what a reply to our own mail asks, if the one who wrote it may ask it. Nothing is answered. */
async function obey(tx: Tx, mail: ThreadMail, state: PolicyState, at: Instant): Promise<string | undefined> {
  if (mail.text === '' || state.kind === 'none') return undefined;
  const ours = await findOwn(tx, mail.inReplyTo);
  if (ours === undefined) return undefined;
  const guard = guardMail(mail, state.policy);
  if (guard !== undefined && guard !== 'not-a-patch' && guard !== 'no-message-id' && guard !== 'counter-patch')
    return undefined;
  const command = parseCommand(mail.text, new TextDecoder().decode(ours.bytes).replace(/\r\n/g, '\n'));
  if (command === undefined) return undefined;
  const sender = mail.from ?? '';
  const spoken = await readSpoken(tx, ours.id);
  const role = await findRole(tx, sender, ours, state);
  const order = orderOf(command, role, [...new Set(spoken.map(({ rule }) => rule))]);
  const said = `${command.verb} ${command.words.join(' ')}`.trim();
  switch (order.kind) {
    case 'ignore':
      await writeNotice(tx, { at, kind: 'command-ignored', text: `${sender}: ${said}: ${order.why}` });
      return undefined;
    case 'mute':
      for (const key of muteKeys(order.scope, ours, { sender, role })) {
        await writeMute(tx, { scope: order.scope, key, at, by: sender, why: said });
      }
      await writeNotice(tx, { at, kind: 'muted', text: `${order.scope} by ${sender}, answering ${ours.messageId}` });
      return said;
    case 'wrong':
      for (const { fingerprint } of spoken.filter(({ rule }) => order.rules.includes(rule))) {
        await writeMute(tx, { scope: 'finding', key: fingerprint, at, by: sender, why: said });
      }
      for (const rule of order.rules) {
        const mark = await writeWrong(tx, { rule, sender, messageId: ours.messageId, at });
        await writeNotice(tx, {
          at,
          kind: mark === 'muted' ? 'rule-muted' : 'rule-wrong',
          text: `${rule} by ${sender}, answering ${ours.messageId}`,
        });
      }
      return said;
    default:
      order satisfies never;
      return undefined;
  }
}

/** An author who writes from two addresses is muted under both. */
function muteKeys(
  scope: 'series' | 'author' | 'list',
  ours: Queued,
  who: { readonly sender: string; readonly role: Role },
): readonly string[] {
  switch (scope) {
    case 'list':
      return ours.lists;
    case 'author':
      return who.role === 'author' ? [ours.author, who.sender] : [ours.author];
    case 'series':
      return [ours.posting];
    default:
      return scope satisfies never;
  }
}

async function findRole(tx: Tx, sender: string, ours: Queued, state: PolicyState & { kind: 'policy' }): Promise<Role> {
  const mails = (await findRelated(tx, ours.parent)).map((kept) => kept.mail);
  const { policy } = state;
  const parent = mails.find((mail) => mail.id === ours.parent);
  return roleOf(sender, {
    ...(policy.operator === undefined ? {} : { operator: policy.operator }),
    maintainers: policy.lists.filter((list) => ours.lists.includes(list.listId)).flatMap((list) => list.maintainers),
    authors: [ours.author, ...(parent === undefined ? [] : [authorOf(parent), ...parent.authors])],
    participants: [...ours.envelope.to, ...mails.flatMap((mail) => [mail.from ?? '', ...mail.people])],
  });
}

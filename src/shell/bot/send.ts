import {
  checkCaps,
  checkThread,
  hours,
  minutes,
  postingOf,
  threadOf,
  type Instant,
  type ListPolicy,
  type PolicyState,
} from '../../core/review/index.js';
import {
  cancel,
  cancelExpired,
  findQueued,
  findRelated,
  findSendable,
  markOutcome,
  markSending,
  parkAbandoned,
  postpone,
  readHistory,
  readSent,
  type Queued,
  type SendOutcome,
  type Store,
  type Turn,
  type Tx,
} from '../store/index.js';
import type { SendDeps } from './deps.js';

/** A transport that has not answered by then is dead with its process. */
const abandoned = minutes(10);

export type Sent = { readonly reply: Queued; readonly outcome: SendOutcome };

/** Sends everything whose turn it is, one at a time. */
export async function sendDue(store: Store, deps: SendDeps, now: () => Instant): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (;;) {
    const one = await sendOne(store, deps, now);
    if (one === undefined) return sent;
    sent.push(one);
  }
}

/**
 * Sends the next reply whose turn it is: the transport gets ready, asks for leave just before the first byte of the mail, which
 * marks the row `sending`, and then what became of it is noted. Undefined when it is nobody's turn.
 */
export async function sendOne(store: Store, deps: SendDeps, now: () => Instant): Promise<Sent | undefined> {
  const next = await findNext(store, deps, now());
  if (next === undefined) return undefined;
  try {
    return { reply: next.reply, outcome: await sendReply(store, deps, next.reply, now) };
  } finally {
    await next.turn?.release();
  }
}

async function sendReply(store: Store, deps: SendDeps, reply: Queued, now: () => Instant): Promise<SendOutcome> {
  let leftAt: Instant | undefined;
  const leave = async (): Promise<boolean> => {
    leftAt = await beginSending(store, deps, reply.id, now());
    return leftAt !== undefined;
  };
  let outcome: SendOutcome;
  try {
    outcome = await deps.send(reply, leave);
  } catch (error) {
    // A transport that throws has not said whether the mail left; without leave it cannot have.
    const why = String(error).slice(0, 300);
    outcome = leftAt === undefined ? { kind: 'refused', retry: 'later', why } : { kind: 'ambiguous', why };
  }
  const { patiently = (work) => work() } = deps;
  await patiently(() => store.write((tx) => markOutcome(tx, reply.id, outcome, { now: now(), leftAt })));
  return outcome;
}

/** A reply that is about to be sent, and the turn that keeps other processes from it until then. */
type Next = { readonly reply: Queued; readonly turn?: Turn };

/**
 * The next reply that may leave. Everything that may have changed since it was written is asked again: age, a newer version,
 * words in the thread, mutes, the policy, the kill file, the caps.
 */
async function findNext(store: Store, deps: SendDeps, now: Instant): Promise<Next | undefined> {
  let turn: Turn | undefined;
  try {
    return await store.write(async (tx) => {
      await parkAbandoned(tx, now - abandoned);
      await cancelExpired(tx, now);
      if (deps.killed()) return undefined;
      const others: number[] = [];
      for (;;) {
        const reply = await findSendable(tx, now, others);
        if (reply === undefined) return undefined;
        const state = deps.policy();
        if (state.kind === 'none') return undefined;
        turn = await deps.turns?.take(`reply ${reply.messageId}`);
        if (turn === undefined && deps.turns !== undefined) {
          if (!deps.turns.areGiven()) return undefined;
          others.push(reply.id);
          continue;
        }
        if (await mayLeave(tx, reply, state, now)) return { reply, ...(turn === undefined ? {} : { turn }) };
        await turn?.release();
      }
    });
  } catch (error) {
    await turn?.release();
    throw error;
  }
}

/** Asks all of it once more and marks the row: two processes that hold the same row meet here, and one goes on. */
async function beginSending(store: Store, deps: SendDeps, id: number, now: Instant): Promise<Instant | undefined> {
  return store.write(async (tx) => {
    const reply = await findQueued(tx, id);
    const state = deps.policy();
    if (reply?.state !== 'due' || state.kind === 'none' || deps.killed()) return undefined;
    if (!(await mayLeave(tx, reply, state, now))) return undefined;
    await markSending(tx, id, now);
    return now;
  });
}

async function mayLeave(tx: Tx, reply: Queued, policy: PolicyState, now: Instant): Promise<boolean> {
  const related = await findRelated(tx, reply.parent);
  const posting = postingOf(related, reply.parent);
  if (posting === undefined) return refuse(tx, reply, 'not-a-patch');
  const ids = [...posting.members, ...posting.earlier, posting.id, posting.lineage];
  const history = await readHistory(tx, { ids, now, day: hours(24) });
  const thread = threadOf(posting, related);
  // Its own claims are no reason to keep it back.
  const open = checkThread({ thread, policy, history: { ...history, claimed: [], killed: false }, now });
  if (open.kind === 'silent') return refuse(tx, reply, open.reason);
  if (open.kind === 'later') return wait(tx, reply, open.until);
  const lists = stillOpen(reply, open.lists);
  if (lists === undefined) return refuse(tx, reply, 'list-off');
  const sent = (await readSent(tx, now - hours(24))).filter((other) => other.id !== reply.id);
  const recent = sent.map((other) => ({
    at: other.sendingAt ?? other.createdAt,
    lists: other.lists,
    author: other.author,
    live: other.live,
  }));
  const capped = checkCaps({ policy, recent, now, lists, author: reply.author, live: reply.live });
  if (capped === undefined) return true;
  return wait(tx, reply, capped.kind === 'later' ? capped.until : now + hours(1));
}

/** The lists of a reply, if each still wants what was written for it. */
function stillOpen(reply: Queued, open: readonly ListPolicy[]): ListPolicy[] | undefined {
  const lists = reply.lists.map((id) => open.find((list) => list.listId === id && list.channel === reply.channel));
  const whole = lists.filter((list) => list !== undefined);
  return whole.length === lists.length ? whole : undefined;
}

async function refuse(tx: Tx, reply: Queued, why: string): Promise<false> {
  await cancel(tx, reply.id, why);
  return false;
}

async function wait(tx: Tx, reply: Queued, until: Instant): Promise<false> {
  await postpone(tx, reply.id, until);
  return false;
}

import {
  checkThread,
  decideDelivery,
  deriveMessageId,
  hours,
  minutes,
  postingOf,
  threadOf,
  tooOld,
  type Candidate,
  type History,
  type Instant,
  type LaterReason,
  type PolicyState,
  type PostedThread,
  type SilenceReason,
  type Speak,
} from '../../core/review/index.js';
import {
  findDue,
  findOwn,
  findRelated,
  quarantine,
  readHistory,
  readRaw,
  writeLater,
  writeReply,
  writeSilence,
  writeTry,
  type DueRow,
  type Kept,
  type Store,
  type Tx,
} from '../store/index.js';
import { claimDue } from './claim-due.js';
import type { Composed, DecideDeps } from './deps.js';

/** What became of a posting that was due. */
export type Outcome<C extends Candidate> =
  | {
      readonly kind: 'silent';
      readonly mails: readonly string[];
      readonly reason: SilenceReason;
      readonly detail?: string;
    }
  | {
      readonly kind: 'later';
      readonly mails: readonly string[];
      readonly until: Instant;
      readonly why: LaterReason | 'stopped' | 'failed';
    }
  | {
      readonly kind: 'spoken';
      readonly mails: readonly string[];
      readonly outbox: number;
      readonly candidate: C;
      readonly speak: Speak;
    };

// What may be mended soon: a broken policy, a kill file, a review that failed once.
const stoppedPause = minutes(10);
const failedPause = minutes(5);
const mostTries = 3;

/** Decides everything that is due by now, one posting a transaction; gives what became of each. */
export async function decideDue<C extends Candidate>(
  store: Store,
  deps: DecideDeps<C>,
  now: Instant,
): Promise<Outcome<C>[]> {
  const outcomes: Outcome<C>[] = [];
  for (;;) {
    const outcome = await decideOne(store, deps, now);
    if (outcome === undefined) return outcomes;
    outcomes.push(outcome);
  }
}

/** Decides the posting that has been due for longest: {assemble, review, outbox row} in one transaction. */
export async function decideOne<C extends Candidate>(
  store: Store,
  deps: DecideDeps<C>,
  now: Instant,
): Promise<Outcome<C> | undefined> {
  const { turns } = deps;
  if (turns === undefined) {
    if ((await store.read((db) => findDue(db, now))) === undefined) return undefined;
    return decideFound(store, deps, now);
  }
  const claimed = await claimDue(store, { ...deps, turns }, now);
  if (claimed === undefined) return undefined;
  try {
    return await decideFound(store, { ...deps, review: claimed.review }, now, claimed.mail);
  } finally {
    await claimed.release();
  }
}

async function decideFound<C extends Candidate>(
  store: Store,
  deps: DecideDeps<C>,
  now: Instant,
  only?: string,
): Promise<Outcome<C> | undefined> {
  return store.write(async (tx) => {
    const due = await findDue(tx, now, only === undefined ? {} : { only });
    if (due === undefined) return undefined;
    const related = await findRelated(tx, due.mail);
    const posting = postingOf(related, due.mail);
    if (posting === undefined) return silence(tx, { mails: [due.mail], posting: due.mail, reason: 'not-a-patch' }, now);
    const thread = threadOf(posting, related);
    const mails = [...new Set([...posting.members, ...(posting.cover === undefined ? [] : [posting.cover]), due.mail])];
    return decideThread(tx, { deps, now, due, related, thread, mails });
  });
}

type Deciding<C extends Candidate> = {
  readonly deps: DecideDeps<C>;
  readonly now: Instant;
  readonly due: DueRow;
  readonly related: readonly Kept[];
  readonly thread: PostedThread;
  readonly mails: readonly string[];
};

async function decideThread<C extends Candidate>(tx: Tx, given: Deciding<C>): Promise<Outcome<C>> {
  const { deps, now, thread, mails, related } = given;
  const { posting } = thread;
  const policy = deps.policy();
  const ids = [...mails, ...posting.earlier, posting.id, posting.lineage];
  const look = async (fingerprints: readonly string[]): Promise<History> => ({
    ...(await readHistory(tx, { ids, fingerprints, now, day: hours(24) })),
    killed: deps.killed(),
  });
  const open = checkThread({ thread, policy, history: await look([]), now });
  if (open.kind === 'silent')
    return stopped(tx, given, open.reason) ?? silence(tx, { mails, posting: posting.id, ...open }, now);
  if (open.kind === 'later') return later(tx, mails, open.until, open.why);
  let candidate: C;
  try {
    candidate = await deps.review(thread, related, open.lists);
  } catch (error) {
    return poison(tx, given, error);
  }
  const history = await look(candidate.points.map((point) => point.fingerprint));
  const decision = decideDelivery({ thread, policy, history, now, candidate });
  switch (decision.kind) {
    case 'silent':
      return silence(tx, { mails, posting: posting.id, ...decision }, now);
    case 'later':
      return later(tx, mails, decision.until, decision.why);
    case 'speak':
      return speak(tx, given, { candidate, decision, policy });
    default:
      return decision satisfies never;
  }
}

type Silence = {
  readonly mails: readonly string[];
  readonly posting: string;
  readonly reason: SilenceReason;
  readonly detail?: string;
};

async function silence(tx: Tx, said: Silence, at: Instant): Promise<Outcome<never>> {
  const { mails, posting, reason, detail } = said;
  await writeSilence(tx, { mails, posting, at, reason, ...(detail === undefined ? {} : { detail }) });
  return { kind: 'silent', mails, reason, ...(detail === undefined ? {} : { detail }) };
}

async function later(
  tx: Tx,
  mails: readonly string[],
  until: Instant,
  why: LaterReason | 'stopped' | 'failed',
): Promise<Outcome<never>> {
  await writeLater(tx, mails, until);
  return { kind: 'later', mails, until, why };
}

/** A policy that is broken or a kill file may be gone soon: the posting waits, as long as it may still be answered. */
function stopped<C extends Candidate>(
  tx: Tx,
  given: Deciding<C>,
  reason: SilenceReason,
): Promise<Outcome<never>> | undefined {
  if (reason !== 'no-policy' && reason !== 'kill-file') return undefined;
  const arrived = given.related.find((kept) => kept.key === given.due.mail)?.at ?? 0;
  if (given.now - arrived > tooOld) return undefined;
  return later(tx, given.mails, given.now + stoppedPause, 'stopped');
}

/** A posting whose review fails is tried a few times, then put aside with its reason; the others go on. */
async function poison<C extends Candidate>(tx: Tx, given: Deciding<C>, error: unknown): Promise<Outcome<never>> {
  const { due, now, mails, thread } = given;
  const tries = await writeTry(tx, due.mail, now + failedPause);
  if (tries < mostTries) return later(tx, mails, now + failedPause, 'failed');
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const raw = (await readRaw(tx, due.mail)) ?? new Uint8Array();
  await quarantine(tx, { at: now, source: 'review', mail: due.mail, reason, raw });
  return silence(tx, { mails, posting: thread.posting.id, reason: 'quarantined', detail: reason }, now);
}

async function speak<C extends Candidate>(
  tx: Tx,
  given: Deciding<C>,
  said: { readonly candidate: C; readonly decision: Speak; readonly policy: PolicyState },
): Promise<Outcome<C>> {
  const { deps, now, mails, thread } = given;
  const { candidate, decision } = said;
  if (said.policy.kind === 'none') return silence(tx, { mails, posting: thread.posting.id, reason: 'no-policy' }, now);
  const messageId = deriveMessageId(deps.secret, candidate.target, 'reply', deps.domain);
  if ((await findOwn(tx, [messageId])) !== undefined) {
    return silence(tx, { mails, posting: thread.posting.id, reason: 'series-answered' }, now);
  }
  let composed: Composed;
  try {
    composed = await deps.compose({ candidate, speak: decision, policy: said.policy.policy, messageId, now });
  } catch (error) {
    return poison(tx, given, error);
  }
  const outbox = await writeReply(
    tx,
    { mails, posting: thread.posting.id, at: now, reason: 'spoken' },
    {
      row: {
        ...rowOf({ thread, decision, candidate, messageId, now }),
        envelope: JSON.stringify(composed.envelope),
        bytes: composed.bytes,
      },
      points: candidate.points
        .filter((point) => decision.keep.includes(point.fingerprint))
        .map(({ fingerprint, rule, reason }) => ({ fingerprint, rule, causing: reason !== undefined })),
    },
  );
  return { kind: 'spoken', mails, outbox, candidate, speak: decision };
}

type RowInput = {
  readonly thread: PostedThread;
  readonly decision: Speak;
  readonly candidate: Candidate;
  readonly messageId: string;
  readonly now: Instant;
};

function rowOf({
  thread,
  decision,
  candidate,
  messageId,
  now,
}: RowInput): Omit<Parameters<typeof writeReply>[2]['row'], 'envelope' | 'bytes'> {
  return {
    posting: thread.posting.id,
    parent: candidate.target,
    message_id: messageId,
    channel: decision.channel,
    home: decision.home,
    lists: JSON.stringify(decision.lists),
    author: decision.author,
    live: decision.channel === 'dry-run' ? 0 : 1,
    state: decision.held === undefined ? 'due' : 'held',
    held_by: decision.held ?? null,
    created_at: now,
    not_before: now,
    expires_at: decision.expires,
    sending_at: null,
    sent_at: null,
    attempts: 0,
    why: '',
  };
}

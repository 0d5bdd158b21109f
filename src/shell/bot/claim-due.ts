import {
  checkThread,
  hours,
  postingOf,
  threadOf,
  type Candidate,
  type Instant,
  type ListPolicy,
  type Posting,
  type PostedThread,
} from '../../core/review/index.js';
import { findDue, findRelated, readHistory, type Kept, type Store, type Turns } from '../store/index.js';
import type { DecideDeps } from './deps.js';

/** A posting that is due and that no other process judges meanwhile: one of its mails, and its review made ahead. */
export type Claimed<C extends Candidate> = {
  readonly mail: string;
  readonly review: DecideDeps<C>['review'];
  release(): Promise<void>;
};

/**
 * Finds a posting that is due and that nobody else has in hand, and reviews it before the transaction that decides: there everybody
 * waits for everybody. What is decided is asked there all the same; a review that fits what is found there is not made again.
 */
export async function claimDue<C extends Candidate>(
  store: Store,
  deps: DecideDeps<C> & { readonly turns: Turns },
  now: Instant,
): Promise<Claimed<C> | undefined> {
  const others: string[] = [];
  for (;;) {
    const found = await store.read(async (db) => {
      const due = await findDue(db, now, { but: others });
      return due === undefined ? undefined : { mail: due.mail, related: await findRelated(db, due.mail) };
    });
    if (found === undefined) return undefined;
    const { mail } = found;
    const posting = postingOf(found.related, mail);
    const turn = await deps.turns.take(`posting ${posting?.id ?? mail}`);
    if (turn === undefined) {
      if (!deps.turns.areGiven()) return undefined;
      others.push(mail, ...(posting?.members ?? []), ...(posting?.cover === undefined ? [] : [posting.cover]));
      continue;
    }
    try {
      // It may have been judged between our look and our turn.
      if ((await store.read((db) => findDue(db, now, { only: mail }))) === undefined) {
        await turn.release();
        continue;
      }
      const review = await reviewAhead(store, deps, { ...found, posting, now });
      return { mail, review, release: () => turn.release() };
    } catch (error) {
      await turn.release();
      throw error;
    }
  }
}

type Found = { readonly related: readonly Kept[]; readonly posting: Posting | undefined; readonly now: Instant };

async function reviewAhead<C extends Candidate>(
  store: Store,
  deps: DecideDeps<C>,
  { related, posting, now }: Found,
): Promise<DecideDeps<C>['review']> {
  if (posting === undefined) return deps.review;
  const thread = threadOf(posting, related);
  const ids = [...posting.members, ...posting.earlier, posting.id, posting.lineage];
  const history = await store.read((db) => readHistory(db, { ids, now, day: hours(24) }));
  const policy = deps.policy();
  const open = checkThread({ thread, policy, history: { ...history, killed: deps.killed() }, now });
  if (open.kind !== 'open') return deps.review;
  let candidate: C;
  try {
    candidate = await deps.review(thread, related, open.lists);
  } catch {
    // It fails again where its failure is noted.
    return deps.review;
  }
  const made = footprint(thread, related, open.lists);
  return (again, mails, lists) =>
    footprint(again, mails, lists) === made ? candidate : deps.review(again, mails, lists);
}

/** All that a review is made from. */
function footprint(thread: PostedThread, mails: readonly Kept[], lists: readonly ListPolicy[]): string {
  return JSON.stringify([thread.posting, mails.map(({ key, lists: through }) => [key, through]), lists]);
}

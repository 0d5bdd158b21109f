import type { Candidate, Instant, Policy, PolicyState } from '../../core/review/index.js';
import { findNextDue, openStore, type Queued, type Store } from '../store/index.js';
import { arrive } from './arrive.js';
import { decideDue, type Outcome } from './decide.js';
import type { DecideDeps, ReadMail } from './deps.js';
import { sendDue } from './send.js';

/** A mail of an archive that has been read: when it came, and how to get its Reading. */
export type ArchiveMail = { readonly at: Instant; readonly read: () => ReadMail };

/** A reply that would have been sent: its bytes, when, and under which rules and reasons. */
export type Replayed = { readonly at: Instant; readonly reply: Queued; readonly rules: readonly string[] };

export type Replay = {
  readonly mails: number;
  readonly patches: number;
  readonly first?: Instant;
  readonly last?: Instant;
  readonly sent: readonly Replayed[];
  /** Postings by the reason for which nothing was said; content reasons stand behind `nothing-to-say: `. */
  readonly silent: Readonly<Record<string, number>>;
};

export type ReplayDeps<C extends Candidate> = Omit<DecideDeps<C>, 'policy' | 'killed'> & {
  readonly policy: Policy;
  readonly onProgress?: (done: number) => void;
};

/**
 * Runs an archive through the very loop of the daemon, on a store and a clock of its own: what a decision knows is what had
 * come by then. Replies that would wait for the operator count as approved at once. `after` may look at the store at its end.
 */
export async function replay<C extends Candidate>(
  mails: readonly ArchiveMail[],
  deps: ReplayDeps<C>,
  storeUrl: string,
  after: (store: Store) => Promise<void> = () => Promise.resolve(),
): Promise<Replay> {
  const policy: PolicyState = { kind: 'policy', policy: approvedBy(deps.policy), hash: 'replay' };
  const store = await openStore(storeUrl, { now: mails[0]?.at ?? 0, durable: false });
  const life: Life<C> = {
    store,
    deps: { ...deps, policy: () => policy, killed: () => false },
    sent: [],
    silent: {},
  };
  let patches = 0;
  try {
    const listIds = deps.policy.lists.map((list) => ({ list: list.listId, count: 20 }));
    if (listIds.length > 0) await store.write((tx) => tx.insertInto('approvals').values(listIds).execute());
    for (const [index, { at, read }] of mails.entries()) {
      await liveUntil(life, at);
      const mail = read();
      if (mail.mail.kind === 'patch') patches++;
      // The number stands for the bytes: replay never needs them again.
      const raw = new TextEncoder().encode(String(index));
      await arrive(store, { read: () => Promise.resolve(mail), policy: () => policy }, { raw, at, source: 'archive' });
      deps.onProgress?.(index + 1);
    }
    await liveUntil(life, Number.MAX_SAFE_INTEGER);
    await after(store);
  } finally {
    await store.close();
  }
  const first = mails[0]?.at;
  const last = mails.at(-1)?.at;
  return {
    mails: mails.length,
    patches,
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    sent: life.sent,
    silent: life.silent,
  };
}

type Life<C extends Candidate> = {
  readonly store: Store;
  readonly deps: DecideDeps<C>;
  readonly sent: Replayed[];
  readonly silent: Record<string, number>;
};

/** Lets the clock go from one due time to the next, up to a moment. */
async function liveUntil<C extends Candidate>(life: Life<C>, until: Instant): Promise<void> {
  for (;;) {
    const next = await life.store.read((db) => findNextDue(db));
    if (next === undefined || next > until) return;
    for (const outcome of await decideDue(life.store, life.deps, next)) await note(life, outcome, next);
  }
}

async function note<C extends Candidate>(life: Life<C>, outcome: Outcome<C>, now: Instant): Promise<void> {
  switch (outcome.kind) {
    case 'later':
      return;
    case 'silent': {
      const reason =
        outcome.reason === 'nothing-to-say' && outcome.detail !== undefined
          ? `nothing-to-say: ${outcome.detail}`
          : outcome.reason;
      life.silent[reason] = (life.silent[reason] ?? 0) + 1;
      return;
    }
    case 'spoken': {
      const { keep } = outcome.speak;
      const rules = outcome.candidate.points
        .filter((point) => keep.includes(point.fingerprint))
        .map((point) => point.rule);
      const shared = {
        policy: life.deps.policy,
        killed: () => false,
        send: async (_reply: Queued, leave: () => Promise<boolean>) =>
          (await leave()) ? ({ kind: 'sent' } as const) : ({ kind: 'withdrawn' } as const),
      };
      const sent = await sendDue(life.store, shared, () => now);
      for (const { reply } of sent) life.sent.push({ at: now, reply, rules: [...new Set(rules)] });
      return;
    }
    default:
      outcome satisfies never;
  }
}

function approvedBy(policy: Policy): Policy {
  return { ...policy, lists: policy.lists.map((list) => ({ ...list, approval: 'first' })) };
}

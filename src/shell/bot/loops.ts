import type { PolicyState } from '../../core/review/index.js';
import { openKnowledge, type Settings } from '../config/index.js';
import { rest } from '../source/index.js';
import { findNextDue, pruneMails, type Store, type Turns } from '../store/index.js';
import type { Transport } from '../transport/index.js';
import { openMaintainers } from '../tree/index.js';
import { decideOne } from './decide.js';
import type { DecideDeps } from './deps.js';
import type { Health, Metrics } from './health.js';
import type { Log } from './log.js';
import { patiently } from './patience.js';
import type { ReviewedCandidate } from './reviewer.js';
import { longestNap, rounds, type Bell } from './rounds.js';
import { sendDueDigests, type DigestParts } from './send-digests.js';
import { sendNext } from './sender.js';
import { tellNext } from './tell.js';
import { whileMine } from './while-mine.js';

/** Everything that the loops share. */
export type Running = {
  readonly settings: Settings;
  readonly store: Store;
  readonly turns: Turns;
  readonly bell: Bell;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly policy: () => PolicyState;
  /** Reads the policy anew. */
  readonly reload: () => Promise<void>;
  readonly killed: () => boolean;
  readonly signal: AbortSignal;
};

/** What mails to people take. */
type Telling = {
  readonly secret: string;
  readonly domain: string;
  readonly transports: ReadonlyMap<string, Transport>;
};

// Another process has it in hand. If that one dies, nobody rings.
const sharedNap = 500;

/** Judges what is due. */
export async function decideLoop(
  running: Running,
  judge: Pick<DecideDeps<ReviewedCandidate>, 'review' | 'compose' | 'secret' | 'domain'>,
): Promise<void> {
  const { store, bell, metrics, log, policy, signal, killed } = running;
  const watched = watchRefusals(running);
  await rounds(
    running,
    'decide',
    async () => {
      await running.reload();
      if (killed()) return longestNap;
      const outcome = await decideOne(store, { ...judge, policy, killed, ...watched.shared }, Date.now());
      if (outcome === undefined) {
        if (watched.wereRefused()) return sharedNap;
        const next = (await store.read((db) => findNextDue(db))) ?? Infinity;
        return Math.min(Math.max(next - Date.now(), 20), longestNap);
      }
      const reason = outcome.kind === 'silent' ? outcome.reason : outcome.kind === 'later' ? outcome.why : 'spoken';
      metrics.decisions.inc({ result: outcome.kind });
      log.info('review.decided', { mails: outcome.mails, result: outcome.kind, reason });
      if (outcome.kind === 'spoken') running.turns.ring();
      return 0;
    },
    (ms) => bell.wait(ms, signal),
  );
}

/** Sends what is due. */
export async function sendLoop(running: Running, transports: ReadonlyMap<string, Transport>): Promise<void> {
  const { store, policy, killed, metrics, log, bell, signal, settings } = running;
  const watched = watchRefusals(running);
  const parts = {
    store,
    policy,
    transports,
    killed,
    metrics,
    log,
    now: Date.now,
    patiently: <T>(work: () => Promise<T>) => patiently(work, { pause: settings.pause, log, signal }),
    ...watched.shared,
  };
  await rounds(
    running,
    'send',
    async () => {
      await running.reload();
      if (await sendNext(parts)) return 0;
      return watched.wereRefused() ? sharedNap : longestNap;
    },
    (ms) => bell.wait(ms, signal),
  );
}

/** The turns of a shared store, and whether one was refused since last asked. A process that is alone needs none. */
function watchRefusals({ store, turns }: Running): { shared: { turns?: Turns }; wereRefused: () => boolean } {
  let refused = false;
  const wereRefused = (): boolean => {
    const were = refused;
    refused = false;
    return were;
  };
  if (store.dialect === 'sqlite') return { shared: {}, wereRefused };
  const take: Turns['take'] = async (key) => {
    const turn = await turns.take(key);
    refused ||= turn === undefined;
    return turn;
  };
  const shared = { take, areGiven: () => turns.areGiven(), ring: () => turns.ring(), close: () => turns.close() };
  return { shared: { turns: shared }, wereRefused };
}

/** Notices for people go the way of the replies to people, and wait as patiently. */
export async function tellLoop(running: Running, given: Telling): Promise<void> {
  const { store, policy, killed, log, bell } = running;
  const { secret, domain } = given;
  const transport = given.transports.get('operator');
  const parts = { store, policy, killed, log, secret, domain, transport, now: Date.now };
  await whileMine({ ...running, key: 'tell' }, async (signal) => {
    await rounds(
      { ...running, signal },
      'tell',
      async () => ((await tellNext(parts)) ? 0 : longestNap),
      (ms) => bell.wait(ms, signal),
    );
  });
}

const digestEvery = 30_000;

/** Digests for maintainers, by the policy's schedule. */
export async function digestLoop(running: Running, given: Telling): Promise<void> {
  const { store, policy, killed, log, settings } = running;
  const { secret, domain } = given;
  const transport = given.transports.get('operator');
  const knowledge = await openKnowledge();
  const { seed, tree } = settings;
  const lookUp = tree === undefined ? undefined : namesIn(tree, log);
  const parts = { store, policy, killed, log, secret, domain, transport, knowledge, seed, now: Date.now, lookUp };
  await whileMine({ ...running, key: 'digest' }, async (signal) => {
    const done = new Set<string>();
    await rounds(
      { ...running, signal },
      'digest',
      async () => {
        await running.reload();
        const outcomes = await sendDueDigests(parts, done);
        // A server that refuses for now is asked again in an hour.
        return outcomes.some(({ result }) => result === 'refused') ? 60 * 60_000 : digestEvery;
      },
      async (ms) => {
        for (let left = ms; left > 0 && !signal.aborted; left -= digestEvery) {
          running.health.beats.set('digest', Date.now());
          await rest(Math.min(left, digestEvery), signal);
        }
      },
    );
  });
}

/** Whose files are whose, by the tree as it is now: it moves on while a daemon runs for months. */
function namesIn(tree: string, log: Log): NonNullable<DigestParts['lookUp']> {
  return async (files) => {
    try {
      return await openMaintainers(tree, { say: (why) => log.warn('tree.failed', { why }) })(files);
    } catch (error) {
      log.warn('tree.failed', { why: String(error) });
      return { subsystems: [], maintainers: [] };
    }
  };
}

const pruneEvery = 60_000;

/** Drops the bytes of mails that are older than the policy keeps them, a few at a time. */
export async function pruneLoop(running: Running): Promise<void> {
  const { store, policy, log } = running;
  await whileMine({ ...running, key: 'prune' }, async (signal) => {
    await rounds(
      { ...running, signal },
      'prune',
      async () => {
        const state = policy();
        const keep = state.kind === 'policy' ? state.policy.keepMails : undefined;
        if (keep === undefined) return pruneEvery;
        const mails = await store.write((tx) => pruneMails(tx, Date.now() - keep));
        if (mails === 0) return pruneEvery;
        log.info('mail.pruned', { mails });
        return 100;
      },
      (ms) => rest(ms, signal),
    );
  });
}

/** Keeps the policy fresh where nothing else does: how long a posting settles is asked when its mails come in. */
export async function policyLoop(running: Running): Promise<void> {
  const { reload, signal } = running;
  await rounds(
    running,
    'policy',
    async () => {
      await reload();
      return longestNap;
    },
    (ms) => rest(ms, signal),
  );
}

import type { PolicyState } from '../../core/review/index.js';
import {
  Failure,
  loadSettings,
  loadPolicy,
  openKit,
  openKnowledge,
  readCertificates,
  readSecret,
  type Settings,
} from '../config/index.js';
import { growingPause, ImapError, rest } from '../source/index.js';
import { findNextDue, listQueue, noteFirstStart, openStore, pruneMails, type Store } from '../store/index.js';
import { draftsTransport, dryRunTransport, mboxTransport, SmtpTransport, type Transport } from '../transport/index.js';
import { authenticator, dnsResolver, type Authenticate } from './authenticate.js';
import { decideOne } from './decide.js';
import { newHealth, newMetrics, serveHealth, type Health, type Metrics } from './health.js';
import { listenFolder } from './folder-listener.js';
import { imapAccount, listenImap, type ListenerParts } from './listener.js';
import { openLog, type Log } from './log.js';
import { isPassing, patiently } from './patience.js';
import { composerOf, readerOf, reviewerOf, type ReviewedCandidate } from './reviewer.js';
import { sendDueDigests } from './send-digests.js';
import { killSwitch, sendNext, type SenderParts } from './sender.js';
import { tellNext } from './tell.js';
import type { DecideDeps } from './deps.js';

// A loop looks at least so often, whatever wakes it: the kill file, the policy and other processes ring no bell.
const longestNap = 5_000;

/** Everything that the loops share. */
type Running = {
  readonly settings: Settings;
  readonly store: Store;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly policy: () => PolicyState;
  readonly killed: () => boolean;
  readonly signal: AbortSignal;
};

/**
 * IMAP to SMTP, until the signal: mails come in, postings are judged when they are due, replies leave. What is under way at
 * the signal is finished. Throws a Failure when a person must mend something before anything can work.
 */
export async function runDaemon(file: string, signal: AbortSignal, log?: Log): Promise<void> {
  const settings = await loadSettings(file);
  const out = log ?? openLog(settings.log);
  const policy = await watchPolicy(settings.policy, out);
  const secret = await readSecret(settings.instance.secret, process.env);
  out.hide(secret);
  const store = await openConfiguredStore(settings, out);
  const health = newHealth();
  health.policy = 'loaded';
  const metrics = newMetrics(() => countQueue(store));
  const end = new AbortController();
  signal.addEventListener('abort', () => end.abort(), { once: true });
  const running: Running = {
    settings,
    store,
    health,
    metrics,
    log: out,
    policy: policy.now,
    killed: killSwitch(settings.killFile, health, out),
    signal: end.signal,
  };
  const transports = await openTransports(settings, out);
  const http = await openHttp(running);
  try {
    await store.write((tx) => noteFirstStart(tx, Date.now()));
    out.info('daemon.started', { policy: policy.hash() });
    await runLoops(running, { secret, transports, reload: () => policy.reload(health) }, end);
    out.info('daemon.stopped');
  } finally {
    end.abort();
    for (const transport of new Set(transports.values())) await transport.close();
    await http.close();
    await store.close();
  }
}

/** Runs sources and loops side by side; the first that fails for good ends them all, and its error is thrown at the end. */
async function runLoops(
  running: Running,
  given: { secret: string; transports: Map<string, Transport>; reload: () => Promise<void> },
  end: AbortController,
): Promise<void> {
  const { settings, store, health, metrics, log, policy, signal, killed } = running;
  const bell = newBell(signal);
  const { domain } = settings.instance;
  const read = readerOf(await openKit());
  const judge = {
    review: reviewerOf(await openKnowledge(), settings.seed),
    compose: composerOf({ secret: given.secret, domain }),
  };
  const listener: ListenerParts = {
    store,
    authenticate: authenticatorOf(settings),
    patiently: (work) => patiently(work, { pause: settings.pause, log, signal }),
    read,
    policy,
    health,
    metrics,
    log,
    now: Date.now,
    wake: bell.ring,
  };
  const sender: SenderParts = { store, policy, transports: given.transports, killed, metrics, log, now: Date.now };
  const decide: DecideDeps<ReviewedCandidate> = { ...judge, policy, killed, secret: given.secret, domain };
  const failures: unknown[] = [];
  const watch = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      failures.push(error);
      end.abort();
    }
  };
  signal.addEventListener('abort', () => {
    health.stopping = true;
    log.info('daemon.stopping');
  });
  const { imap } = settings;
  const options = { limits: settings, signal };
  const sources = settings.folders.map((folder) => listenFolder(folder, listener, options));
  if (imap !== undefined) {
    sources.push(imapAccount(imap, log).then((account) => listenImap(imap, account, listener, options)));
  }
  await Promise.all([
    ...sources.map(watch),
    watch(decideLoop(running, decide, bell, given.reload)),
    watch(sendLoop(running, sender, bell)),
    watch(tellLoop(running, { ...given, domain }, bell)),
    watch(digestLoop(running, { ...given, domain })),
    watch(pruneLoop(running)),
  ]);
  if (failures.length > 0) throw asFailure(failures[0]);
}

async function decideLoop(
  running: Running,
  deps: DecideDeps<ReviewedCandidate>,
  bell: Bell,
  reload: () => Promise<void>,
): Promise<void> {
  const { store, health, metrics, log, signal, killed } = running;
  await rounds(
    running,
    'decide',
    async () => {
      await reload();
      if (killed()) return longestNap;
      const outcome = await decideOne(store, deps, Date.now());
      if (outcome === undefined) {
        const next = (await store.read((db) => findNextDue(db))) ?? Infinity;
        return Math.min(Math.max(next - Date.now(), 20), longestNap);
      }
      const reason = outcome.kind === 'silent' ? outcome.reason : outcome.kind === 'later' ? outcome.why : 'spoken';
      metrics.decisions.inc({ result: outcome.kind });
      log.info('review.decided', { mails: outcome.mails, result: outcome.kind, reason });
      if (outcome.kind === 'spoken') bell.ring();
      return 0;
    },
    bell.wait,
  );
  if (signal.aborted) health.beats.delete('decide');
}

async function sendLoop(running: Running, parts: SenderParts, bell: Bell): Promise<void> {
  await rounds(running, 'send', async () => ((await sendNext(parts)) ? 0 : longestNap), bell.wait);
  if (running.signal.aborted) running.health.beats.delete('send');
}

/** Notices for people go the way of the replies to people, and wait as patiently. */
async function tellLoop(
  running: Running,
  given: { readonly secret: string; readonly domain: string; readonly transports: ReadonlyMap<string, Transport> },
  bell: Bell,
): Promise<void> {
  const { store, policy, killed, log } = running;
  const { secret, domain } = given;
  const transport = given.transports.get('operator');
  const parts = { store, policy, killed, log, secret, domain, transport, now: Date.now };
  await rounds(running, 'tell', async () => ((await tellNext(parts)) ? 0 : longestNap), bell.wait);
  if (running.signal.aborted) running.health.beats.delete('tell');
}

const digestEvery = 30_000;

/** Digests for maintainers, by the policy's schedule. */
async function digestLoop(
  running: Running,
  given: { readonly secret: string; readonly domain: string; readonly transports: ReadonlyMap<string, Transport> },
): Promise<void> {
  const { store, policy, killed, log, signal, settings } = running;
  const { secret, domain } = given;
  const transport = given.transports.get('operator');
  const knowledge = await openKnowledge();
  const done = new Set<string>();
  const parts = {
    store,
    policy,
    killed,
    log,
    secret,
    domain,
    transport,
    knowledge,
    seed: settings.seed,
    now: Date.now,
  };
  await rounds(
    running,
    'digest',
    async () => {
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
  if (signal.aborted) running.health.beats.delete('digest');
}

const pruneEvery = 60_000;

/** Drops the bytes of mails that are older than the policy keeps them, a few at a time. */
async function pruneLoop(running: Running): Promise<void> {
  const { store, policy, log, signal } = running;
  await rounds(
    running,
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
  if (signal.aborted) running.health.beats.delete('prune');
}

/** Goes round until the signal. A store that does not answer is waited for with growing pauses; any other error ends the loop. */
async function rounds(
  { health, log, signal, settings }: Running,
  name: string,
  round: () => Promise<number>,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  let losses = 0;
  while (!signal.aborted) {
    health.beats.set(name, Date.now());
    try {
      const nap = await round();
      losses = 0;
      if (nap > 0) await wait(nap);
    } catch (error) {
      if (!isPassing(error)) throw error;
      const pause = Math.min(growingPause(losses++, settings.pause), 60_000);
      log.error('store.failed', { loop: name, detail: String(error).slice(0, 300), pause });
      await rest(pause, signal);
    }
  }
}

type Bell = { ring(): void; wait(ms: number): Promise<void> };

/** Wakes everyone who waits. */
function newBell(signal: AbortSignal): Bell {
  let rings: (() => void)[] = [];
  const ring = (): void => {
    for (const wake of rings.splice(0)) wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async wait(ms) {
      if (signal.aborted) return;
      let wake = (): void => undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        rings.push(wake);
      });
      rings = rings.filter((one) => one !== wake);
    },
  };
}

/** The policy of the moment: read anew when asked, and broken means that nothing is sent. */
async function watchPolicy(
  path: string,
  log: Log,
): Promise<{ now(): PolicyState; hash(): string; reload(health: Health): Promise<void> }> {
  let state = await loadPolicy(path);
  if (state.kind === 'none') throw new Failure('configuration', state.why);
  return {
    now: () => state,
    hash: () => (state.kind === 'policy' ? state.hash : ''),
    async reload(health) {
      const next = await loadPolicy(path);
      const changed =
        next.kind === 'policy' ? state.kind === 'none' || next.hash !== state.hash : state.kind === 'policy';
      state = next;
      health.policy = next.kind === 'policy' ? 'loaded' : 'broken';
      if (!changed) return;
      if (next.kind === 'policy') log.info('policy.loaded', { policy: next.hash });
      else log.error('policy.broken', { why: next.why });
    },
  };
}

/** Who gives a command is looked up in DNS, unless the settings say that there is none. */
function authenticatorOf({ authentication: { dns, sealers } }: Settings): Authenticate {
  if (!dns) return () => Promise.resolve({ kind: 'unverified', why: 'DNS is not asked' });
  return authenticator({ resolver: dnsResolver(), sealers, patience: 20_000 });
}

/** One transport for each channel that the settings allow for. */
export async function openTransports(settings: Settings, log: Log): Promise<Map<string, Transport>> {
  const transports = new Map<string, Transport>();
  transports.set('dry-run', settings.mbox === undefined ? dryRunTransport() : mboxTransport(settings.mbox));
  const { imap } = settings;
  if (imap !== undefined) transports.set('drafts', draftsTransport(await imapAccount(imap, log), imap.drafts));
  const smtp = await openSmtp(settings, log);
  if (smtp !== undefined) for (const channel of ['operator', 'author', 'list']) transports.set(channel, smtp);
  return transports;
}

export async function openSmtp(settings: Settings, log: Log): Promise<SmtpTransport | undefined> {
  const { smtp } = settings;
  if (smtp === undefined) return undefined;
  const certificates = await readCertificates(smtp.certificates);
  const ref = smtp.accessToken ?? smtp.password;
  return new SmtpTransport({
    host: smtp.host,
    port: smtp.port,
    tls: smtp.tls,
    ...(certificates === undefined ? {} : { certificates }),
    ...(smtp.user === undefined ? {} : { user: smtp.user }),
    ...(smtp.name === undefined ? {} : { name: smtp.name }),
    ...(ref === undefined
      ? {}
      : {
          proof: async () => {
            const value = await readSecret(ref, process.env);
            log.hide(value);
            return smtp.accessToken === undefined ? { pass: value } : { accessToken: value };
          },
        }),
    patience: smtp.patience,
    idle: 30_000,
  });
}

/** Health and metrics, where the settings ask for them. */
async function openHttp({ settings, health, metrics, log }: Running): Promise<{ close(): Promise<void> }> {
  const at = settings.health;
  if (at === undefined) return { close: () => Promise.resolve() };
  try {
    return await serveHealth(at, health, metrics);
  } catch (error) {
    const where = `${at.host}:${at.port}`;
    log.error('http.failed', { where, detail: String(error) });
    throw new Failure('unreachable', `cannot listen on ${where} for health and metrics: ${String(error)}`, error);
  }
}

/** The store of the settings, with its password from where they say. */
export async function openConfiguredStore(settings: Settings, log: Log): Promise<Store> {
  const url = await storeUrl(settings, log);
  return openStore(url, { now: Date.now() });
}

async function storeUrl(settings: Settings, log: Log): Promise<string> {
  if (settings.storePassword === undefined || settings.store.startsWith('sqlite:')) return settings.store;
  const password = await readSecret(settings.storePassword, process.env);
  log.hide(password);
  const url = new URL(settings.store);
  url.password = encodeURIComponent(password);
  log.hide(url.password);
  return url.href;
}

async function countQueue(store: Store): Promise<Record<string, number>> {
  const rows = await store.read((db) => listQueue(db, ['due', 'held', 'sending', 'uncertain', 'failed']));
  const counts: Record<string, number> = { due: 0, held: 0, sending: 0, uncertain: 0, failed: 0 };
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** What a person is told when a source cannot work until something is mended. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof ImapError)) return error;
  const code = {
    refused: 'login-refused',
    certificate: 'certificate',
    'no-tls': 'no-tls',
    'no-mailbox': 'no-mailbox',
    unreachable: 'unreachable',
    lost: 'unreachable',
  } as const;
  return new Failure(code[error.trouble], error.message, error);
}

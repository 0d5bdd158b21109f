import type { PolicyState } from '../../core/review/index.js';
import {
  Failure,
  loadSettings,
  loadPolicy,
  openKit,
  openKnowledge,
  readCertificates,
  readSecret,
  storeUrl,
  type Settings,
} from '../config/index.js';
import { ImapError } from '../source/index.js';
import { listQueue, noteFirstStart, openStore, openTurns, soleTurns, type Store, type Turns } from '../store/index.js';
import { draftsTransport, dryRunTransport, mboxTransport, SmtpTransport, type Transport } from '../transport/index.js';
import { authenticator, dnsResolver, type Authenticate } from './authenticate.js';
import { newHealth, newMetrics, serveHealth, type Health } from './health.js';
import { listenFolder } from './folder-listener.js';
import { imapAccount, listenImap, type ListenerParts } from './listener.js';
import { openLog, type Log } from './log.js';
import { decideLoop, digestLoop, policyLoop, pruneLoop, sendLoop, tellLoop, type Running } from './loops.js';
import { isPassing, patiently } from './patience.js';
import { composerOf, readerOf, reviewerOf } from './reviewer.js';
import { allRoles, type Role } from './roles.js';
import { newBell } from './rounds.js';
import { killSwitch } from './sender.js';

export type DaemonOptions = {
  readonly roles?: readonly Role[];
  /** Shares its store with others: that takes PostgreSQL. */
  readonly isWorker?: boolean;
  readonly log?: Log;
};

/**
 * IMAP to SMTP, until the signal: mails come in, postings are judged when they are due, replies leave. What is under way at
 * the signal is finished. Throws a Failure when a person must mend something before anything can work.
 */
export async function runDaemon(file: string, signal: AbortSignal, options: DaemonOptions = {}): Promise<void> {
  const settings = await loadSettings(file);
  const { roles = allRoles, isWorker = false } = options;
  if (isWorker && settings.store.startsWith('sqlite:')) {
    const what = `${file}: workers share one store, and that takes PostgreSQL: \`store: postgres://USER@HOST/NAME\``;
    throw new Failure('workers-need-postgresql', what);
  }
  const out = options.log ?? openLog(settings.log);
  const policy = await watchPolicy(settings.policy, out);
  const secret = await readSecret(settings.instance.secret, process.env);
  out.hide(secret);
  const url = await storeUrl(settings, process.env, (hidden) => out.hide(hidden));
  const store = await openStoreAt(url, settings);
  const health = newHealth();
  health.policy = 'loaded';
  const metrics = newMetrics(() => countQueue(store));
  const end = new AbortController();
  signal.addEventListener('abort', () => end.abort(), { once: true });
  const bell = newBell();
  let turns: Turns | undefined;
  let transports = new Map<string, Transport>();
  let http: { close(): Promise<void> } | undefined;
  try {
    turns = await openTurnsAt(url, { settings, log: out, ring: bell.ring });
    const running: Running = {
      settings,
      store,
      turns,
      bell,
      health,
      metrics,
      log: out,
      policy: policy.now,
      reload: () => policy.reload(health),
      killed: killSwitch(settings.killFile, health, out),
      signal: end.signal,
    };
    transports = await openTransports(settings, out);
    http = await openHttp(running);
    await store.write((tx) => noteFirstStart(tx, Date.now()));
    out.info('daemon.started', { policy: policy.hash(), roles });
    await runLoops(running, { secret, transports, roles }, end);
    out.info('daemon.stopped');
  } catch (error) {
    throw asFailure(storeAway(error) ?? error);
  } finally {
    end.abort();
    for (const transport of new Set(transports.values())) await transport.close();
    await http?.close();
    await turns?.close();
    await store.close();
  }
}

/** Runs sources and loops side by side; the first that fails for good ends them all, and its error is thrown at the end. */
async function runLoops(
  running: Running,
  given: { secret: string; transports: Map<string, Transport>; roles: readonly Role[] },
  end: AbortController,
): Promise<void> {
  const { settings, health, log, signal } = running;
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
  const told = { ...given, domain: settings.instance.domain };
  // Each is watched as soon as it runs: one may fail while another is still being opened.
  const side = (loops: readonly Promise<void>[]): Promise<void> => Promise.all(loops.map(watch)).then(() => undefined);
  const work: Readonly<Record<Role, () => Promise<void>>> = {
    listener: async () => side([...(await listen(running)), policyLoop(running)]),
    reviewer: async () => {
      const judge = {
        review: reviewerOf(await openKnowledge(), settings.seed),
        compose: composerOf({ secret: told.secret, domain: told.domain }),
      };
      return side([decideLoop(running, { ...judge, secret: told.secret, domain: told.domain }), pruneLoop(running)]);
    },
    sender: () => side([sendLoop(running, given.transports), tellLoop(running, told)]),
    digest: () => side([digestLoop(running, told)]),
  };
  await Promise.all(given.roles.map((role) => watch(work[role]())));
  if (failures.length > 0) throw failures[0];
}

/** Every mailbox and folder that the settings name. */
async function listen(running: Running): Promise<Promise<void>[]> {
  const { settings, store, turns, health, metrics, log, policy, signal } = running;
  const listener: ListenerParts = {
    store,
    turns,
    authenticate: authenticatorOf(settings),
    patiently: (work) => patiently(work, { pause: settings.pause, log, signal }),
    read: readerOf(await openKit()),
    policy,
    health,
    metrics,
    log,
    now: Date.now,
    wake: () => turns.ring(),
  };
  const { imap } = settings;
  const options = { limits: settings, signal };
  const sources = settings.folders.map((folder) => listenFolder(folder, listener, options));
  if (imap !== undefined) {
    sources.push(imapAccount(imap, log).then((account) => listenImap(imap, account, listener, options)));
  }
  return sources;
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

/** A transaction of ours works for less than this between two statements, also on a busy machine. */
const leastSilence = 10_000;

/** The store of the settings, with its password from where they say. */
export async function openConfiguredStore(settings: Settings, log: Log): Promise<Store> {
  return openStoreAt(await storeUrl(settings, process.env, (hidden) => log.hide(hidden)), settings);
}

async function openStoreAt(url: string, { takeOver }: Settings): Promise<Store> {
  return openStore(url, { now: Date.now(), silence: Math.max(takeOver, leastSilence) });
}

type Sharing = { readonly settings: Settings; readonly log: Log; readonly ring: () => void };

/** Turns among all processes on a PostgreSQL store; a process on a SQLite store has them for itself. */
async function openTurnsAt(url: string, { settings, log, ring }: Sharing): Promise<Turns> {
  if (url.startsWith('sqlite:')) return soleTurns(ring);
  return openTurns(url, {
    silence: settings.takeOver,
    onRing: ring,
    onLoss: (detail) => log.error('turns.failed', { detail: detail.slice(0, 300) }),
  });
}

async function countQueue(store: Store): Promise<Record<string, number>> {
  const rows = await store.read((db) => listQueue(db, ['due', 'held', 'sending', 'uncertain', 'failed']));
  const counts: Record<string, number> = { due: 0, held: 0, sending: 0, uncertain: 0, failed: 0 };
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** A store that went away before the loops ran, or at the signal: only then nobody waits for it. */
function storeAway(error: unknown): Failure | undefined {
  if (error instanceof Failure || error instanceof ImapError || !isPassing(error)) return undefined;
  return new Failure('store-unreachable', `the store does not answer: ${String(error)}`, error);
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

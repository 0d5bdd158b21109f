import {
  watchMailbox,
  type ImapAccount,
  type MailboxCursor,
  type MailboxKeeper,
  type WatchEvent,
} from '../source/index.js';
import { Failure, readCertificates, readSecret, type ImapSettings, type Settings } from '../config/index.js';
import { mailKey, moveCursor, quarantine, readCursor, type Store, type Turns } from '../store/index.js';
import type { PolicyState } from '../../core/review/index.js';
import { arrive } from './arrive.js';
import type { Authenticate } from './authenticate.js';
import type { Reader } from './deps.js';
import type { Health, Metrics, SourceHealth } from './health.js';
import type { Log } from './log.js';
import { whileMine } from './while-mine.js';

export type ListenerParts = {
  readonly store: Store;
  /** Does work on the store, and waits while it does not answer. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
  readonly read: Reader;
  readonly policy: () => PolicyState;
  readonly authenticate: Authenticate;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
  /** Called after mails were kept: something may be due. */
  readonly wake: () => void;
  /** One process at a time reads a mailbox or folder. */
  readonly turns: Turns;
};

/** Watches every mailbox of an account until the signal, each while it is ours. Throws an ImapError that a person must mend. */
export async function listenImap(
  settings: ImapSettings,
  account: ImapAccount,
  parts: ListenerParts,
  options: { readonly limits: Settings; readonly signal: AbortSignal },
): Promise<void> {
  const { limits, signal } = options;
  const watches = (settings.mailboxes ?? [settings.mailbox]).map((mailbox) => {
    const name = `imap:${account.user}@${account.host}:${account.port}/${mailbox}`;
    const state = register(parts.health, name, settings.sweep);
    const watch = {
      account,
      mailbox,
      keyword: settings.keyword,
      sweepEvery: settings.sweep,
      sizeLimit: limits.sizeLimit,
      batchBytes: 4_000_000,
      pause: limits.pause,
    };
    return listenInTurn(name, { state, parts, signal }, (mine, patient) => {
      const report = (event: WatchEvent): void => note(event, { name, state, parts });
      return watchMailbox({ ...watch, patient }, keeperOf(name, parts, mine), report, mine);
    });
  });
  await Promise.all(watches);
}

/** The account that settings describe; secrets are had anew for each connection and hidden from the log. */
export async function imapAccount(settings: ImapSettings, log: Log): Promise<ImapAccount> {
  const { password, accessToken } = settings;
  const reference = accessToken ?? password;
  if (reference === undefined) throw new Failure('configuration', 'imap: give a password or an accessToken');
  const certificates = await readCertificates(settings.certificates);
  return {
    host: settings.host,
    port: settings.port,
    tls: settings.tls,
    ...(certificates === undefined ? {} : { certificates }),
    user: settings.user,
    silence: settings.silence,
    proof: async () => {
      const value = await readSecret(reference, process.env);
      log.hide(value);
      return accessToken === undefined ? { pass: value } : { accessToken: value };
    },
  };
}

export function register(health: Health, name: string, sweepEvery: number): SourceHealth {
  const state: SourceHealth = { connected: false, lastSweep: undefined, sweepEvery, standby: false };
  health.sources.set(name, state);
  return state;
}

/**
 * Listens while the source is ours, and stands by while another process listens. Trouble that lasts ends a process that has just been
 * started; one that was at work already, `patient`, waits for a mailbox or folder that it takes over.
 */
export async function listenInTurn(
  name: string,
  at: { readonly state: SourceHealth; readonly parts: ListenerParts; readonly signal: AbortSignal },
  listen: (mine: AbortSignal, patient: boolean) => Promise<void>,
): Promise<void> {
  const { state, parts, signal } = at;
  const { turns, log } = parts;
  let patient = false;
  const onWait = (): void => {
    patient = true;
    // While nobody can say who listens, nobody may.
    Object.assign(state, { standby: turns.areGiven(), connected: false });
  };
  await whileMine({ turns, key: name, log, signal, onWait }, async (mine) => {
    Object.assign(state, { standby: false, connected: false, lastSweep: undefined });
    const wasPatient = patient;
    patient = true;
    await listen(mine, wasPatient);
  });
}

/**
 * Each mail is one transaction with the cursor that follows it: a crash leaves both or neither. Once the mailbox is another's, nothing
 * is kept any more; what was under way is known to it by its Message-ID.
 */
export function keeperOf(name: string, parts: ListenerParts, mine: AbortSignal): MailboxKeeper {
  const { store, patiently } = parts;
  return {
    async cursor() {
      const value = await patiently(() => store.read((db) => readCursor(db, name)));
      return value === undefined ? undefined : parseCursor(value);
    },
    async keep(mails, cursor) {
      const counts = { new: 0, copy: 0, quarantined: 0 };
      for (const mail of mails) {
        if (mine.aborted) return;
        const value = JSON.stringify({ ...cursor, lastUid: mail.uid });
        counts[
          await take({ bytes: mail.bytes, at: mail.arrived, truncated: mail.truncated }, { name, value }, parts)
        ]++;
        await new Promise((resolve) => setImmediate(resolve)); // time-outs and health get their turn
      }
      if (mine.aborted) return;
      const value = JSON.stringify(cursor);
      await patiently(() => store.write((tx) => moveCursor(tx, { source: name, value })));
      if (mails.length === 0) return;
      parts.log.info('mail.kept', { source: name, mails: mails.length, ...counts });
      parts.wake();
    },
  };
}

/** A mail as a source gives it, and when it came. */
export type IncomingMail = {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** Only its beginning was fetched: it is put aside, not judged. */
  readonly truncated: boolean;
};

/** Takes one mail in. */
export async function take(
  mail: IncomingMail,
  at: { readonly name: string; readonly value: string },
  parts: ListenerParts,
): Promise<'new' | 'copy' | 'quarantined'> {
  const { store, metrics, log, read, policy, authenticate, patiently } = parts;
  const { name: source, value: cursor } = at;
  if (mail.truncated) {
    const key = mailKey(undefined, mail.bytes);
    const reason = 'larger than the settings allow; only its beginning was fetched';
    await patiently(() =>
      store.write(async (tx) => {
        await quarantine(tx, { at: mail.at, source, mail: key, reason, raw: mail.bytes });
        await moveCursor(tx, { source, value: cursor });
      }),
    );
    metrics.mails.inc({ source, kind: 'quarantined' });
    log.warn('mail.quarantined', { source, mail: key, why: reason });
    return 'quarantined';
  }
  const incoming = { raw: mail.bytes, at: mail.at, source, cursor };
  const result = await patiently(() => arrive(store, { read, policy, authenticate }, incoming));
  metrics.mails.inc({ source, kind: result.kind });
  if (result.kind === 'quarantined') log.warn('mail.quarantined', { source, mail: result.key });
  if (result.command !== undefined) log.info('command.obeyed', { source, mail: result.key, command: result.command });
  return result.kind;
}

function parseCursor(value: string): MailboxCursor {
  const { uidValidity, lastUid } = JSON.parse(value) as MailboxCursor; // written by keeperOf only
  return { uidValidity, lastUid };
}

function note(event: WatchEvent, at: { name: string; state: SourceHealth; parts: ListenerParts }): void {
  const { name: source, state, parts } = at;
  const { log, metrics, now } = parts;
  switch (event.kind) {
    case 'connected':
      state.connected = true;
      log.info('source.connected', { source });
      return;
    case 'swept':
      state.lastSweep = now();
      return;
    case 'first-start':
      log.info('source.first-start', { source, lastUid: event.lastUid });
      return;
    case 'uidvalidity-changed':
      log.warn('source.uidvalidity-changed', { source, was: event.was, is: event.is });
      return;
    case 'keyword-refused':
      log.info('source.keyword-refused', { source });
      return;
    case 'disconnected':
      state.connected = false;
      metrics.losses.inc({ source });
      log.warn('source.disconnected', { source, trouble: event.trouble, detail: event.detail, pause: event.pause });
      return;
    default:
      event satisfies never;
  }
}

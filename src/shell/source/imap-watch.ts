import type { ImapFlow } from 'imapflow';
import { Failure } from '../config/index.js';
import { growingPause, rest } from './pause.js';
import { closeClient, ImapError, openClient, openMailbox, sortError, type ImapAccount } from './imap-client.js';

/** Where reading goes on: UIDs hold only as long as UIDVALIDITY stays the same (RFC 9051 section 2.3.1.1). */
export type MailboxCursor = { readonly uidValidity: string; readonly lastUid: number };

/** One mail as the server gave it. Of a mail over the size limit only the beginning is fetched. */
export type FetchedMail = {
  readonly uid: number;
  readonly bytes: Uint8Array;
  /** Bytes on the server. */
  readonly size: number;
  readonly truncated: boolean;
  /** When the server got it, in milliseconds since 1970. */
  readonly arrived: number;
};

/** What the watcher needs from whoever keeps the mails. */
export type MailboxKeeper = {
  cursor(): Promise<MailboxCursor | undefined>;
  /** Keeps the mails and moves the cursor in one transaction; a mail that is kept already is no error. */
  keep(mails: readonly FetchedMail[], cursor: MailboxCursor): Promise<void>;
};

export type MailboxWatch = {
  readonly account: ImapAccount;
  readonly mailbox: string;
  /** Set on mails that were read, where the server allows it; nothing depends on it. */
  readonly keyword?: string;
  /** Look for new mails at least this often, in milliseconds, whatever IDLE says. */
  readonly sweepEvery: number;
  /** Larger mails are not fetched whole. Bytes. */
  readonly sizeLimit: number;
  /** Bytes fetched before they are handed on; bounds memory. */
  readonly batchBytes: number;
  /** First and longest pause between connections, in milliseconds. */
  readonly pause: { readonly first: number; readonly longest: number };
  /** Waits also for trouble that lasts: it is known to work, elsewhere or before. */
  readonly patient?: boolean;
};

export type WatchEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'first-start'; readonly lastUid: number }
  | { readonly kind: 'uidvalidity-changed'; readonly was: string; readonly is: string }
  | { readonly kind: 'keyword-refused' }
  | { readonly kind: 'swept'; readonly mails: number }
  | { readonly kind: 'disconnected'; readonly trouble: string; readonly detail: string; readonly pause: number };

const headBytes = 64 * 1024;
const batchMails = 200;

/**
 * Watches one mailbox until the signal: a new connection after every loss, with growing pauses. Throws only a lasting
 * ImapError before the first success, unless it is patient, and what the keeper throws.
 */
export async function watchMailbox(
  watch: MailboxWatch,
  keeper: MailboxKeeper,
  report: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let worked = watch.patient ?? false;
  let losses = 0;
  const tell = (event: WatchEvent): void => {
    if (event.kind === 'swept') {
      worked = true;
      losses = 0;
    }
    report(event);
  };
  while (!signal.aborted) {
    try {
      await holdConnection(watch, keeper, tell, signal);
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined || (trouble.lasting && !worked)) throw error;
      const pause = trouble.lasting ? watch.pause.longest : growingPause(losses++, watch.pause);
      report({ kind: 'disconnected', trouble: trouble.trouble, detail: trouble.message, pause });
      await rest(pause, signal);
    }
  }
}

/** A token command that fails for once has worked before and will again, as a server that refuses a login may. */
function troubleOf(error: unknown): ImapError | undefined {
  if (error instanceof ImapError) return error;
  if (error instanceof Failure && error.code === 'secret-missing') {
    return new ImapError('refused', error.message, { cause: error });
  }
  return undefined;
}

async function holdConnection(
  watch: MailboxWatch,
  keeper: MailboxKeeper,
  report: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = await openClient(watch.account);
  const bell = ringer(client, signal);
  try {
    const box = await openMailbox(client, watch.mailbox);
    report({ kind: 'connected' });
    let cursor = await startingPoint(box, keeper, report);
    const flags = client.mailbox === false ? undefined : client.mailbox.permanentFlags;
    const keyword = watch.keyword !== undefined && mayFlag(flags, watch.keyword) ? watch.keyword : undefined;
    if (watch.keyword !== undefined && keyword === undefined) report({ kind: 'keyword-refused' });
    while (!signal.aborted) {
      bell.clear();
      cursor = await sweep(client, { watch, keeper, report, keyword, signal }, cursor);
      if (signal.aborted) break;
      await bell.wait(watch.sweepEvery);
    }
  } catch (error) {
    throw sorted(error, watch.account);
  } finally {
    bell.release();
    await closeClient(client);
  }
}

/** Errors of the keeper pass; those of the connection become ImapErrors. */
function sorted(error: unknown, account: ImapAccount): unknown {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  const ofKeeper = error instanceof KeeperError;
  if (ofKeeper) return error.cause;
  if (code === 'NoConnection' || code === 'ETIMEOUT') {
    return new ImapError('lost', `the connection to ${account.host}:${account.port} was lost`, { cause: error });
  }
  return sortError(error, account);
}

class KeeperError extends Error {}

async function kept<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new KeeperError('the keeper failed', { cause: error });
  }
}

function mayFlag(flags: Set<string> | undefined, keyword: string): boolean {
  return flags === undefined || flags.has('\\*') || flags.has(keyword);
}

/** A first start begins at the newest mail; a new UIDVALIDITY begins anew, and the keeper knows what it has. */
async function startingPoint(
  box: { readonly uidValidity: string; readonly uidNext: number },
  keeper: MailboxKeeper,
  report: (event: WatchEvent) => void,
): Promise<MailboxCursor> {
  const cursor = await kept(keeper.cursor());
  if (cursor === undefined) {
    const first = { uidValidity: box.uidValidity, lastUid: box.uidNext - 1 };
    await kept(keeper.keep([], first));
    report({ kind: 'first-start', lastUid: first.lastUid });
    return first;
  }
  if (cursor.uidValidity === box.uidValidity) return cursor;
  report({ kind: 'uidvalidity-changed', was: cursor.uidValidity, is: box.uidValidity });
  return { uidValidity: box.uidValidity, lastUid: 0 };
}

type Sweep = {
  readonly watch: MailboxWatch;
  readonly keeper: MailboxKeeper;
  readonly report: (event: WatchEvent) => void;
  readonly keyword: string | undefined;
  readonly signal: AbortSignal;
};

/** Fetches everything after the cursor in batches of bounded size, and moves the cursor past each batch. */
async function sweep(client: ImapFlow, work: Sweep, from: MailboxCursor): Promise<MailboxCursor> {
  let cursor = from;
  let mails = 0;
  // `n:*` gives the last mail even if its UID is below n.
  const found = await answer(client, work, client.search({ uid: `${from.lastUid + 1}:*` }, { uid: true }));
  const uids = (found || []).filter((uid) => uid > from.lastUid).sort((a, b) => a - b);
  for (let at = 0; at < uids.length && !work.signal.aborted; at += batchMails) {
    const part = uids.slice(at, at + batchMails);
    const range = `${part[0]}:${part.at(-1)}`;
    const sizes = await answer(
      client,
      work,
      client.fetchAll(range, { uid: true, size: true, internalDate: true }, { uid: true }),
    );
    for (const batch of batches(sizes, work.watch)) {
      if (work.signal.aborted) break;
      const fetched = await fetchBatch(client, work, batch);
      const last = batch.at(-1)?.uid ?? cursor.lastUid;
      cursor = { ...cursor, lastUid: Math.max(cursor.lastUid, last) };
      await kept(work.keeper.keep(fetched, cursor));
      mails += fetched.length;
      if (work.keyword !== undefined && fetched.length > 0) {
        const done = batch.map((mail) => mail.uid).join(',');
        await answer(client, work, client.messageFlagsAdd(done, [work.keyword], { uid: true, silent: true }));
      }
    }
  }
  work.report({ kind: 'swept', mails });
  return cursor;
}

type Sized = { readonly uid: number; readonly size: number; readonly arrived: number };

function batches(
  answers: readonly { uid: number; size?: number; internalDate?: Date | string }[],
  watch: MailboxWatch,
): Sized[][] {
  const all: Sized[][] = [];
  let batch: Sized[] = [];
  let bytes = 0;
  for (const { uid, size = 0, internalDate } of [...answers].sort((a, b) => a.uid - b.uid)) {
    const taken = size > watch.sizeLimit ? headBytes : size;
    if (batch.length > 0 && bytes + taken > watch.batchBytes) {
      all.push(batch);
      batch = [];
      bytes = 0;
    }
    const when = internalDate === undefined ? Number.NaN : new Date(internalDate).getTime();
    batch.push({ uid, size, arrived: Number.isNaN(when) ? Date.now() : Math.min(when, Date.now()) });
    bytes += taken;
  }
  if (batch.length > 0) all.push(batch);
  return all;
}

/** A mail expunged meanwhile is simply not there. fetchAll, not fetch: a command inside its loop would wait for ever. */
async function fetchBatch(client: ImapFlow, work: Sweep, batch: readonly Sized[]): Promise<FetchedMail[]> {
  const large = batch.filter((mail) => mail.size > work.watch.sizeLimit);
  const whole = batch.filter((mail) => mail.size <= work.watch.sizeLimit);
  const fetched: FetchedMail[] = [];
  for (const [part, source] of [
    [whole, true],
    [large, { start: 0, maxLength: headBytes }],
  ] as const) {
    if (part.length === 0) continue;
    const uids = part.map((mail) => mail.uid).join(',');
    const answers = await answer(client, work, client.fetchAll(uids, { uid: true, source }, { uid: true }));
    for (const mail of part) {
      const bytes = answers.find((found) => found.uid === mail.uid)?.source;
      if (bytes === undefined) continue;
      const { uid, size, arrived } = mail;
      fetched.push({ uid, size, arrived, bytes: new Uint8Array(bytes), truncated: source !== true });
    }
  }
  return fetched.sort((a, b) => a.uid - b.uid);
}

/** A command's answer; a server that stays silent for too long is a lost one, whatever the socket believes. */
async function answer<T>(client: ImapFlow, { watch }: Sweep, command: Promise<T>): Promise<T> {
  const limit = watch.account.silence * 3;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      client.close();
      reject(new ImapError('lost', `${watch.account.host} has not answered for ${limit} ms`));
    }, limit);
  });
  try {
    return await Promise.race([command, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rings on new mail, on the end of the connection and on the signal; a ring between clear and wait is not lost. */
function ringer(
  client: ImapFlow,
  signal: AbortSignal,
): { clear(): void; wait(limit: number): Promise<void>; release(): void } {
  let rung = false;
  let closed = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  client.on('exists', ring);
  client.on('close', () => {
    closed = true;
    ring();
  });
  signal.addEventListener('abort', ring, { once: true });
  return {
    release: () => signal.removeEventListener('abort', ring),
    clear: () => void (rung = false),
    async wait(limit) {
      if (!rung) {
        client.idle().catch(() => undefined);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limit);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          if (rung) wake();
        });
      }
      if (closed && !signal.aborted) throw new ImapError('lost', 'the server closed the connection');
    },
  };
}

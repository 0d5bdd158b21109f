import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../config/index.js';

/** The right to do what one process at a time does. */
export type Turn = {
  /** Aborted when the right is lost: PostgreSQL gives it to another as soon as our connection has ended. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
};

/** Who does what among the processes that share a store. */
export type Turns = {
  /** The turn, unless another has it, or nobody can be asked. */
  take(key: string): Promise<Turn | undefined>;
  /** Whether turns can be had at all: what is refused meanwhile is not another's. */
  areGiven(): boolean;
  /** Wakes every process that shares the store: there may be something to do. */
  ring(): void;
  close(): Promise<void>;
};

export type TurnsOptions = {
  /** A process that PostgreSQL has not heard of for this long, in milliseconds, has lost its turns. */
  readonly silence: number;
  readonly onRing: () => void;
  /** The connection that held the turns is gone; it is tried again by itself. */
  readonly onLoss: (detail: string) => void;
};

/** Turns for a process that is alone with its store: each is given until it is released. */
export function soleTurns(onRing: () => void): Turns {
  const held = new Set<string>();
  const { signal } = new AbortController();
  return {
    take(key) {
      if (held.has(key)) return Promise.resolve(undefined);
      held.add(key);
      return Promise.resolve({ lost: signal, release: () => Promise.resolve(void held.delete(key)) });
    },
    areGiven: () => true,
    ring: onRing,
    close: () => Promise.resolve(),
  };
}

/** Turns among the processes of one PostgreSQL database. */
export async function openTurns(url: string, options: TurnsOptions): Promise<Turns> {
  return PostgresTurns.open(url, options);
}

type Link = {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly end: AbortController;
  /** One statement after the other. */
  readonly query: <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<R>>;
  /** When the server was last spoken to before it was in use. */
  readonly since: number;
};

const channel = 'reveille';
const firstPause = 100;

/**
 * Session-level advisory locks on one connection that does nothing else (docs/adr/0005). A process that dies, or is cut off, loses the
 * connection and with it every turn; one that is frozen is cut off by the server. It beats often enough to know before the server does.
 */
class PostgresTurns implements Turns {
  readonly #url: string;
  readonly #options: TurnsOptions;
  readonly #closing = new AbortController();
  readonly #held = new Map<string, AbortController>();
  #link: Link | undefined;
  #living: Promise<void> = Promise.resolve();

  private constructor(url: string, options: TurnsOptions) {
    this.#url = url;
    this.#options = options;
  }

  static async open(url: string, options: TurnsOptions): Promise<PostgresTurns> {
    const turns = new PostgresTurns(url, options);
    let link: Link;
    try {
      link = await turns.#connect();
    } catch (error) {
      throw new Failure('store-unreachable', `cannot open the store: ${String(error)}`, error);
    }
    turns.#living = turns.#live(link);
    return turns;
  }

  async take(key: string): Promise<Turn | undefined> {
    const link = this.#link;
    if (link === undefined || this.#held.has(key)) return undefined;
    const lost = new AbortController();
    // A session may take its own lock twice: what this process has in hand is known here.
    this.#held.set(key, lost);
    const isMine = await ask(link, 'select pg_try_advisory_lock($1::bigint) as done', key);
    if (isMine && this.#link === link) return { lost: lost.signal, release: () => this.#release(key, lost, link) };
    if (this.#held.get(key) === lost) this.#held.delete(key);
    return undefined;
  }

  async #release(key: string, lost: AbortController, link: Link): Promise<void> {
    if (this.#held.get(key) !== lost) return; // went with its connection
    await ask(link, 'select pg_advisory_unlock($1::bigint) as done', key);
    if (this.#held.get(key) === lost) this.#held.delete(key);
  }

  areGiven(): boolean {
    return this.#link !== undefined;
  }

  ring(): void {
    this.#options.onRing();
    // A bell that is not heard costs a nap: whoever waits looks by himself after a while.
    this.#link?.query(`notify ${channel}`).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#link?.end.abort();
    await this.#living;
  }

  async #live(first: Link): Promise<void> {
    let link: Link | undefined = first;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, this.#options.silence / 2)) {
      if (link !== undefined) {
        this.#link = link;
        this.#options.onRing(); // what rang meanwhile was not heard
        const why = await this.#beat(link);
        this.#lose(link);
        if (this.#closing.signal.aborted) return;
        this.#options.onLoss(why);
        pause = firstPause;
      }
      if (!(await slept(pause, this.#closing.signal))) return;
      link = await this.#connect().catch(() => undefined);
      if (!this.#closing.signal.aborted) continue;
      if (link !== undefined) this.#lose(link);
      return;
    }
  }

  /** Lasts as long as the connection; gives what ended it. The server hears of us later than we speak: we give up first. */
  async #beat({ query, end, since }: Link): Promise<string> {
    const { silence } = this.#options;
    let heard = since;
    while (await slept(silence / 4, end.signal)) {
      const spoke = performance.now();
      const patience = heard + silence * 0.75 - spoke;
      if (patience <= 0) return 'this process was too busy, or frozen';
      const answered = query('select 1').then(
        () => true,
        () => false,
      );
      const waiting = new AbortController();
      const isThere = await Promise.race([answered, slept(patience, waiting.signal).then(() => false)]);
      waiting.abort();
      if (!isThere) return 'no answer to a beat';
      heard = spoke;
    }
    return String(end.signal.reason);
  }

  #lose({ client, socket }: Link): void {
    this.#link = undefined;
    for (const lost of this.#held.values()) lost.abort();
    this.#held.clear();
    // The server sees the end at once, and gives the turns away. A polite end would wait for an answer.
    client.end().catch(() => undefined);
    socket.destroy();
  }

  async #connect(): Promise<Link> {
    const { silence, onRing } = this.#options;
    const socket = new Socket();
    const end = new AbortController();
    const client = new pg.Client({
      connectionString: this.#url,
      stream: () => socket,
      keepAlive: true,
      application_name: 'reveille turns',
    });
    // For all of it, not for the handshake alone: a server may fall silent right after.
    const quit = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(Math.max(silence / 2, 1000))]);
    const giveUp = (): void => void socket.destroy(new Error('no connection in time'));
    quit.addEventListener('abort', giveUp);
    client.on('error', (error) => end.abort(error));
    client.on('end', () => end.abort('the connection has ended'));
    client.on('notification', onRing);
    try {
      await client.connect();
      await client.query(endWhenSilent, [String(Math.ceil(silence)), String(Math.ceil(silence / 3000))]);
      const since = performance.now();
      await client.query(`listen ${channel}`);
      return { client, socket, end, query: inOrder(client), since };
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      quit.removeEventListener('abort', giveUp);
    }
  }
}

/**
 * How PostgreSQL is told to end a session that says nothing: a frozen process by idle_session_timeout (from 14 on), a host that is
 * gone by TCP. What a server does not know is left out.
 */
const endWhenSilent = `
  select set_config(name, case name
    when 'tcp_keepalives_count' then '3'
    when 'tcp_keepalives_idle' then $2
    when 'tcp_keepalives_interval' then $2
    else $1 end, false)
  from pg_settings
  where name in ('idle_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count')`;

/** A connection has one statement under way at a time: pg 9 no longer lets the others wait by itself. */
function inOrder(client: pg.Client): Link['query'] {
  let last: Promise<unknown> = Promise.resolve();
  return <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => {
    const next = last.then(() => client.query<R>(text, values));
    last = next.catch(() => undefined);
    return next;
  };
}

/** False as well when the connection breaks: then nothing of it is ours. */
async function ask({ query }: Link, text: string, key: string): Promise<boolean> {
  try {
    const { rows } = await query<{ done: boolean }>(text, [lockOf(key)]);
    return rows[0]?.done === true;
  } catch {
    return false;
  }
}

function lockOf(key: string): string {
  return createHash('sha256').update(`reveille ${key}`).digest().readBigInt64BE().toString();
}

/** Whether the time passed without the signal. */
async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

import { Kysely, type KyselyConfig } from 'kysely';
import { Failure } from '../config/index.js';
import { postgresDialect, sqliteDialect } from './dialect.js';
import { migrate } from './migrations.js';
import type { Db, Dialect, Tables, Tx } from './tables.js';

/** An open store: SQLite in one file, or a PostgreSQL database. Several processes may hold the same one. */
export class Store {
  readonly dialect: Dialect;
  readonly #db: Db;

  constructor(db: Db, dialect: Dialect) {
    this.#db = db;
    this.dialect = dialect;
  }

  /** One transaction that may write: all of it or nothing, and nobody else writes meanwhile. */
  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(work);
  }

  /** Reads without waiting for writers. */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return work(this.#db);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}

export type StoreOptions = {
  /** Moment that the migrations note down. */
  readonly now: number;
  /** `false`: for a store that is thrown away, which need not survive a power cut. */
  readonly durable?: boolean;
  /** PostgreSQL rolls a transaction back that says nothing for so many milliseconds. */
  readonly silence?: number;
  /** Sees every statement after it ran. */
  readonly log?: KyselyConfig['log'];
};

/** Far longer than what is worked out between two statements of a transaction. */
const longestSilence = 60_000;

/** Opens `sqlite:PATH`, `sqlite::memory:` or `postgres://...` and brings it to this program's version. */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  let db: Kysely<Tables> | undefined;
  try {
    const { dialect, driver } = dialectOf(url, options);
    db = new Kysely<Tables>({ dialect: driver, ...(options.log === undefined ? {} : { log: options.log }) });
    await migrate(db, dialect, options.now);
    return new Store(db, dialect);
  } catch (error) {
    await db?.destroy();
    if (error instanceof Failure) throw error;
    const where = url.startsWith('sqlite:') ? ` ${url.slice('sqlite:'.length)}` : '';
    throw new Failure('store-unreachable', `cannot open the store${where}: ${String(error)}`, error);
  }
}

function dialectOf(
  url: string,
  { durable = true, silence = longestSilence }: StoreOptions,
): { dialect: Dialect; driver: ReturnType<typeof sqliteDialect> } {
  if (url.startsWith('sqlite:'))
    return { dialect: 'sqlite', driver: sqliteDialect(url.slice('sqlite:'.length), durable) };
  if (/^postgres(?:ql)?:\/\//.test(url)) return { dialect: 'postgres', driver: postgresDialect(url, silence) };
  throw new Failure('store-url', `cannot tell what kind of store "${url.split(':')[0] ?? ''}:..." is`);
}

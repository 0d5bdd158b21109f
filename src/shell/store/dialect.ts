import Database from 'libsql';
import {
  CompiledQuery,
  PostgresDialect,
  PostgresDriver,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type PostgresDialectConfig,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { Failure } from '../config/index.js';

/** How long a writer waits for another process before it gives up. */
const patience = 15_000;

/**
 * SQLite whose transactions take the write lock at once (kysely begins deferred: two that read first and write later would
 * fail in the middle). The wait for the lock is not left to SQLite alone, which would stop this process's event loop.
 */
export function sqliteDialect(path: string, durable: boolean): KyselyDialect {
  return new ImmediateSqlite(openSqlite(path, durable), !durable);
}

class ImmediateSqlite extends SqliteDialect {
  readonly #database: Database.Database;
  readonly #alone: boolean;

  constructor(database: Database.Database, alone: boolean) {
    super({ database });
    this.#database = database;
    this.#alone = alone;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#database, this.#alone ? keepStatements(this.#database) : this.#database);
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: Database.Database;

  constructor(database: Database.Database, statements: SqliteDatabase) {
    super({ database: statements });
    this.#database = database;
  }

  override async beginTransaction(): Promise<void> {
    const began = performance.now();
    for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
      try {
        // Not by a prepared statement: libsql 0.5.29 leaves one that met a lock unfinished, and the next commit fails on it.
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() - began > patience) throw new Failure('store-busy', 'the store is locked', error);
        await new Promise((wake) => setTimeout(wake, pause));
      }
    }
  }
}

const mostStatements = 300;

/**
 * Prepares each statement once. Only for a store that no other process sees: libsql 0.5.29 leaves a statement that met a lock
 * unfinished, and one that is kept would hold its lock.
 */
function keepStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => {
      kept.clear();
      database.close();
    },
    prepare: (sql) => {
      const known = kept.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      if (kept.size >= mostStatements) kept.clear();
      kept.set(sql, statement);
      return statement;
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

function openSqlite(path: string, durable: boolean): Database.Database {
  const database = new Database(path);
  for (const pragma of [
    'busy_timeout = 100',
    'journal_mode = WAL',
    `synchronous = ${durable ? 'FULL' : 'OFF'}`,
    'foreign_keys = ON',
  ]) {
    retryBusy(() => database.pragma(pragma));
  }
  return database;
}

/** Switching to WAL needs the file for itself for a moment, whatever `busy_timeout` says. */
function retryBusy(run: () => unknown): void {
  for (let tries = 0; ; tries++) {
    try {
      run();
      return;
    } catch (error) {
      if (!isBusy(error) || tries >= 100) throw error;
    }
  }
}

/**
 * PostgreSQL; transactions that write take one lock, as SQLite's do, so that two deciders see each other's work. One that is silent
 * for too long is rolled back by the server: a frozen process must not stop all others.
 */
export function postgresDialect(url: string, silence: number): KyselyDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(20, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    types,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: silence,
    keepAlive: true,
  });
  // A connection that the server drops is replaced by the pool, one in a transaction fails at its next statement; without listeners
  // either would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new LockingPostgres({ pool });
}

class LockingPostgres extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new LockingPostgresDriver(this.#config);
  }
}

const writersLock = 7_362_019;

class LockingPostgresDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings);
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${writersLock})`));
  }
}

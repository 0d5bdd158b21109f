import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPostgres, startPostgres, type Cluster } from './postgres.js';

/** A kind of store that a suite runs on: `url` gives a fresh, empty one. */
export type StoreKind = {
  readonly name: string;
  readonly missing: boolean;
  start(): Promise<void>;
  url(): Promise<string>;
  stop(): Promise<void>;
};

export function sqliteKind(): StoreKind {
  const folders: string[] = [];
  return {
    name: 'SQLite',
    missing: false,
    start: () => Promise.resolve(),
    url() {
      const folder = mkdtempSync(join(tmpdir(), 'reveille-store-'));
      folders.push(folder);
      return Promise.resolve(`sqlite:${join(folder, 'store.db')}`);
    },
    stop() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

export function postgresKind(): StoreKind {
  let cluster: Cluster | undefined;
  return {
    name: 'PostgreSQL [needs postgresql]',
    missing: !hasPostgres,
    async start() {
      cluster = await startPostgres();
    },
    url() {
      if (cluster === undefined) throw new Error('not started');
      return cluster.fresh();
    },
    async stop() {
      await cluster?.stop();
    },
  };
}

import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './servers/process-group.js';

/** A private PostgreSQL in a folder of its own, on loopback. `stop` ends it and removes the folder. */
export type Cluster = {
  readonly url: string;
  fresh(): Promise<string>;
  /** Ends the server, which drops its clients (INT) or says nothing at all to them (QUIT), and starts it on the same port. */
  restart(how: 'INT' | 'QUIT'): Promise<void>;
  stop(): Promise<void>;
};

type Server = ChildProcessByStdio<Writable, null, null>;

const root = '/usr/lib/postgresql';

function findBin(): string | undefined {
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

const bin = findBin();

/** For `describe.skipIf(!hasPostgres)` on tests that carry [needs postgresql] in their name. */
export const hasPostgres = bin !== undefined;

/** initdb refuses to run as root: the account that the Debian package makes is used then. */
function account(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

export async function startPostgres(): Promise<Cluster> {
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'reveille-pg-'));
  const who = account();
  if (who !== undefined) chownSync(folder, who.uid, who.gid);
  const data = join(folder, 'data');
  const options = { cwd: folder, ...who, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' } };
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bot', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 60,
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  // The server ends with the tests, also when they are killed: the shell around it waits for its input to close.
  const guarded =
    'trap "" TERM; "$0" "$@" </dev/null & server=$!; read -r how; kill -${how:-INT} $server; wait $server';
  const args = ['-c', guarded, join(bin, 'postgres'), '-D', data, ...flags];
  const url = `postgres://bot@127.0.0.1:${port}/postgres`;
  const launch = async (): Promise<Server> => {
    const started: Server = spawn('sh', args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
    started.stdin.on('error', () => undefined);
    await waitUntilUp(url, started);
    return started;
  };
  const end = async (how: string): Promise<void> => {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.stdin.end(`${how}\n`);
    if (server.exitCode === null) await gone;
  };
  let server = await launch();
  let count = 0;
  return {
    url,
    async fresh() {
      const name = `t${++count}`;
      await withClient(url, (client) => client.query(`create database ${name}`));
      return url.replace(/postgres$/, name);
    },
    async restart(how) {
      await end(how);
      server = await launch();
    },
    async stop() {
      await end('INT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilUp(url: string, server: Server): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    try {
      await withClient(url, (client) => client.query('select 1'));
      return;
    } catch {
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }
  throw new Error('postgres does not answer');
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

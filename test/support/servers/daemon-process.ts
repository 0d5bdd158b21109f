/** `reveille daemon` as a process of its own, with a settings file, a policy and a store in one folder. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../../../src/shell/store/index.js';
import { runOnce, startGroup, waitFor, type Group } from './process-group.js';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'shell', 'cli', 'main.js');

export type LogLine = { readonly level: string; readonly event: string; readonly [field: string]: unknown };

export type Daemon = {
  readonly config: string;
  readonly folder: string;
  start(): Promise<void>;
  /** Starts without waiting; for a start that must fail, and for kills at any moment. */
  launch(): Group;
  stop(): Promise<number | undefined>;
  kill(): Promise<void>;
  /** All log lines of all starts so far. */
  readonly log: () => LogLine[];
  readonly logText: () => string;
  get(path: string): Promise<{ status: number; text: string }>;
  /** The daemon's store, opened beside it. */
  open(): Promise<Store>;
};

export type DaemonOptions = {
  /** Absent: no mail is read by IMAP. */
  readonly imapPort?: number;
  readonly smtpPort: number;
  readonly healthPort: number;
  readonly user?: string;
  readonly mailboxes?: readonly string[];
  readonly store?: string;
  /** Policy entries by List-Id, as YAML flow text: `{address: a@b, channel: list, settle: 0 s}`. */
  readonly lists: Readonly<Record<string, string>>;
  readonly more?: string;
  /** Logs in at the SMTP server with it. */
  readonly smtpPassword?: string;
  /** In place of `daemon`: `worker --role listener`. */
  readonly command?: readonly string[];
  /** A file that a command reads the OAuth2 token from, for both servers, in place of passwords. */
  readonly tokenFile?: string;
};

/** Writes settings and policy; the secrets are in files of their own. */
export function makeDaemon(folder: string, options: DaemonOptions): Daemon {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => join(folder, name);
  const user = options.user ?? 'bot';
  writeFileSync(at('secret'), 'an instance secret of the tests\n', { mode: 0o600 });
  writeFileSync(at('password'), `secret-of-${user}\n`, { mode: 0o600 });
  writeFileSync(
    at('policy.yaml'),
    [
      'self: {name: Reveille, address: bot@bot.test}',
      'operator: operator@bot.test',
      'caps: {hour: 1000, day: 1000, author: 1000}',
      'lists:',
      ...Object.entries(options.lists).map(([id, entry]) => `  ${id}: ${entry}`),
      '',
    ].join('\n'),
  );
  if (options.smtpPassword !== undefined) writeFileSync(at('smtp-password'), options.smtpPassword, { mode: 0o600 });
  const token = options.tokenFile === undefined ? undefined : `accessToken: {command: [cat, ${options.tokenFile}]}`;
  const smtpProof = token ?? (options.smtpPassword === undefined ? '' : `password: {file: ${at('smtp-password')}}`);
  const login = smtpProof === '' ? '' : `, user: ${user}, ${smtpProof}`;
  const imapSettings = (port: number): string => `imap:
  host: 127.0.0.1
  port: ${port}
  tls: none
  user: ${user}
  ${token ?? `password: {file: ${at('password')}}`}
  mailboxes: [${(options.mailboxes ?? ['INBOX']).join(', ')}]
  sweep: 1 s
  silence: 10 s
`;
  writeFileSync(
    at('settings.yaml'),
    `store: ${options.store ?? 'sqlite:store.db'}
policy: policy.yaml
instance: {secret: {file: ${at('secret')}}, domain: bot.test}
killFile: stop
${options.imapPort === undefined ? '' : imapSettings(options.imapPort)}smtp: {host: 127.0.0.1, port: ${options.smtpPort}, tls: none, patience: 12 s${login}}
health: {port: ${options.healthPort}}
log: debug
pause: {first: 0.1 s, longest: 1 s}
${options.more ?? ''}`,
  );
  const config = at('settings.yaml');
  const logFile = at('daemon.log');
  const url = options.store ?? `sqlite:${at('store.db')}`;
  let running: Group | undefined;
  const logText = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  const log = (): LogLine[] =>
    logText()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  const count = (event: string): number => log().filter((line) => line.event === event).length;
  const daemon: Daemon = {
    config,
    folder,
    launch() {
      running = startGroup(process.execPath, [program, ...(options.command ?? ['daemon']), '--config', config], {
        log: logFile,
      });
      return running;
    },
    async start() {
      const before = count('source.connected');
      daemon.launch();
      await waitFor('the daemon is in its mailbox', () => count('source.connected') > before, {
        limit: 180_000,
        log: logFile,
      });
      await waitFor('the daemon is ready', async () => (await daemon.get('/readyz')).status === 200, {
        limit: 180_000,
        log: logFile,
      });
    },
    async stop() {
      const group = running;
      running = undefined;
      await group?.stop(180_000);
      return group?.exited;
    },
    async kill() {
      running?.signal('SIGKILL');
      await running?.stop();
      running = undefined;
    },
    log,
    logText,
    async get(path) {
      try {
        const answer = await fetch(`http://127.0.0.1:${options.healthPort}${path}`);
        return { status: answer.status, text: await answer.text() };
      } catch {
        return { status: 0, text: '' };
      }
    },
    open: () => openStore(url, { now: Date.now() }),
  };
  return daemon;
}

/** The lists have had their first twenty replies approved. */
export async function approveLists(daemon: Daemon, lists: readonly string[]): Promise<void> {
  const store = await daemon.open();
  await store.write(async (tx) => {
    for (const list of lists) await tx.insertInto('approvals').values({ list, count: 20 }).execute();
  });
  await store.close();
}

/** Runs `reveille` to its end while servers of this process can answer; a daemon that goes on after five minutes is ended. */
export async function runToEnd(...args: readonly string[]): Promise<{ status: number; text: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => void (text += part.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  clearTimeout(timer);
  return { status, text };
}

/** Runs `reveille` to its end. */
export function runReveille(...args: readonly string[]): { status: number; text: string } {
  const script = '"$0" "$@" 2>&1; echo "status $?"';
  const text = runOnce('/bin/sh', ['-c', script, process.execPath, program, ...args]);
  const status = /status (\d+)\n$/.exec(text)?.[1] ?? '-1';
  return { status: Number(status), text };
}

/** Starts servers for tests as process groups of their own, waits for conditions, and stops whole groups. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Group = {
  readonly pid: number;
  /** Settles with the exit status, or with undefined after a signal. */
  readonly exited: Promise<number | undefined>;
  /** To every process of the group; false when none is left. */
  signal(name: NodeJS.Signals): boolean;
  /** SIGTERM, then SIGKILL for what is left after `patience` ms; settles when the group is gone. */
  stop(patience?: number): Promise<void>;
};

const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
});

/** Starts a program as the head of a process group; its output goes to `log`. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: { readonly log: string; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string },
): Group {
  const out = openSync(options.log, 'a');
  const child = spawn(command, [...args], {
    detached: true,
    stdio: ['ignore', out, out],
    env: options.env ?? process.env,
    cwd: options.cwd,
  });
  const exited = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? undefined));
  });
  exited.catch(() => undefined);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot start ${command}`);
  running.add(pid);
  return {
    pid,
    exited,
    signal: (name) => signalGroup(pid, name),
    async stop(patience = 5000) {
      signalGroup(pid, 'SIGCONT');
      signalGroup(pid, 'SIGTERM');
      const gone = await until(() => !signalGroup(pid, 0), patience);
      if (!gone) {
        signalGroup(pid, 'SIGKILL');
        await until(() => !signalGroup(pid, 0), 5000);
      }
      running.delete(pid);
    },
  };
}

function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** True as soon as the condition holds, false after `limit` ms. Asks every so many ms. */
export async function until(condition: () => boolean | Promise<boolean>, limit: number, every = 20): Promise<boolean> {
  const end = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await pause(every);
  }
  return true;
}

/** Waits for a condition; fails with `what` and the tail of a log after `limit` ms. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  options: { readonly limit?: number; readonly every?: number; readonly log?: string } = {},
): Promise<void> {
  if (await until(condition, options.limit ?? 120_000, options.every)) return;
  const tail = options.log === undefined ? '' : `\n${readFileSync(options.log, 'utf8').slice(-3000)}`;
  throw new Error(`waited in vain: ${what}${tail}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A port on loopback that is free now, from below the range that outgoing connections take theirs from: one of those could have it
 * before the server that is meant to.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Whether something accepts connections on this loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** A folder of its own under the system's temporary folder, world-readable because servers change their user. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `reveille-${name}-`));
  runOnce('chmod', ['755', path]);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Runs a program to its end; throws with its output when it fails. */
export function runOnce(command: string, args: readonly string[], input?: string): string {
  const done = spawnSync(command, [...args], { encoding: 'utf8', input });
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr}${done.stdout}`);
  return done.stdout;
}

/** Whether a program is there to be started. */
export function hasProgram(path: string): boolean {
  return spawnSync('sh', ['-c', `command -v "${path}"`], { stdio: 'ignore' }).status === 0;
}

export const isRoot = process.getuid?.() === 0;

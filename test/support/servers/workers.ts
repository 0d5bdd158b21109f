/** Worker processes under a supervisor that starts each anew when it ends, as systemd does. */
import { join } from 'node:path';
import { makeDaemon, type Daemon, type DaemonOptions, type LogLine } from './daemon-process.js';
import { freePort, pause, type Group } from './process-group.js';

export type Worker = {
  readonly name: string;
  readonly daemon: Daemon;
  readonly logFile: string;
  /** Statuses of starts that ended by themselves. */
  readonly exits: readonly number[];
  /** SIGKILL; the supervisor starts it anew. False when it is not running now. */
  kill(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Whether its last start has come as far as to work. */
  readonly isUp: () => boolean;
  /** The last event of a kind since its last start. */
  readonly lastEvent: (prefix: string) => string | undefined;
  stop(): Promise<void>;
};

/** Starts a worker of some roles; each has a folder and settings of its own, as on a host of its own. */
export async function startWorker(
  folder: string,
  name: string,
  roles: readonly string[],
  options: Omit<DaemonOptions, 'healthPort' | 'command'>,
): Promise<Worker> {
  const command = ['worker', '--role', roles.join(',')];
  const daemon = makeDaemon(join(folder, name), { ...options, healthPort: await freePort(), command });
  const exits: number[] = [];
  let isStopping = false;
  let group: Group | undefined;
  let seen = 0;
  const live = async (): Promise<void> => {
    while (!isStopping) {
      seen = daemon.log().length;
      const started = daemon.launch();
      group = started;
      const status = await started.exited;
      group = undefined;
      await started.stop(0);
      if (status !== undefined && !isStopping) exits.push(status);
      if (!isStopping) await pause(200);
    }
  };
  const linesNow = (): LogLine[] => daemon.log().slice(seen);
  const living = live();
  living.catch(() => undefined);
  return {
    name,
    daemon,
    logFile: join(daemon.folder, 'daemon.log'),
    exits,
    kill: () => group?.signal('SIGKILL') ?? false,
    signal: (signal) => void group?.signal(signal),
    isUp: () => group !== undefined && linesNow().some((line) => line.event === 'daemon.started'),
    lastEvent: (prefix) => linesNow().findLast((line) => line.event.startsWith(prefix))?.event,
    async stop() {
      isStopping = true;
      await group?.stop(60_000);
      await living;
    },
  };
}

/** The worker that has a turn now, by the logs: whoever took it last. */
export function holderOf(workers: readonly Worker[], turn: string): Worker | undefined {
  let holder: Worker | undefined;
  let latest = 0;
  for (const worker of workers) {
    for (const line of worker.daemon.log()) {
      if (line.event !== 'turn.taken' || !String(line.turn).startsWith(turn) || timeOf(line) < latest) continue;
      latest = timeOf(line);
      holder = worker;
    }
  }
  return holder;
}

/** When the first line of an event came at or after a moment, in any of the logs. */
export function firstAfter(workers: readonly Worker[], at: number, is: (line: LogLine) => boolean): number | undefined {
  const times = workers.flatMap(({ daemon }) =>
    daemon
      .log()
      .filter((line) => timeOf(line) >= at && is(line))
      .map(timeOf),
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

function timeOf(line: LogLine): number {
  return Date.parse(String(line.time));
}

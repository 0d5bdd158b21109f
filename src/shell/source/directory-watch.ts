import { watch as watchFiles, type FSWatcher } from 'node:fs';
import { Failure } from '../config/index.js';
import { growingPause, rest } from './pause.js';

/** A mail of a folder, and where reading goes on after it. */
export type DirectoryMail = {
  readonly bytes: Uint8Array;
  /** When it came, in milliseconds since 1970. */
  readonly arrived: number;
  /** Larger than the limit: these are its beginning only. */
  readonly truncated: boolean;
  readonly cursor: string;
};

/** What is new in a folder, by a cursor that only it understands. */
export type DirectoryReader = {
  /** Folders in which something changes when mail comes. */
  folders(): readonly string[] | Promise<readonly string[]>;
  /** Where a first start begins: behind the newest mail. */
  start(): Promise<string>;
  /** Mails behind the cursor, oldest first; a bare cursor moves on without a mail. */
  sweep(cursor: string, sizeLimit: number): AsyncGenerator<DirectoryMail | { readonly cursor: string }>;
};

/** Who keeps the mails: each one and its cursor in one transaction; a mail that is kept already is no error. */
export type DirectoryKeeper = {
  cursor(): Promise<string | undefined>;
  keep(mail: DirectoryMail): Promise<void>;
  move(cursor: string): Promise<void>;
};

export type DirectoryWatch = {
  readonly reader: DirectoryReader;
  readonly path: string;
  /** Look for new mails at least this often, in milliseconds, whatever the file system announces. */
  readonly sweepEvery: number;
  /** Larger mails are not read whole. Bytes. */
  readonly sizeLimit: number;
  readonly pause: { readonly first: number; readonly longest: number };
  /** Waits also for a folder that cannot be read at the start: it is known to work, elsewhere or before. */
  readonly patient?: boolean;
};

export type DirectoryEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'first-start' }
  | { readonly kind: 'swept'; readonly mails: number }
  | { readonly kind: 'disconnected'; readonly detail: string; readonly pause: number };

/**
 * Watches a folder of mails until the signal. Throws a Failure when it cannot be read at the start, unless it is patient, and what the keeper throws; a
 * folder that cannot be read later is waited for with growing pauses.
 */
export async function watchDirectory(
  watch: DirectoryWatch,
  keeper: DirectoryKeeper,
  report: (event: DirectoryEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let losses = 0;
  let worked = false;
  const bell = folderBell(signal);
  try {
    while (!signal.aborted) {
      let failure: Failure | undefined;
      try {
        await bell.listen(await watch.reader.folders());
        const mails = await sweep(watch, keeper, report, signal);
        if (!worked || losses > 0) report({ kind: 'connected' });
        worked = true;
        losses = 0;
        report({ kind: 'swept', mails });
      } catch (error) {
        failure = asFailure(error, watch.path);
        if (failure === undefined || !(worked || watch.patient === true)) throw failure ?? error;
      }
      if (failure === undefined) await bell.wait(watch.sweepEvery);
      else {
        const pause = growingPause(losses++, watch.pause);
        report({ kind: 'disconnected', detail: failure.message, pause });
        await rest(pause, signal);
      }
    }
  } finally {
    bell.close();
  }
}

async function sweep(
  { reader, sizeLimit }: DirectoryWatch,
  keeper: DirectoryKeeper,
  report: (event: DirectoryEvent) => void,
  signal: AbortSignal,
): Promise<number> {
  const from = await keeper.cursor();
  if (from === undefined) {
    await keeper.move(await reader.start());
    report({ kind: 'first-start' });
    return 0;
  }
  let mails = 0;
  for await (const next of reader.sweep(from, sizeLimit)) {
    if ('bytes' in next) {
      await keeper.keep(next);
      mails++;
    } else {
      await keeper.move(next.cursor);
    }
    if (signal.aborted) break;
  }
  return mails;
}

/** An error of the file system or of git, for a person; undefined for any other. */
function asFailure(error: unknown, path: string): Failure | undefined {
  if (error instanceof Failure) return error.code === 'unreadable' || error.code.startsWith('git-') ? error : undefined;
  const { code, path: file } = error as NodeJS.ErrnoException;
  if (code === undefined || file === undefined) return undefined;
  return new Failure('unreadable', `${path}: cannot be read (${code})`, error);
}

/** Rings when a folder changes. Where the system cannot watch, the sweep alone finds what has come. */
function folderBell(signal: AbortSignal): {
  listen(folders: readonly string[]): Promise<void>;
  wait(limit: number): Promise<void>;
  close(): void;
} {
  let watchers: FSWatcher[] = [];
  let listening = '';
  let rung = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  const close = (): void => {
    for (const watcher of watchers.splice(0)) watcher.close();
    listening = '';
  };
  return {
    close() {
      signal.removeEventListener('abort', ring);
      close();
    },
    async listen(folders) {
      rung = signal.aborted;
      if (folders.join('\n') === listening) return;
      close();
      watchers = folders.flatMap((folder) => startWatcher(folder, ring));
      listening = folders.join('\n');
      await Promise.resolve();
    },
    async wait(limit) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limit);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      // Mails come in heaps: one sweep for all of them.
      if (!signal.aborted && rung) await rest(Math.min(100, limit), signal);
    },
  };
}

function startWatcher(folder: string, ring: () => void): FSWatcher[] {
  try {
    const watcher = watchFiles(folder, { persistent: false }, ring);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

import type { FolderSettings, Settings } from '../config/index.js';
import { inboxReader, maildirReader, watchDirectory, type DirectoryEvent } from '../source/index.js';
import { moveCursor, readCursor } from '../store/index.js';
import type { SourceHealth } from './health.js';
import { listenInTurn, register, take, type ListenerParts } from './listener.js';

/** Watches a Maildir or a public-inbox folder until the signal. Throws a Failure when it cannot be read at the start. */
export async function listenFolder(
  folder: FolderSettings,
  parts: ListenerParts,
  options: { readonly limits: Settings; readonly signal: AbortSignal },
): Promise<void> {
  const { store, patiently } = parts;
  const { path, kind, sweep } = folder;
  const name = `${kind}:${path}`;
  const state = register(parts.health, name, sweep);
  const counts = { new: 0, copy: 0, quarantined: 0 };
  const watch = (mine: AbortSignal, patient: boolean): Promise<void> =>
    watchDirectory(
      {
        reader: kind === 'maildir' ? maildirReader(path) : inboxReader(path),
        path,
        sweepEvery: sweep,
        sizeLimit: options.limits.sizeLimit,
        pause: options.limits.pause,
        patient,
      },
      {
        cursor: () => patiently(() => store.read((db) => readCursor(db, name))),
        async keep({ bytes, arrived, truncated, cursor }) {
          if (mine.aborted) return;
          counts[await take({ bytes, at: arrived, truncated }, { name, value: cursor }, parts)]++;
          await new Promise((resolve) => setImmediate(resolve)); // time-outs and health get their turn
        },
        async move(value) {
          if (!mine.aborted) await patiently(() => store.write((tx) => moveCursor(tx, { source: name, value })));
        },
      },
      (event) => {
        if (event.kind === 'swept' && event.mails > 0) {
          parts.log.info('mail.kept', { source: name, mails: event.mails, ...counts });
          Object.assign(counts, { new: 0, copy: 0, quarantined: 0 });
          parts.wake();
        }
        note(event, name, state, parts);
      },
      mine,
    );
  await listenInTurn(name, { state, parts, signal: options.signal }, watch);
}

function note(event: DirectoryEvent, source: string, state: SourceHealth, { log, metrics, now }: ListenerParts): void {
  switch (event.kind) {
    case 'connected':
      state.connected = true;
      log.info('source.connected', { source });
      return;
    case 'first-start':
      log.info('source.first-start', { source });
      return;
    case 'swept':
      state.lastSweep = now();
      return;
    case 'disconnected':
      state.connected = false;
      metrics.losses.inc({ source });
      log.warn('source.disconnected', { source, trouble: 'unreadable', detail: event.detail, pause: event.pause });
      return;
    default:
      event satisfies never;
  }
}

import { Failure } from '../config/index.js';
import { growingPause, rest } from '../source/index.js';
import type { Log } from './log.js';

/** Whether an error of the store may be gone in a while: its server restarts, another process holds it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof Failure) return error.retry === 'later';
  const code = typeof error === 'object' && error !== null ? String((error as { code?: unknown }).code ?? '') : '';
  // Classes 08, 40, 53, 57 of PostgreSQL: connection, rollback, resources, operator; a transaction that was silent for too long;
  // sockets, routes and names; a locked SQLite file.
  return (
    /^(?:08|40|53|57)\w{3}$|^25P0[34]$|^ECONN|^EPIPE$|^ETIMEDOUT$|^E(?:HOST|NET)(?:UNREACH|DOWN)$|^EAI_AGAIN$|^ENOTFOUND$|^SQLITE_BUSY/.test(
      code,
    ) || /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(String(error))
  );
}

/** Work on the store, tried again with growing pauses while the store does not answer. After the signal it is not tried again. */
export async function patiently<T>(
  work: () => Promise<T>,
  {
    pause,
    log,
    signal,
  }: { readonly pause: { first: number; longest: number }; readonly log: Log; signal: AbortSignal },
): Promise<T> {
  for (let losses = 0; ; losses++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      const time = Math.min(growingPause(losses, pause), 60_000);
      log.error('store.failed', { loop: 'source', detail: String(error).slice(0, 300), pause: time });
      await rest(time, signal);
    }
  }
}

import { rest } from '../source/index.js';
import type { Turns } from '../store/index.js';
import type { Log } from './log.js';

/** How soon a process that waits for a turn sees that it is free, in milliseconds. */
const lookEvery = 500;

export type Mine = {
  readonly turns: Turns;
  /** What one process at a time does: `imap:...`, `digest`. */
  readonly key: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onWait?: () => void;
};

/**
 * Does the work while this process has the turn for it, and waits while another has; until the signal. Work that loses its turn sees
 * its own signal, and ends.
 */
export async function whileMine(mine: Mine, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { turns, key, log, signal, onWait } = mine;
  let isWaiting = false;
  while (!signal.aborted) {
    const turn = await turns.take(key);
    if (turn === undefined) {
      if (!isWaiting && turns.areGiven()) {
        log.info('turn.awaited', { turn: key });
        isWaiting = true;
      }
      onWait?.();
      await rest(lookEvery, signal);
      continue;
    }
    isWaiting = false;
    log.info('turn.taken', { turn: key });
    try {
      await work(AbortSignal.any([signal, turn.lost]));
    } finally {
      if (turn.lost.aborted) log.warn('turn.lost', { turn: key });
      await turn.release();
    }
  }
}

import { growingPause, rest } from '../source/index.js';
import type { Settings } from '../config/index.js';
import type { Health } from './health.js';
import type { Log } from './log.js';
import { isPassing } from './patience.js';

// A loop looks at least so often, whatever wakes it: the kill file, the policy and other processes ring no bell.
export const longestNap = 5_000;

export type Round = {
  readonly health: Health;
  readonly log: Log;
  readonly settings: Settings;
  readonly signal: AbortSignal;
};

/** Goes round until the signal. A store that does not answer is waited for with growing pauses; any other error ends the loop. */
export async function rounds(
  { health, log, signal, settings }: Round,
  name: string,
  round: () => Promise<number>,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  let losses = 0;
  try {
    while (!signal.aborted) {
      health.beats.set(name, Date.now());
      try {
        const nap = await round();
        losses = 0;
        if (nap > 0) await wait(nap);
      } catch (error) {
        if (!isPassing(error)) throw error;
        const pause = Math.min(growingPause(losses++, settings.pause), 60_000);
        log.error('store.failed', { loop: name, detail: String(error).slice(0, 300), pause });
        await rest(pause, signal);
      }
    }
  } finally {
    health.beats.delete(name);
  }
}

export type Bell = { ring(): void; wait(ms: number, signal: AbortSignal): Promise<void> };

/** Wakes everyone who waits. */
export function newBell(): Bell {
  let rings: (() => void)[] = [];
  return {
    ring() {
      for (const wake of rings.splice(0)) wake();
    },
    async wait(ms, signal) {
      const woken = new AbortController();
      const wake = (): void => woken.abort();
      rings.push(wake);
      await rest(ms, AbortSignal.any([signal, woken.signal]));
      rings = rings.filter((one) => one !== wake);
    },
  };
}

/** Doubles from first to longest; a quarter of it is chance, so that many clients do not return at once. */
export function growingPause(losses: number, pause: { first: number; longest: number }): number {
  const full = Math.min(pause.first * 2 ** Math.min(losses, 30), pause.longest);
  return Math.round(full * (0.75 + Math.random() / 4));
}

/** Waits, or less if the signal comes. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

import { Failure } from '../config/index.js';

/** Says on standard error what failed and lets the program end with its status; the other inputs are still done. */
export function reportFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`reveille: ${error.message}\n`);
  const worst = typeof process.exitCode === 'number' ? process.exitCode : 0;
  process.exitCode = Math.max(worst, error.exit);
}

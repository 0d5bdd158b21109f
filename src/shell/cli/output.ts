import { once } from 'node:events';
import type { Paint } from '../../core/report/index.js';
import { plainPaint } from '../../core/report/index.js';

/** Writes to standard output at the reader's pace. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A closed pipe (`| head`) ends the program quietly, with what it has done so far. */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
}

/** Colour on a terminal only, and not where NO_COLOR says so (no-color.org). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!stream.isTTY || (process.env['NO_COLOR'] ?? '') !== '') return plainPaint;
  return { bold: (t) => sgr(1, t), dim: (t) => sgr(2, t), good: (t) => sgr(32, t), warn: (t) => sgr(33, t) };
}

function sgr(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`;
}

import { SingleBar } from 'cli-progress';

/** A bar on standard error while bytes are read; lines may be said above it. Nothing but the lines where it is no terminal. */
export type Progress = {
  readonly at: (done: number, total: number | undefined) => void;
  readonly say: (line: string) => void;
  readonly end: () => void;
};

// A file that is read in a blink needs no bar.
const worthShowing = 4 << 20;

export function startProgress(): Progress {
  let bar: SingleBar | undefined;
  function at(done: number, total: number | undefined): void {
    if (!process.stderr.isTTY || total === undefined || total < worthShowing) return;
    if (bar === undefined) {
      bar = new SingleBar({
        format: 'reading [{bar}] {percentage} %  {eta_formatted} left',
        hideCursor: true,
        clearOnComplete: true,
      });
      bar.start(total, done);
    } else {
      bar.update(done);
    }
  }
  function end(): void {
    bar?.stop();
    bar = undefined;
  }
  function say(line: string): void {
    if (bar !== undefined) process.stderr.write('\r\u001b[K');
    process.stderr.write(`${line}\n`);
  }
  return { at, say, end };
}

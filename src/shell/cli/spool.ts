import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A temporary file of JSON values, added as bytes and read back by number. Between the two passes over an archive the Readings wait here, so
 * that memory holds a few bytes a mail and not the mails.
 */
export class Spool<T> {
  readonly #file = openNameless();
  readonly #ends: number[] = [];
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #written = 0;

  get length(): number {
    return this.#ends.length;
  }

  /** Adds a value; gives its number. */
  add(bytes: Uint8Array): number {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.#ends.push((this.#ends.at(-1) ?? 0) + bytes.length);
    if (this.#pendingBytes > 1 << 20) this.#flush();
    return this.#ends.length - 1;
  }

  /** The value with that number. */
  get(number: number): T {
    this.#flush();
    const start = number === 0 ? 0 : (this.#ends[number - 1] ?? 0);
    const end = this.#ends[number];
    if (end === undefined) throw new RangeError(`no reading ${number}`);
    const bytes = Buffer.alloc(end - start);
    let done = 0;
    while (done < bytes.length) done += readSync(this.#file, bytes, done, bytes.length - done, start + done);
    // Our own JSON, written by add().
    return JSON.parse(bytes.toString('utf8')) as T;
  }

  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return;
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    let done = 0;
    while (done < bytes.length) done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done);
    this.#written += bytes.length;
  }
}

/** A file whose name is gone before the first byte: however this process ends, nothing is left behind. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-'));
  try {
    return openSync(join(folder, 'readings'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

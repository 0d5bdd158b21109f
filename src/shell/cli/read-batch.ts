import { read, readForThread, type Kit, type Reading, type Source, type ThreadMail } from '../../core/review/index.js';
import type { PatchHead } from '../../core/patch/index.js';

/** A mail as a source gives it. */
export type Mail = { readonly bytes: Uint8Array; readonly source: Source };

/** What the main thread is told of a mail beside its Reading. */
export type Kept = {
  readonly id?: string;
  readonly head?: PatchHead;
  /** It changes waits or brings evidence: other mails of its thread are reviewed with it. */
  readonly interesting: boolean;
  /** Only a patch can be worth a mail; the rest is looked at again only where all reviews are asked for. */
  readonly patch: boolean;
  /** Date of its header, in milliseconds; absent when it cannot be read. */
  readonly date?: number;
  readonly lists: readonly string[];
};

/** `mail` is there where it was asked for: what decisions over time need. */
export type Spooled = { readonly reading: Reading; readonly source: Source; readonly mail?: ThreadMail };

/** A mail read: what to keep, and the whole as JSON bytes for the spool. */
export type ReadMail = { readonly kept: Kept; readonly json: Uint8Array };

/** Reads a batch of mails one after the other; with `threads`, what decisions need is spooled beside each Reading. */
export async function readBatch(mails: readonly Mail[], kit: Kit, threads = false): Promise<ReadMail[]> {
  const done: ReadMail[] = [];
  for (const { bytes, source } of mails) {
    if (threads) {
      const { reading, mail } = await readForThread(bytes, kit);
      done.push(pack(reading, source, mail));
    } else done.push(pack(await read(bytes, kit), source));
  }
  return done;
}

/** A Reading made ready to be kept and spooled. */
export function pack(reading: Reading, source: Source, mail?: ThreadMail): ReadMail {
  const kept: Kept = {
    id: reading.message.id,
    head: reading.head,
    interesting: reading.changes.length > 0 || reading.logs.length > 0 || reading.claims.length > 0,
    patch: reading.kind === 'patch',
    ...(reading.message.date === undefined ? {} : { date: Date.parse(reading.message.date) }),
    lists: reading.message.lists,
  };
  // An encoder's bytes own their memory: posting them to another thread copies no more than them.
  return { kept, json: new TextEncoder().encode(JSON.stringify({ reading, source, mail } satisfies Spooled)) };
}

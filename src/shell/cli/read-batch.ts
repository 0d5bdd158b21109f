import { read, type Kit, type Reading, type Source } from '../../core/review/index.js';
import type { PatchHead } from '../../core/patch/index.js';

/** A mail as a source gives it. */
export type Mail = { readonly bytes: Uint8Array; readonly source: Source };

/** What stays in memory of a mail: about a kilobyte. */
export type Kept = {
  readonly id?: string;
  readonly head?: PatchHead;
  /** It changes waits or brings evidence: other mails of its thread are reviewed with it. */
  readonly interesting: boolean;
  /** Only a patch can be worth a mail; the rest is looked at again only where all reviews are asked for. */
  readonly patch: boolean;
  readonly ancestors: readonly string[];
};

export type Spooled = { readonly reading: Reading; readonly source: Source };

/** A mail read: what to keep, and the whole as JSON bytes for the spool. */
export type ReadMail = { readonly kept: Kept; readonly json: Uint8Array };

// A thread's older evidence beyond this many mails tells nothing new and costs time.
export const mostAncestors = 40;

/** Reads a batch of mails one after the other. */
export async function readBatch(mails: readonly Mail[], kit: Kit): Promise<ReadMail[]> {
  const done: ReadMail[] = [];
  for (const mail of mails) done.push(pack(await read(mail.bytes, kit), mail.source));
  return done;
}

/** A Reading made ready to be kept and spooled. */
export function pack(reading: Reading, source: Source): ReadMail {
  const { inReplyTo, references } = reading.message;
  const kept: Kept = {
    id: reading.message.id,
    head: reading.head,
    interesting: reading.changes.length > 0 || reading.logs.length > 0 || reading.claims.length > 0,
    patch: reading.kind === 'patch',
    ancestors: [...new Set([...references.slice(-mostAncestors), ...inReplyTo])],
  };
  // An encoder's bytes own their memory: posting them to another thread copies no more than them.
  return { kept, json: new TextEncoder().encode(JSON.stringify({ reading, source } satisfies Spooled)) };
}

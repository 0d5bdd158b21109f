import type { DelayChange } from '../delay/index.js';
import type { BootLog, Claim } from '../evidence/index.js';
import type { MailKind, Message } from '../mail/index.js';
import type { Patch, PatchHead } from '../patch/index.js';
import type { Finding } from '../rules/index.js';

/** Where a mail was read: a file, with the offset in an mbox or the commit in a git archive. */
export type Source = { readonly path: string; readonly offset?: number; readonly commit?: string };

/**
 * What one mail says, as plain data: headers, patches, delay changes, logs, claims, rule hits. Text and hunks are gone from
 * it, so that an archive's Readings fit in memory and in a store.
 */
export type Reading = {
  readonly message: Message;
  readonly kind: MailKind;
  readonly kindReason: string;
  /** Absent for mails that belong to no posting: replies, talk. */
  readonly head?: PatchHead;
  readonly patches: readonly Patch[];
  readonly changes: readonly DelayChange[];
  readonly logs: readonly BootLog[];
  readonly claims: readonly Claim[];
  readonly findings: readonly Finding[];
  /** Marks of the lines that a later patch of a series takes away. */
  readonly removed?: readonly string[];
};

import type { MailKind } from '../mail/index.js';
import type { PatchHead } from '../patch/index.js';
import type { Instant } from './instant.js';

/** What a decision needs to know of one mail: plain, small, made once from a Reading and stored with it. */
export type ThreadMail = {
  /** Message-id with brackets; absent when the mail has none. */
  readonly id?: string;
  readonly kind: MailKind;
  readonly kindReason?: string;
  /** Header date; absent when it cannot be read. */
  readonly date?: Instant;
  /** Lower-case addresses. `from` is the header's. */
  readonly from?: string;
  /** Everyone who may be its author: in-body From, Reply-To, X-Original-From, From. */
  readonly authors: readonly string[];
  /** Everyone in To and Cc. */
  readonly people: readonly string[];
  readonly subject: string;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  /** As they came, where they came. */
  readonly headers: {
    readonly patchworkHint?: string;
    readonly autoSubmitted?: string;
    readonly returnPath?: string;
  };
  /** Of the mail's patches: changed files. */
  readonly paths: readonly string[];
  /** Title without brackets; `subsystem` is what stands before its first colon. */
  readonly title: string;
  readonly subsystem?: string;
  /** What series are assembled from; absent for mails that post nothing. */
  readonly head?: PatchHead;
  /** Text of a reply, capped; empty for a patch: verdicts and commands are read from it. */
  readonly text: string;
};

/** A mail as it stands in a thread at a moment: when it came, and through which lists. */
export type Arrived = {
  readonly mail: ThreadMail;
  /** When the first copy came. */
  readonly at: Instant;
  /** List-Ids of all copies so far. */
  readonly lists: readonly string[];
};

/** One posting of a series as seen so far. */
export type Posting = {
  readonly id: string;
  readonly version: number;
  readonly total: number;
  readonly complete: boolean;
  readonly cover?: string;
  /** Message-ids in order of their index, the cover not among them. */
  readonly members: readonly string[];
  /** Ids of earlier postings that it replaces, newest first, and a name for all of them together. */
  readonly earlier: readonly string[];
  readonly lineage: string;
  /** A newer posting that has come. */
  readonly supersededBy?: string;
};

/** A posting with every mail of its thread that had come by now, in order of arrival. */
export type PostedThread = {
  readonly posting: Posting;
  readonly mails: readonly Arrived[];
};

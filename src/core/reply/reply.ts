import type { Address } from '../mail/index.js';

/** One answer as a mail, before it is bytes: every field is a structure, nothing is split again. */
export type Reply = {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  /** Who is not written to, and why: shown in the review, never in the mail. */
  readonly dropped: readonly { readonly address: string; readonly why: string }[];
  readonly subject: string;
  readonly inReplyTo: string;
  readonly references: readonly string[];
  readonly messageId: string;
  /** Beside the ones above: Auto-Submitted, X-Reveille-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

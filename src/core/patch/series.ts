/** By what a series is known to replace an earlier one. */
export type ReplaceEvidence = 'change-id' | 'in-reply-to' | 'title' | 'author-title' | 'resend';

/** The mails of one posting. Member ids are message-ids. */
export type Series = {
  /** Message-id of the cover, else of the lowest member seen. */
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly total: number;
  readonly resend: boolean;
  readonly cover?: string;
  /** By index, seen members only; several copies of one index keep the first to arrive. */
  readonly members: readonly { readonly index: number; readonly id: string }[];
  readonly seen: readonly number[];
  readonly complete: boolean;
  readonly outOfOrder: boolean;
  readonly author?: string;
  readonly changeId?: string;
  readonly replaces?: { readonly id: string; readonly evidence: ReplaceEvidence };
  /** The series that takes the place of all of it. */
  readonly supersededBy?: string;
  /** Members that were sent again, each with the series that did; the other members still stand. */
  readonly resent?: readonly { readonly id: string; readonly by: string }[];
  /** Only some patches of `replaces` are sent again: `v5.1 10/12`, or v2 of one patch under its first version. */
  readonly partial?: true;
};

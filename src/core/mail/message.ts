/** A mail address as a structure: it is parsed once and never put together and split again. */
export type Address = { readonly name: string; readonly address: string };

/** One header field as it came: unfolded, not decoded, name in lower case. */
export type HeaderField = { readonly name: string; readonly value: string };

/** Something wrong with a mail or a patch that a reader should know; `mailLine` is 1-based in `Message.text`. */
export type Problem = { readonly kind: string; readonly text: string; readonly mailLine?: number };

/** A part of the mail beside its text. `text` only where it was decoded as text (a patch, a log), else absent. */
export type Attachment = {
  readonly name?: string;
  readonly type: string;
  readonly size: number;
  readonly text?: string;
  /** Where `text` stands in `Message.text`, if it was appended there (1-based line of its first line). */
  readonly mailLine?: number;
};

/**
 * One mail, decoded. `text` is byte-exact but for line ends (LF) and is what every `mailLine` counts in: the inline text
 * parts in order, then attached text patches.
 */
export type Message = {
  /** With its angle brackets; absent when the mail has none that is one (RFC 5322 section 3.6.4). */
  readonly id?: string;
  readonly from?: Address;
  readonly sender?: Address;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  /** ISO 8601 in UTC; absent when the header is missing or cannot be parsed. */
  readonly date?: string;
  /** Decoded (RFC 2047), unfolded, free of control characters. */
  readonly subject: string;
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  /** List-Id values without brackets and phrase, lower case (RFC 2919). */
  readonly lists: readonly string[];
  readonly headers: readonly HeaderField[];
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly problems: readonly Problem[];
};

/** What sort of mail this is; `cover` is a series' 0/n, `counter-patch` an unquoted diff in a reply. */
export type MailKind =
  'patch' | 'cover' | 'reply' | 'counter-patch' | 'pull-request' | 'bot' | 'stable' | 'notification' | 'other';

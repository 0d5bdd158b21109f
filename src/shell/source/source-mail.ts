/** One mail as it came from a source, and where it stood there. */
export type SourceMail = { readonly bytes: Uint8Array; readonly source: MailSource };

export type MailSource = {
  readonly path: string;
  /** Byte offset of the mail in an mbox (after inflating). */
  readonly offset?: number;
  /** The commit of a git range or of a public-inbox. */
  readonly commit?: string;
  /** 1-based number of the attached mbox that the mail was in. */
  readonly attached?: number;
};

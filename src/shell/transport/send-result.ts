/** A mail as the outbox keeps it: final bytes, and an envelope of plain addresses. */
export type OutgoingMail = {
  readonly messageId: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly bytes: Uint8Array;
};

/** A recipient that was refused although others got the mail. */
export type RefusedRecipient = { readonly address: string; readonly retry: 'later' | 'never'; readonly why: string };

/**
 * How a try to send ended. `sent` may leave recipients out; `refused` reached nobody; `ambiguous` may have reached everybody:
 * the connection broke after the mail had left us and before the server said a word. `withdrawn`: there was no leave to send it.
 */
export type SendResult =
  | { readonly kind: 'sent'; readonly refused: readonly RefusedRecipient[] }
  | { readonly kind: 'refused'; readonly retry: 'later' | 'never'; readonly why: string }
  | { readonly kind: 'ambiguous'; readonly why: string }
  | { readonly kind: 'withdrawn' };

/**
 * Asked just before the first byte of a mail leaves, when the server waits for it: true notes that it is under way, false means that
 * it must not leave. A process killed before that has sent nothing for certain.
 */
export type Leave = () => Promise<boolean>;

/** Where mails go. `check` connects and logs in, and sends nothing. */
export type Transport = {
  /** Sends nothing without leave. */
  send(mail: OutgoingMail, leave: Leave): Promise<SendResult>;
  check(): Promise<void>;
  close(): Promise<void>;
};

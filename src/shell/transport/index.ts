export { draftsTransport } from './drafts.js';
export { dryRunTransport, mboxEntry, mboxTransport } from './mbox.js';
export { findUnsendable, isPlainAddress } from './outgoing-guard.js';
export type { Leave, OutgoingMail, RefusedRecipient, SendResult, Transport } from './send-result.js';
export { SmtpError, SmtpTransport, type SmtpAccount, type SmtpTrouble } from './smtp.js';

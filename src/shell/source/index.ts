export { openSources, type OpenOptions } from './open-sources.js';
export type { MailSource, SourceMail } from './source-mail.js';
export {
  closeClient,
  ImapError,
  openClient,
  openMailbox,
  sortError,
  type ImapAccount,
  type ImapTrouble,
  type Proof,
} from './imap-client.js';
export {
  growingPause,
  rest,
  watchMailbox,
  type FetchedMail,
  type MailboxCursor,
  type MailboxKeeper,
  type MailboxWatch,
  type WatchEvent,
} from './imap-watch.js';

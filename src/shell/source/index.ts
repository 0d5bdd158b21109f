export { startGit, type GitProcess } from './git-process.js';
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
  watchMailbox,
  type FetchedMail,
  type MailboxCursor,
  type MailboxKeeper,
  type MailboxWatch,
  type WatchEvent,
} from './imap-watch.js';
export {
  watchDirectory,
  type DirectoryEvent,
  type DirectoryKeeper,
  type DirectoryMail,
  type DirectoryReader,
} from './directory-watch.js';
export { inboxReader } from './inbox-watch.js';
export { maildirReader } from './maildir.js';
export { growingPause, rest } from './pause.js';

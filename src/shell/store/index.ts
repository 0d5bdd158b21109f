export {
  bytesOf,
  findMails,
  findRelated,
  mailKey,
  moveCursor,
  readCursor,
  readRaw,
  recordArrival,
  type Arrival,
  type Kept,
} from './arrivals.js';
export {
  findDue,
  findNextDue,
  noteFirstStart,
  quarantine,
  readDecisions,
  readHistory,
  readQuarantine,
  writeLater,
  writeReply,
  writeSilence,
  writeTry,
  type Decided,
  type DueRow,
  type Reply,
} from './decisions.js';
export { readMutes, readSpoken, removeMute, takeNotices, writeMute, writeNotice, writeWrong } from './marks.js';
export { openStore, Store, type StoreOptions } from './open-store.js';
export {
  approve,
  cancel,
  cancelExpired,
  findOwn,
  findQueued,
  findSendable,
  listQueue,
  markOutcome,
  markSeen,
  markSending,
  parkAbandoned,
  postpone,
  readSent,
  reject,
  type OutboxState,
  type Queued,
  type SendOutcome,
} from './outbox.js';
export type { Db, Dialect, Tx } from './tables.js';
export {
  mailsBetween,
  readActivityRows,
  readOutcomes,
  readWrongs,
  type ActivityOf,
  type MailOutcome,
  type WrongRow,
} from './period.js';

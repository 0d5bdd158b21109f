export {
  bytesOf,
  findMails,
  findRelated,
  mailKey,
  moveCursor,
  pruneMails,
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
export { readMutes, readSpoken, removeMute, writeMute, writeWrong } from './marks.js';
export {
  findConfirmation,
  markTold,
  readLastTold,
  readNotices,
  writeConfirmation,
  writeLastTold,
  writeNotice,
  type Confirmation,
  type Notice,
} from './notices.js';
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
export { openTurns, soleTurns, type Turn, type Turns, type TurnsOptions } from './turns.js';
export type { Db, Dialect, Tx } from './tables.js';
export { readMark, removeMark, writeMark } from './marks-of-work.js';
export {
  mailsBetween,
  readActivityRows,
  readOutcomes,
  readWrongs,
  type ActivityOf,
  type MailOutcome,
  type WrongRow,
} from './period.js';

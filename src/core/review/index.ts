export { deriveMessageId, type OwnKind } from './message-id.js';
export { read, readForThread, readNothing, type Kit } from './read.js';
export type { Reading, Source } from './reading.js';
export { plainKnowledge, review, type Knowledge, type Thread } from './review.js';
export type { Channel, Decision, Delivery, JudgedFinding, Made, Review, SilentReason, WorthReason } from './verdict.js';
export { defaultThresholds, isBootPath, judgeWorth, mattersAtBoot, type Thresholds } from './worth.js';
export {
  orderOf,
  parseCommand,
  roleOf,
  type Command,
  type CommandScope,
  type CommandVerb,
  type Order,
  type Role,
} from './command.js';
export {
  authorOf,
  checkCaps,
  checkThread,
  decideDelivery,
  firstReplies,
  membersOf,
  tooOld,
  type Candidate,
  type DeliveryInput,
  type History,
  type Later,
  type Mute,
  type Open,
  type Point,
  type Recent,
  type Silent,
  type Speak,
  type Spoken,
} from './delivery.js';
export { guardMail, isIgnored, namedLists } from './guards.js';
export { hours, minutes, type Instant, type Period } from './instant.js';
export type { Caps, Filter, ListPolicy, Policy, PolicyState } from './policy.js';
export { linksOf, postingOf, threadOf } from './posting-of.js';
export { quotesAndRemarks } from './said.js';
export {
  silenceReasons,
  silentReasons,
  worthReasons,
  type HeldReason,
  type LaterReason,
  type SilenceReason,
} from './silence.js';
export type { Arrived, Posting, PostedThread, ThreadMail } from './thread-mail.js';
export { threadMailOf } from './thread-mail-of.js';
export { replyTextLimit, unquotedLines } from './unquoted.js';
export { threadVerdict, type ThreadVerdict } from './thread-verdict.js';

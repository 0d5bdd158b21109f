export { deriveMessageId, type OwnKind } from './message-id.js';
export { read, readNothing, type Kit } from './read.js';
export type { Reading, Source } from './reading.js';
export { plainKnowledge, review, type Knowledge, type Thread } from './review.js';
export type { Channel, Decision, Delivery, JudgedFinding, Made, Review, SilentReason, WorthReason } from './verdict.js';
export { defaultThresholds, isBootPath, judgeWorth, type Thresholds } from './worth.js';

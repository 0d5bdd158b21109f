export { arrive, type ArrivalResult, type ArriveDeps, type Incoming } from './arrive.js';
export { decideDue, decideOne, type Outcome } from './decide.js';
export type { Composed, ComposeInput, DecideDeps, Reader, ReadMail, SendDeps } from './deps.js';
export { sendDue, sendOne, type Sent } from './send.js';
export { replay, type ArchiveMail, type Replay, type Replayed, type ReplayDeps } from './replay.js';
export { composerOf, readerOf, reviewerOf, type ReviewedCandidate } from './reviewer.js';
export { runDaemon } from './daemon.js';
export { examine, type Checked } from './doctor.js';
export { logEvents, openLog, type Log, type LogEvent } from './log.js';

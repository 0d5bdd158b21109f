export { formatLogged as formatTime } from '../kernel/index.js';
export { readBootLogs } from './boot-log.js';
export { parseClaims } from './claim.js';
export { checkClaim } from './claim-check.js';
export { comparable } from './comparable.js';
export { compare, type Comparison } from './compare.js';
export type {
  AsyncWait,
  BootLog,
  Claim,
  ClaimCheck,
  Evidence,
  Fingerprint,
  Initcall,
  Measurement,
  Milestone,
  Sample,
  Stamp,
} from './evidence.js';
export { fingerprint } from './fingerprint.js';
export { measureLabelled, measureLogs, measurement, type MeasureOptions } from './measure.js';
export { judgeReach } from './reach.js';
export { readEvidence, type MailEvidence } from './read-evidence.js';
export { relateEvidence, type ThreadMail } from './relate-evidence.js';
export {
  hodgesLehmann,
  mannWhitney,
  median,
  minimumDetectable,
  permutationOfMeans,
  powerOf,
  student,
  summarise,
  welch,
} from './statistics.js';
export {
  slowest,
  timelineOf,
  whatIf,
  type BootPath,
  type Gain,
  type Timeline,
  type TimelineEntry,
  type WaitWindow,
} from './timeline.js';

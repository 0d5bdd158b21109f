export type {
  Backoff,
  Bound,
  CodePath,
  DelayChange,
  Judged,
  Resolved,
  Role,
  Sibling,
  Use,
  Wait,
  WaitKind,
} from './change.js';

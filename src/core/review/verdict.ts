import type { DelayChange } from '../delay/index.js';
import type { Estimate } from '../estimate/index.js';
import type { Evidence } from '../evidence/index.js';
import type { MailKind, Message } from '../mail/index.js';
import type { Patch, Series } from '../patch/index.js';
import type { Finding } from '../rules/index.js';
import type { Source } from './reading.js';

/** Why the content of a mail deserves an answer. A closed list: policy and statistics count by it. */
export type WorthReason =
  'boot-path-change' | 'risk' | 'claim-does-not-follow' | 'measurement-missed-wait' | 'many-devices-cost';

/** Why the content of a mail deserves none. Closed as well. */
export type SilentReason =
  | 'not-a-patch'
  | 'not-for-us'
  | 'no-wait-changed'
  | 'runtime-only'
  | 'small-effect'
  | 'unknown-effect'
  | 'added-in-new-code'
  | 'nits-only'
  | 'answered-elsewhere-in-series';

export type Channel = 'none' | 'dry-run' | 'operator' | 'drafts' | 'author' | 'list';

/** What policy allows for a review that is worth a mail. */
export type Delivery = { readonly channel: Channel; readonly allowed: boolean; readonly why: string };

export type Decision = {
  /** The content deserves a mail; whether one may go out is `delivery`'s business. */
  readonly worth: boolean;
  readonly reasons: readonly (WorthReason | SilentReason)[];
  readonly delivery: Delivery;
};

/** A finding with what becomes of it: in the reply, or held back and why. */
export type JudgedFinding = Finding & { readonly state: 'sent' | 'held'; readonly heldBy?: string };

/** What went into a review, so that it can be made again: same values, same bytes. */
export type Made = {
  readonly program: string;
  readonly catalogue: string;
  readonly policy?: string;
  readonly tree?: string;
  readonly seed: number;
};

/** Everything Reveille has to say about one mail, whether or not it says it. */
export type Review = {
  readonly made: Made;
  readonly message: Message;
  readonly source: Source;
  readonly kind: MailKind;
  readonly kindReason: string;
  readonly patches: readonly Patch[];
  readonly series?: Series;
  readonly changes: readonly DelayChange[];
  readonly estimates: readonly Estimate[];
  readonly evidence: Evidence;
  readonly findings: readonly JudgedFinding[];
  readonly decision: Decision;
};

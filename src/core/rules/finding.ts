import type { DelayChange } from '../delay/index.js';
import type { Evidence } from '../evidence/index.js';
import type { Message } from '../mail/index.js';
import type { Patch } from '../patch/index.js';

export type Level = 'note' | 'warning' | 'error';
export type Confidence = 'low' | 'medium' | 'high';

/** Where and what: what a rule yields for one place. */
export type Remark = {
  readonly file?: string;
  readonly line?: number;
  readonly mailLine?: number;
  readonly text: string;
  /** What to do in this place; the rule's own `instead` where absent. */
  readonly instead?: string;
  /** Index into the changes that the remark is about. */
  readonly change?: number;
  /** For the fingerprint: what identifies the remark beside rule, file and function, without line numbers. */
  readonly key?: string;
  /** Enclosing function, for the fingerprint of a remark that is about no change. */
  readonly function?: string;
  readonly level?: Level;
  readonly confidence?: Confidence;
};

/** What a rule may look at: one patch of one mail, and what was read from it. */
export type RuleInput = {
  readonly message: Message;
  readonly patch: Patch;
  /** Index of `patch` among the mail's patches. */
  readonly patchIndex: number;
  /** All changes of the mail; those of this patch carry its index. */
  readonly changes: readonly DelayChange[];
  readonly evidence: Evidence;
  /** For rules whose meaning changed between kernel versions, such as `6.12`; absent: the newest. */
  readonly kernel?: string;
  /** Most characters that a summary may have (a list's policy); absent: 75. */
  readonly summaryLimit?: number;
  /** Summaries of the last commits to the files of the patch, newest first, where a kernel tree tells them. */
  readonly history?: readonly string[];
};

/** One rule: metadata and a pure check that yields remarks. It does not count, sort, word or decide whether to send. */
export type Rule = {
  /** Names the fault, not the wish. */
  readonly id: string;
  readonly title: string;
  /** A finding on form; a rule that is none speaks about waits or claims and may cause a mail. */
  readonly nit: boolean;
  readonly why: string;
  readonly instead: string;
  readonly level: Level;
  /** `low` is never sent. */
  readonly confidence: Confidence;
  /** Document, section and kernel version that back the rule. */
  readonly source: string;
  readonly since: string;
  readonly checkpatch?: string | readonly string[];
  /** On without a policy that says otherwise. */
  readonly default: boolean;
  check(input: RuleInput): Iterable<Remark>;
};

/** A remark with its rule, as a Reading keeps it and a Review shows it. */
export type Finding = {
  readonly rule: string;
  readonly nit: boolean;
  readonly level: Level;
  readonly confidence: Confidence;
  readonly patch: number;
  readonly change?: number;
  readonly file?: string;
  readonly line?: number;
  readonly mailLine?: number;
  readonly text: string;
  readonly instead: string;
  /** The line of the mail that a nit is about, as it stands. */
  readonly quote?: string;
  /** Rule, file, function, before, after, key: survives new versions; no line numbers. */
  readonly fingerprint: string;
};

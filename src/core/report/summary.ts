import type { Alternative, CurvePoint } from '../estimate/index.js';
import type { Ns } from '../kernel/index.js';
import type { Address } from '../mail/index.js';
import type { Made } from '../review/index.js';

/** Moments are ISO 8601 in UTC. `from` belongs to the period, `until` does not. */
export type SummaryPeriod = { readonly from: string; readonly until: string };

/** A prediction: what one boot is said to save. Never the sum over different machines. */
export type PredictedSaving = {
  readonly saved: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
  readonly bootPath: 'on' | 'off' | 'unknown';
  readonly bootPathBy: string;
};

export type SummaryChange = {
  readonly patch: string;
  readonly file: string;
  readonly function?: string;
  readonly line?: number;
  readonly effect: string;
  readonly kind: string;
  readonly role: string;
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  readonly predicted?: PredictedSaving;
  readonly curve: readonly CurvePoint[];
  readonly alternatives: readonly Alternative[];
};

export type SummaryMeasurement = {
  readonly what: string;
  readonly anchor: string;
  readonly before: readonly Ns[];
  readonly after: readonly Ns[];
  readonly saved?: Ns;
  readonly verdict: string;
  readonly reached: 'yes' | 'no' | 'cannot-tell';
  readonly byAuthor: boolean;
  /** Who wrote the mail that it stands in. */
  readonly by: string;
};

/** How good what stands in the thread is: from boots measured on both sides down to nothing. */
export type EvidenceGrade = 'runs' | 'one-boot' | 'one-side' | 'claim' | 'none';

/** Somebody wrote to us that what we said was wrong. */
export type WrongMark = { readonly rule: string; readonly by: string; readonly at: string };

/** What became of a series on our side. */
export type SummaryState =
  | { readonly kind: 'waiting'; readonly reply: number; readonly why: string; readonly until: string }
  | { readonly kind: 'parked'; readonly reply: number; readonly why: string }
  | {
      readonly kind: 'replied';
      readonly reply: number;
      readonly at: string;
      readonly channel: string;
      readonly wrong: readonly WrongMark[];
    }
  | { readonly kind: 'would-reply'; readonly at: string; readonly reasons: readonly string[] }
  | { readonly kind: 'leaving'; readonly reply: number }
  | { readonly kind: 'not-sent'; readonly reply: number; readonly why: string }
  | { readonly kind: 'silent'; readonly reason: string; readonly detail: string }
  | { readonly kind: 'undecided' };

/** What people made of it in the thread. */
export type SummaryAnswers = { readonly by: readonly Address[]; readonly verdict?: 'applied' | 'rejected' };

/** A maintainer as the kernel tree names them: `maintainer:NVM EXPRESS DRIVER`. */
export type TreeMaintainer = Address & { readonly role: string };

/** Why a series stands where it stands in the list: what asks most of a maintainer comes first. */
export const needs = {
  'waits-for-you': 'a reply waits for the operator',
  'marked-wrong': 'marked wrong',
  'risk-unanswered': 'a risk, and nobody has answered',
  unanswered: 'nobody has answered',
  'open-question': 'answered, with a question open',
  answered: 'answered',
  small: 'nothing to decide',
  settled: 'settled',
  superseded: 'a newer version has come',
} as const satisfies Readonly<Record<string, string>>;

export type Need = keyof typeof needs;

export type SummarySeries = {
  readonly id: string;
  readonly title: string;
  readonly author?: Address;
  readonly date: string;
  readonly version: number;
  readonly total: number;
  readonly complete: boolean;
  readonly lists: readonly string[];
  /** What stands before the first colon of the title. */
  readonly subsystem?: string;
  /** By the kernel tree, where one is given. */
  readonly subsystems: readonly string[];
  readonly maintainers: readonly TreeMaintainer[];
  readonly files: readonly string[];
  readonly changes: readonly SummaryChange[];
  readonly predicted?: PredictedSaving;
  readonly measured: readonly SummaryMeasurement[];
  readonly evidence: { readonly grade: EvidenceGrade; readonly words: string };
  readonly risks: readonly { readonly rule: string; readonly text: string }[];
  readonly questions: readonly string[];
  readonly answers: SummaryAnswers;
  readonly state: SummaryState;
  /** The newer posting that has come. */
  readonly supersededBy?: string;
  readonly need: Need;
};

/** Over series on the boot path whose effect is known, superseded ones left out. No one machine gains a total. */
export type SummaryTotals = {
  readonly predicted?: {
    readonly series: number;
    readonly saved: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
  };
  readonly measured?: { readonly series: number; readonly saved: Ns };
};

export type SummaryWeek = {
  /** The Monday it begins with, `2026-11-30`. */
  readonly monday: string;
  readonly series: number;
  readonly saved: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
};

/** What the bot did, by list and month. */
export type ActivityRow = {
  readonly list: string;
  /** `2026-11`. */
  readonly month: string;
  readonly sent: number;
  readonly dryRun: number;
  readonly approved: number;
  readonly waiting: number;
  readonly rejected: number;
  readonly expired: number;
  readonly failed: number;
  readonly parked: number;
  readonly wrong: number;
};

export type ActivityMute = {
  readonly scope: string;
  readonly key: string;
  readonly at: string;
  readonly by: string;
  readonly why: string;
};

export type Activity = {
  readonly rows: readonly ActivityRow[];
  readonly mutes: readonly ActivityMute[];
  readonly wrong: readonly (WrongMark & { readonly list: string })[];
};

/** What changed in waits over a period, what it saves, and what is unanswered. */
export type Summary = {
  readonly period: SummaryPeriod;
  readonly list?: string;
  readonly subsystem?: string;
  readonly made: Made;
  readonly mails: number;
  readonly patches: number;
  readonly postings: number;
  readonly series: readonly SummarySeries[];
  readonly totals: SummaryTotals;
  readonly weeks: readonly SummaryWeek[];
  /** Postings that stand in no row, by the reason for it. */
  readonly silent: Readonly<Record<string, number>>;
  readonly activity?: Activity;
};

/** Whether there is nothing in it that a person would want to read: such a digest is never sent. */
export function isEmptySummary({ series, activity }: Summary): boolean {
  return series.length === 0 && (activity === undefined || activity.rows.length === 0);
}

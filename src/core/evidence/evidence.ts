import type { Ns } from '../kernel/index.js';

export type Milestone = { readonly name: string; readonly at: Ns; readonly mailLine?: number };

/** A finished initcall or probe: `took` in true time (the 1024-ns "usecs" up to v5.17 are converted), `logged` as printed. */
export type Initcall = {
  readonly name: string;
  readonly took: Ns;
  readonly logged: number;
  readonly at?: Ns;
  readonly calledAt?: Ns;
  readonly kind: 'initcall' | 'async' | 'probe';
  readonly returned?: number;
  readonly mailLine?: number;
};

/** One block of log lines. `label` is by the words above it. */
export type BootLog = {
  readonly label: 'before' | 'after' | 'unknown';
  readonly labelBy?: string;
  readonly mailLine: number;
  readonly format: string;
  /** What one logged "usec" really is; absent if the log does not tell. */
  readonly unitNs?: 1000 | 1024;
  readonly lines: number;
  readonly milestones: readonly Milestone[];
  readonly initcalls: readonly Initcall[];
};

export type ClaimCheck = {
  readonly of: 'factor' | 'percent' | 'delta' | 'log' | 'unit' | 'diff';
  readonly holds: 'yes' | 'no' | 'cannot-tell';
  readonly why: string;
};

/** A sentence that claims a timing. Values are as claimed; absent where the text gives none. */
export type Claim = {
  readonly text: string;
  readonly mailLine: number;
  readonly what: string;
  readonly kind: 'improvement' | 'regression' | 'delta-only' | 'parameter' | 'no-number' | 'not-a-claim';
  readonly before?: Ns;
  readonly after?: Ns;
  readonly factor?: number;
  readonly percent?: number;
  readonly delta?: Ns;
  readonly checks: readonly ClaimCheck[];
};

/** Durations measured between the same two points of two sets of boots; a measurement, never an estimate. */
export type Measurement = {
  readonly what: string;
  readonly anchor: string;
  readonly before: readonly Ns[];
  readonly after: readonly Ns[];
  /** Median of before minus median of after. */
  readonly saved?: Ns;
  readonly verdict: string;
  readonly reached: 'yes' | 'no' | 'cannot-tell';
  readonly reachedBy?: string;
  readonly stats: Readonly<Record<string, number | string | null>>;
};

export type Evidence = {
  readonly logs: readonly BootLog[];
  readonly claims: readonly Claim[];
  readonly measurements: readonly Measurement[];
};

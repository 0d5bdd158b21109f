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
  /** The module in brackets after the name. */
  readonly module?: string;
  /** The task that ran it: what stands after @ in its `calling` line. */
  readonly pid?: number;
  /** The driver of a probe, where the kernel names it (since 7.x). */
  readonly driver?: string;
};

/** A stamped line by the text that stays the same from boot to boot. */
export type Stamp = { readonly key: string; readonly at: Ns; readonly mailLine: number };

/** Someone waited for asynchronous work: `async_waiting` to `async_continuing`. */
export type AsyncWait = { readonly pid: number; readonly from: Ns; readonly to: Ns };

/** Numbers that are no log: a table of differences, `time`, perf stat, hyperfine, systemd-analyze. */
export type Sample = { readonly name: string; readonly value: Ns; readonly mailLine: number };

/** How well the early initcalls tell HZ. `explained` of `of` non-zero values are multiples of its tick. */
export type Fingerprint = {
  readonly hz?: number;
  readonly unitNs?: 1000 | 1024;
  readonly explained: number;
  readonly of: number;
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
  /** By what `unitNs` is known, in words. */
  readonly unitBy?: string;
  /** Time stamps have whole seconds only, or are when a journal read the line: no intervals may be taken from them. */
  readonly coarse?: true;
  /** The kernel's own version, from its first line. */
  readonly release?: string;
  readonly stamps?: readonly Stamp[];
  readonly asyncWaits?: readonly AsyncWait[];
  readonly samples?: readonly Sample[];
  /** Arithmetic of the text itself that is wrong. */
  readonly problems?: readonly string[];
  readonly quoted?: true;
  /** Name of the attachment or file it came from. */
  readonly source?: string;
  readonly fingerprint?: Fingerprint;
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
  /** Upper ends where the text gives a range (`2-3 %`, `6-7 seconds`). */
  readonly beforeMax?: Ns;
  readonly afterMax?: Ns;
  readonly percentMax?: number;
  readonly deltaMax?: Ns;
  /** What stands before a number: `more than` is a bound, `about` a rounding. */
  readonly hedge?: 'about' | 'at-least' | 'at-most';
  /** Half of the last digit written: how far rounding alone may move a value. */
  readonly slack?: { readonly before?: Ns; readonly after?: Ns; readonly delta?: Ns };
  readonly quoted?: true;
  readonly from?: 'subject' | 'text';
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
  /** The log prints these in units of 1024 ns that it calls usecs; the values here are true time. */
  readonly unitNs?: 1024;
  /** Message-id of the mail it stands in, and whether the series' author wrote that mail. */
  readonly mail?: string;
  readonly byAuthor?: boolean;
};

export type Evidence = {
  readonly logs: readonly BootLog[];
  readonly claims: readonly Claim[];
  readonly measurements: readonly Measurement[];
};

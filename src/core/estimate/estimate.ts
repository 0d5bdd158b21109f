import type { Ns, Span } from '../kernel/index.js';

export type AssumptionFrom = 'log' | 'flag' | 'profile' | 'tree' | 'default' | 'swept';
export type Assumption = { readonly name: string; readonly value: number | string; readonly from: AssumptionFrom };

/** One (HZ, era, waits) that explains the logged interval, with what it leaves unexplained. */
export type Fit = { readonly hz: number; readonly era: string; readonly waits: number; readonly residual: Ns };

/** What one side costs. `busy` is time burnt on a CPU. */
export type Cost = {
  readonly min: Ns;
  readonly likely: Ns;
  readonly max: Ns;
  readonly polls: number;
  readonly busy: Ns;
};

export type CurvePoint = {
  readonly ready: Ns;
  readonly before: Span;
  readonly after: Span;
  readonly saved: Span;
  readonly pollsBefore: number;
  readonly pollsAfter: number;
};

export type DevicesPoint = {
  readonly count: number;
  /** How long each of them takes until it is ready. */
  readonly ready: Ns;
  /** Looks of all of them together, with the change and without. */
  readonly looks: number;
  readonly looksBefore: number;
  /** Timers that end and sleepers that run, with the change: none where the loop spins. */
  readonly wakeUps: number;
  readonly cpuPercent: { readonly min: number; readonly max: number };
};

export type Alternative = { readonly policy: string; readonly likely: Ns; readonly polls: number };

/** What one wait costs on each side if the device never answers. */
export type Never = { readonly before: Ns; readonly after: Ns };

/** A prediction, never a measurement. `change` is the index of the DelayChange it is about. */
export type Estimate = {
  readonly change: number;
  readonly model: 'poll' | 'settle' | 'timeout' | 'backoff';
  readonly assumptions: readonly Assumption[];
  readonly fits: readonly Fit[];
  readonly before: Cost;
  readonly after: Cost;
  readonly saved: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
  readonly curve: readonly CurvePoint[];
  readonly devices: readonly DevicesPoint[];
  readonly bootPath: 'on' | 'off' | 'unknown';
  readonly bootPathBy: string;
  /** What of it the boot saves: all of it on its path, nothing off it; absent where that is not known. */
  readonly bootSaved?: { readonly min: Ns; readonly likely: Ns; readonly max: Ns };
  /** The real timeouts, where both loops have a bound. */
  readonly never?: Never;
  readonly alternatives: readonly Alternative[];
};

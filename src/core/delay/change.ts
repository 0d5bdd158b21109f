import type { Ns, Span } from '../kernel/index.js';
import type { ArgumentUnit } from './catalogue.js';

export type WaitKind =
  'sleep' | 'busy' | 'poll-interval' | 'poll-timeout' | 'retry-count' | 'delayed-work' | 'constant';

/** How a wait's value is known: written out, by a #define seen in the patch, from the kernel tree, or not. */
export type Resolved = 'literal' | 'define' | 'tree' | 'no';

/** One delaying call or constant on one side of the diff. `span` is nominal: what the source text asks for. */
export type Wait = {
  readonly text: string;
  /** Catalogue name of the call: `msleep`; absent for constants and loop bounds. */
  readonly api?: string;
  readonly span?: Span;
  /** Rounds of a counter, for kind retry-count. */
  readonly count?: number;
  readonly resolved: Resolved;
  /** Names that the value needs and the patch does not give: what to ask a kernel tree. */
  readonly unknown: readonly string[];
  /** What to work out again once a kernel tree has answered. */
  readonly question?: Question;
};

/**
 * Expressions whose value a patch does not give (one, or the two ends of a range), with the names that it does explain. The
 * unit `by-use` is that of the calls which wait by the constant `of`.
 */
export type Question = {
  readonly expressions: readonly string[];
  readonly unit: ArgumentUnit | 'count' | 'by-use';
  readonly of?: string;
  readonly known: Readonly<Record<string, string>>;
  /** Names that have a value already, unless the tree gives them another. */
  readonly assumed?: Readonly<Record<string, string>>;
};

export type Role = 'poll-interval' | 'settle' | 'timeout' | 'retry' | 'periodic' | 'autosuspend' | 'unknown';
export type CodePath = 'probe' | 'init' | 'resume' | 'reset' | 'runtime' | 'unknown';
export type Bound = 'count' | 'deadline' | 'none' | 'unknown';

/** A judgement with the rule that gave it and how sure it is (0..1). */
export type Judged<T> = { readonly is: T; readonly by: string; readonly sure: number };

/** How the interval of a poll grows: read from the patch, run by the simulator. */
export type Backoff = {
  readonly kind: 'exponential' | 'linear';
  readonly first: Ns;
  readonly cap?: Ns;
  /** Sleep range's upper end over its lower (2 for usleep_range(d, 2 * d)). */
  readonly stretch: number;
  /** Bits of the variable that is shifted: where it wraps to zero (32 for u32). */
  readonly bits?: number;
  readonly exponentCap?: number;
};

/** A place where a changed constant is used, itself unchanged. */
export type Use = { readonly file: string; readonly function?: string; readonly text: string; readonly line?: number };

export type Sibling = {
  readonly file: string;
  readonly function?: string;
  readonly text: string;
  readonly line?: number;
};

/**
 * A pair of waits (either may be absent) that is a change of behaviour. A moved, re-indented or renamed wait is none;
 * `moved` is a move that changes who waits, `guard` a wait that stays while its guard, loop or unit changes.
 */
export type DelayChange = {
  /** Index into the mail's patches. */
  readonly patch: number;
  readonly effect: 'changed' | 'added' | 'removed' | 'moved' | 'guard';
  readonly kind: WaitKind;
  readonly file: string;
  /** The real enclosing function, not what the hunk header says. */
  readonly function?: string;
  readonly oldLine?: number;
  readonly newLine?: number;
  readonly mailLine?: number;
  readonly before?: Wait;
  readonly after?: Wait;
  /** The changed constant through which this change came about. */
  readonly via?: string;
  readonly uses: readonly Use[];
  readonly role: Judged<Role>;
  readonly path: Judged<CodePath>;
  readonly inLoop?: boolean;
  readonly bound: { readonly before: Bound; readonly after: Bound };
  readonly rounds: { readonly before?: number; readonly after?: number };
  readonly budget: { readonly before?: Span; readonly after?: Span };
  readonly backoff: { readonly before?: Backoff; readonly after?: Backoff };
  /** The condition may succeed before the first sleep (a look comes first), so that the wait may cost nothing. */
  readonly looksFirst?: boolean;
  /** An added wait in a function, or under a condition, that the patch itself adds. */
  readonly inNewFunction?: true;
  readonly siblings: readonly Sibling[];
  /** The diff lines to quote above a remark, byte for byte, without the mail's own quoting. */
  readonly quote: readonly string[];
};

import type { Address, Problem } from '../mail/index.js';

/** One line of a hunk. Old and new number are absent where the line is not on that side. */
export type HunkLine = {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** 1-based in Message.text. */
  readonly mailLine: number;
  readonly noNewline?: true;
};

/** A hunk that closed by its own counts. `section` is what stands after the second @@. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly section: string;
  readonly mailLine: number;
  readonly lines: readonly HunkLine[];
};

export type PatchFile = {
  readonly path: string;
  readonly oldPath?: string;
  readonly status: 'modified' | 'added' | 'deleted' | 'renamed' | 'copied' | 'mode';
  readonly oldMode?: string;
  readonly newMode?: string;
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly mailLine: number;
  readonly hunks: readonly Hunk[];
};

/** A line `Key: value` at the end of a commit message; `text` is the line as it stands. */
export type Trailer = {
  readonly key: string;
  readonly value: string;
  readonly text: string;
  readonly mailLine: number;
};

/** A stretch of text with the mail line of its first line. */
export type Prose = { readonly lines: readonly string[]; readonly mailLine: number };

/** One patch of a mail. Where a mail has several, each is one. */
export type Patch = {
  /** The subject without its brackets. */
  readonly title: string;
  /** What stood in the brackets: `PATCH v2 net-next 3/7`; empty without. */
  readonly prefix: string;
  /** Words of the prefix other than PATCH, vN and n/m: `RFC`, `RESEND`, `net-next`. */
  readonly tags: readonly string[];
  /** 1 where none is said. A partial reroll `v5.1` is 5.1. */
  readonly version: number;
  readonly index?: number;
  readonly total?: number;
  /** In-body From, else the mail's author. */
  readonly author?: Address;
  /** The commit message without in-body headers, up to `---`, trailers included. */
  readonly log: Prose;
  readonly trailers: readonly Trailer[];
  /** Between `---` and the diff: change log, diffstat. */
  readonly notes: Prose;
  readonly files: readonly PatchFile[];
  readonly changeId?: string;
  readonly baseCommit?: string;
  readonly problems: readonly Problem[];
};

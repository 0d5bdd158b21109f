import type {
  Candidate,
  Instant,
  ListPolicy,
  Policy,
  PolicyState,
  PostedThread,
  Speak,
  ThreadMail,
} from '../../core/review/index.js';
import type { Kept, Queued, SendOutcome, Turns } from '../store/index.js';

/** What reading one mail gives: the record for decisions, where it came through, and the Reading as it is stored. */
export type ReadMail = { readonly mail: ThreadMail; readonly lists: readonly string[]; readonly reading: unknown };

/** Reads one mail's bytes. What it throws puts the mail into quarantine. */
export type Reader = (bytes: Uint8Array) => Promise<ReadMail>;

/** A reply as it will leave: its final bytes, and whom the server is told. */
export type Composed = {
  readonly bytes: Uint8Array;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
};

export type ComposeInput<C extends Candidate> = {
  readonly candidate: C;
  readonly speak: Speak;
  readonly policy: Policy;
  readonly messageId: string;
  readonly now: Instant;
};

/** What the loop is given: the two pure calls, the policy of the moment, who we are. */
export type DecideDeps<C extends Candidate> = {
  readonly policy: () => PolicyState;
  /** The kill file is there. */
  readonly killed: () => boolean;
  /** Reviews a posting by the Readings of its thread, for the lists that may be answered: the one whose policy holds first. */
  readonly review: (thread: PostedThread, mails: readonly Kept[], lists: readonly ListPolicy[]) => C | Promise<C>;
  readonly compose: (input: ComposeInput<C>) => Composed | Promise<Composed>;
  /** For Message-IDs: never changes over the life of a store. */
  readonly secret: string;
  readonly domain: string;
  /** Where several processes judge: no two have the same posting in hand, and reviews are made side by side. */
  readonly turns?: Turns;
};

export type SendDeps = Pick<DecideDeps<Candidate>, 'policy' | 'killed' | 'turns'> & {
  /** Asks for `leave` just before the first byte of the mail goes out; false: another process has it, or it may go no more. */
  readonly send: (reply: Queued, leave: () => Promise<boolean>) => Promise<SendOutcome>;
  /** Waits for a store that does not answer: what became of a mail that has left must be noted. */
  readonly patiently?: <T>(work: () => Promise<T>) => Promise<T>;
};

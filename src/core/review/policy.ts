import type { Address } from '../mail/index.js';
import type { Period } from './instant.js';
import type { Channel } from './verdict.js';

/** How many replies may leave in the last hour, the last day, and to one author in the last day. */
export type Caps = { readonly hour: number; readonly day: number; readonly author: number };

/** A filter on paths or subsystems: with `only`, nothing else is answered; `never` wins over `only`. */
export type Filter = { readonly only?: readonly string[]; readonly never: readonly string[] };

/** What one list has agreed to, named by its exact List-Id. */
export type ListPolicy = {
  /** RFC 2919 identifier, lower case, without brackets. */
  readonly listId: string;
  /** Where the list is written to. */
  readonly address: string;
  readonly channel: Channel;
  /** Reasons of a review that may cause a mail here; all where absent. */
  readonly worth?: readonly string[];
  readonly paths: Filter;
  /** First words of a title, as in `nvme-pci: shorten the wait`: `nvme-pci`. */
  readonly subsystems: Filter;
  readonly nits: { readonly limit: number; readonly off: readonly string[] };
  /** Rules that say nothing here, beside nits. */
  readonly rulesOff: readonly string[];
  /** Longest title without its brackets that the nit on subjects lets pass. */
  readonly subjectLimit: number;
  readonly copy: readonly Address[];
  /** People whose `reveille: stop` holds for the whole list. */
  readonly maintainers: readonly string[];
  /** How often the maintainers get a digest by mail; never where absent. */
  readonly digest?: 'none' | 'daily' | 'weekly' | 'monthly';
  readonly ignore: readonly string[];
  readonly caps: Caps;
  /** A posting is judged this long after its last mail came. */
  readonly settle: Period;
  /** People speak first: nothing is said before the mail is this old. */
  readonly embargo: Period;
  /** `first`: the first twenty replies wait for an operator; `all`: every one does. */
  readonly approval: 'first' | 'all';
};

/** Who may be written to, and how. */
export type Policy = {
  /** Our own addresses: nothing from them is ever answered. */
  readonly self: Address;
  readonly aliases: readonly string[];
  /** Where notices for the person who runs this go. */
  readonly operator?: string;
  readonly ignore: readonly string[];
  /** Over all lists together. */
  readonly caps: Caps;
  readonly lists: readonly ListPolicy[];
  /** What single people do not want to hear, by address in lower case. */
  readonly authors?: Readonly<Record<string, { readonly nitsOff: readonly string[] }>>;
  /** The bytes of mails older than this are dropped from the store; what was read from them stays. Absent: kept for ever. */
  readonly keepMails?: Period;
};

/** A policy that was read, or why nothing may be sent: a missing or broken policy means silence. */
export type PolicyState =
  | { readonly kind: 'policy'; readonly policy: Policy; readonly hash: string }
  | { readonly kind: 'none'; readonly why: string };

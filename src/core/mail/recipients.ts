import { isAddress, parseAddresses, sameAddress } from './address.js';
import { valuesOf } from './head.js';
import type { Address, Message } from './message.js';
import { isRobotAddress } from './robots.js';

/** Whom an answer goes to, and who of the mail's people and lists is left out, with the reason. */
export type Answer = {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly dropped: readonly { readonly address: string; readonly why: string }[];
};

export type AnswerOptions = {
  /** In-body From of the patch, where there is one. */
  readonly author?: Address;
  /** Posting addresses of the lists that opted in; compared whole. */
  readonly lists?: readonly string[];
  /** Our own addresses; one with `+tag` counts as ours too. */
  readonly own?: readonly string[];
  /** Addresses known to be lists beside those that the mail itself names as such. */
  readonly knownLists?: readonly string[];
  /** Whether the policy lets other people of the thread be copied. */
  readonly people?: 'copy' | 'drop';
};

/** Computes the recipients of an answer: the author, the lists that opted in, and the dropped ones with why. */
export function answerTo(message: Message, options: AnswerOptions = {}): Answer {
  const lists = (options.lists ?? []).map((address) => address.toLowerCase());
  const own = options.own ?? [];
  const isList = listTest(message, [...lists, ...(options.knownLists ?? [])]);
  const author = authorOf(message, options.author, (address) => isList(address) || isOwn(address, own));
  const cc: Address[] = [];
  const dropped: { address: string; why: string }[] = [];
  const seen = new Set<string>(author === undefined ? [] : [author.address.toLowerCase()]);
  for (const person of everyone(message)) {
    const key = person.address.toLowerCase();
    if (seen.has(key)) continue;
    seen.add(key);
    const why = whyDropped(person.address, { lists, own, isList, people: options.people ?? 'drop' });
    if (why === undefined) cc.push(person);
    else dropped.push({ address: person.address, why });
  }
  return { to: author === undefined ? [] : [author], cc, dropped };
}

/** The person to answer: Reply-To unless it is a list, in-body From, X-Original-From, then From and what can be told of a munged one. */
function authorOf(
  message: Message,
  inBody: Address | undefined,
  excluded: (address: string) => boolean,
): Address | undefined {
  const usable = (candidate: Address | undefined): candidate is Address =>
    candidate !== undefined &&
    isAddress(candidate.address) &&
    !excluded(candidate.address) &&
    !isRelay(candidate.address) &&
    !isRobotAddress(candidate.address);
  const original = parseAddresses(valuesOf(message.headers, 'x-original-from').slice(0, 1));
  const candidates = [...message.replyTo, inBody, ...original];
  const found = candidates.find(usable);
  if (found !== undefined) return found;
  const from = message.from;
  if (usable(from) && !isMunged(from)) return from;
  return from === undefined ? undefined : realSender(message, from, usable);
}

/** `devnull+user.example.org@kernel.org` of the b4 relay: mail to it goes nowhere. */
function isRelay(address: string): boolean {
  return /^devnull\+/i.test(address);
}

/** A list that rewrites senders for DMARC: `A Developer via list <list@host>`. */
function isMunged(from: Address): boolean {
  return /\bvia\s+\S/i.test(from.name);
}

/** The one of the mail's other addresses that bears the munged sender's name, else the one that the relay's name spells. */
function realSender(
  message: Message,
  from: Address,
  usable: (candidate: Address | undefined) => candidate is Address,
): Address | undefined {
  const via = from.name.search(/\svia\s/i);
  const name = (via < 0 ? from.name : from.name.slice(0, via)).trim().toLowerCase();
  const same = [...message.cc, ...message.to].find(
    (other) => name !== '' && other.name.toLowerCase() === name && usable(other),
  );
  if (same !== undefined) return same;
  const spelled = /^devnull\+([^@]*)@/i.exec(from.address)?.[1];
  if (spelled === undefined) return undefined;
  return [...message.cc, ...message.to].find(
    (other) => usable(other) && sameAddress(other.address.replace('@', '.'), spelled),
  );
}

function everyone(message: Message): Address[] {
  const from = message.from === undefined ? [] : [message.from];
  return [...from, ...message.replyTo, ...message.to, ...message.cc];
}

type DropContext = {
  readonly lists: readonly string[];
  readonly own: readonly string[];
  readonly isList: (address: string) => boolean;
  readonly people: 'copy' | 'drop';
};

function whyDropped(address: string, context: DropContext): string | undefined {
  if (isOwn(address, context.own)) return 'our own address';
  if (context.lists.includes(address.toLowerCase())) return undefined;
  if (isRelay(address)) return 'a relay address that reads no mail';
  if (isRobotAddress(address)) return 'a robot';
  if (context.isList(address)) return 'list not opted in';
  return context.people === 'copy' ? undefined : 'person not copied by policy';
}

function isOwn(address: string, own: readonly string[]): boolean {
  const bare = withoutTag(address);
  return own.some((mine) => sameAddress(address, mine) || sameAddress(bare, mine));
}

function withoutTag(address: string): string {
  const plus = address.indexOf('+');
  const at = address.lastIndexOf('@');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}

/** Tells list addresses: those named in List-Post or by List-Id, those of hosts that only carry lists, those we are told. */
function listTest(message: Message, known: readonly string[]): (address: string) => boolean {
  const exact = new Set(known.map((address) => address.toLowerCase()));
  for (const value of valuesOf(message.headers, 'list-post')) {
    const open = value.indexOf('<mailto:');
    const close = value.indexOf('>', open);
    if (open >= 0 && close > open)
      exact.add(
        value
          .slice(open + 8, close)
          .split('?')[0]
          ?.toLowerCase() ?? '',
      );
  }
  const ids = new Set(message.lists);
  return (address) => {
    const lower = address.toLowerCase();
    return exact.has(lower) || ids.has(lower.replace('@', '.')) || isListHost(lower);
  };
}

// Hosts whose every address is a list, by MAINTAINERS (v6.12): vger and the usual `lists.` names.
function isListHost(address: string): boolean {
  const host = address.slice(address.lastIndexOf('@') + 1);
  return /^(?:vger\.kernel\.org|lists?\..+|.*\.lists\..+|kvack\.org|.*\.googlegroups\.com|googlegroups\.com)$/.test(
    host,
  );
}

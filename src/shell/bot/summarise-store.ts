import type { Address } from '../../core/mail/index.js';
import {
  summarise,
  type Summary,
  type SummaryAnswers,
  type SummaryPosting,
  type SummaryState,
  type TreeMaintainer,
} from '../../core/report/index.js';
import {
  membersOf,
  postingOf,
  review,
  threadOf,
  threadVerdict,
  type Knowledge,
  type PostedThread,
  type Posting,
  type Reading,
  type Review,
} from '../../core/review/index.js';
import {
  findRelated,
  mailsBetween,
  readOutcomes,
  readWrongs,
  type Db,
  type Kept,
  type MailOutcome,
  type WrongRow,
} from '../store/index.js';
import { readActivity } from './activity.js';

export type SummaryAsk = {
  /** Moments in milliseconds; `until` is not in the period. */
  readonly from: number;
  readonly until: number;
  readonly list?: string;
  /** What stands before the first colon of a title, or a subsystem of the kernel tree. */
  readonly subsystem?: string;
  readonly seed: number;
  /** Our own addresses: what they write is no answer. */
  readonly own: readonly string[];
  readonly activity: boolean;
  readonly lookUp?: (files: readonly string[]) => Promise<TreeAnswer>;
};

/** What a kernel tree says about files. */
export type TreeAnswer = { readonly subsystems: readonly string[]; readonly maintainers: readonly TreeMaintainer[] };

/** What happened to waits over a period, from what a store holds. */
export async function summariseStore(db: Db, knowledge: Knowledge, ask: SummaryAsk): Promise<Summary> {
  const seen = await lookThrough(db, ask);
  const wrongs = await readWrongs(db);
  const postings: SummaryPosting[] = [];
  const done = new Set<string>();
  for (const id of seen.interesting) {
    if (done.has(id)) continue;
    const posting = await postingWith(db, id, { knowledge, ask, wrongs, done });
    if (posting !== undefined && fitsSubsystem(posting, ask.subsystem)) postings.push(posting);
  }
  for (const posting of postings) seen.quiet.delete(posting.id);
  const quiet: Record<string, number> = {};
  for (const reason of seen.quiet.values()) quiet[reason] = (quiet[reason] ?? 0) + 1;
  const activity = ask.activity ? await readActivity(db, ask) : undefined;
  return summarise({
    period: { from: new Date(ask.from).toISOString(), until: new Date(ask.until).toISOString() },
    ...(ask.list === undefined ? {} : { list: ask.list }),
    ...(ask.subsystem === undefined ? {} : { subsystem: ask.subsystem }),
    made: { ...knowledge.made, seed: ask.seed },
    mails: seen.mails,
    patches: seen.patches,
    postings,
    quiet,
    ...(activity === undefined ? {} : { activity }),
  });
}

type Seen = {
  mails: number;
  patches: number;
  /** Patches and covers with something to show. */
  readonly interesting: string[];
  /** Postings and the reason for which nothing is said. */
  readonly quiet: Map<string, string>;
};

async function lookThrough(db: Db, ask: SummaryAsk): Promise<Seen> {
  const seen: Seen = { mails: 0, patches: 0, interesting: [], quiet: new Map() };
  for await (const batch of mailsBetween(db, ask.from, ask.until)) {
    const mails = batch.filter((kept) => ask.list === undefined || kept.lists.includes(ask.list));
    seen.mails += mails.length;
    const posts = mails.filter(({ mail }) => mail.kind === 'patch' || mail.kind === 'cover');
    const outcomes = new Map(
      (
        await readOutcomes(
          db,
          posts.map(({ key }) => key),
        )
      ).map((one) => [one.mail, one]),
    );
    for (const kept of posts) {
      if (kept.mail.kind === 'patch') seen.patches++;
      const outcome = outcomes.get(kept.key);
      if (!isSubsystem(kept.mail.subsystem, ask) && ask.lookUp === undefined) continue;
      if (isInteresting(kept) || outcome?.reply !== undefined) seen.interesting.push(kept.key);
      const posting = outcome?.posting ?? kept.key;
      if (!seen.quiet.has(posting) && !seen.interesting.includes(kept.key))
        seen.quiet.set(posting, quietReason(outcome));
    }
  }
  return seen;
}

function quietReason(outcome: MailOutcome | undefined): string {
  if (outcome === undefined) return 'undecided';
  return outcome.reason === 'nothing-to-say' && outcome.detail !== '' ? outcome.detail : outcome.reason;
}

/** It changes a wait, or a rule that is more than form has spoken. */
function isInteresting(kept: Kept): boolean {
  const reading = readingOf(kept);
  return (
    reading.changes.length > 0 || reading.findings.some((f) => !f.nit && f.level !== 'note' && f.confidence !== 'low')
  );
}

function readingOf(kept: Kept): Reading {
  return JSON.parse(kept.reading) as Reading; // written by `arrive` only
}

function isSubsystem(own: string | undefined, { subsystem }: Pick<SummaryAsk, 'subsystem'>): boolean {
  if (subsystem === undefined) return true;
  const [name, wanted] = [(own ?? '').toLowerCase(), subsystem.toLowerCase()];
  return name === wanted || (name.startsWith(wanted) && /^[-/:, ]/.test(name.slice(wanted.length)));
}

function fitsSubsystem(posting: SummaryPosting, subsystem: string | undefined): boolean {
  if (subsystem === undefined || isSubsystem(posting.subsystem, { subsystem })) return true;
  return (posting.subsystems ?? []).some((name) => name.toLowerCase().includes(subsystem.toLowerCase()));
}

type With = {
  readonly knowledge: Knowledge;
  readonly ask: SummaryAsk;
  readonly wrongs: readonly WrongRow[];
  readonly done: Set<string>;
};

async function postingWith(
  db: Db,
  id: string,
  { knowledge, ask, wrongs, done }: With,
): Promise<SummaryPosting | undefined> {
  const related = (await findRelated(db, id)).filter((kept) => kept.at < ask.until);
  const posting = postingOf(related, id);
  if (posting === undefined) return undefined;
  const thread = threadOf(posting, related);
  const own = membersOf(thread);
  for (const { mail } of own) done.add(mail.id ?? '');
  const kept = new Map(related.map((one) => [one.key, one]));
  const first = own[0];
  if (first === undefined) return undefined;
  const reviews = reviewsOf(posting, kept, { knowledge, seed: ask.seed });
  const head = kept.get(posting.cover ?? posting.id) ?? kept.get(first.mail.id ?? '');
  const author = head === undefined ? undefined : (readingOf(head).patches[0]?.author ?? readingOf(head).message.from);
  const outcomes = await readOutcomes(
    db,
    own.flatMap(({ mail }) => mail.id ?? []),
  );
  const files = [...new Set(own.flatMap(({ mail }) => mail.paths))];
  const fromTree = ask.lookUp === undefined || files.length === 0 ? undefined : await ask.lookUp(files);
  const subsystem = own.flatMap(({ mail }) => mail.subsystem ?? [])[0];
  return {
    id: posting.id,
    title: (head?.mail ?? first.mail).title,
    ...(author === undefined ? {} : { author }),
    date: new Date(first.at).toISOString(),
    version: posting.version,
    total: posting.total,
    complete: posting.complete,
    lists: [...new Set(own.flatMap(({ lists }) => lists))].sort(),
    ...(subsystem === undefined ? {} : { subsystem }),
    ...fromTree,
    reviews,
    answersWithEvidence: evidenceReviews(thread, kept, { knowledge, seed: ask.seed }),
    answers: answersOf(thread, kept, { ask, author }),
    state: stateOf(outcomes, wrongs, reviews),
    ...(posting.supersededBy === undefined ? {} : { supersededBy: posting.supersededBy }),
  };
}

type Reviewing = { readonly knowledge: Knowledge; readonly seed: number };

/** Each of the posting's mails beside the others of it: what other people measured says nothing about the author's machine. */
function reviewsOf(posting: Posting, kept: ReadonlyMap<string, Kept>, { knowledge, seed }: Reviewing): Review[] {
  const ids = [...posting.members, ...(posting.cover === undefined ? [] : [posting.cover])];
  const readings = ids.flatMap((id) => kept.get(id) ?? []).map(readingOf);
  const telling = readings.filter((r) => r.changes.length > 0 || r.logs.length > 0 || r.claims.length > 0);
  return readings.map((about) => {
    const earlier = telling.filter((r) => r.message.id !== about.message.id).slice(-mostEarlier);
    return review({ about, source: { path: '' }, earlier }, knowledge, seed);
  });
}

const mostEarlier = 40;

/** Reviews of answers that bring logs or claims: what they measured is held against the patch. */
function evidenceReviews(
  thread: PostedThread,
  kept: ReadonlyMap<string, Kept>,
  { knowledge, seed }: Reviewing,
): Review[] {
  const own = new Set(membersOf(thread).map(({ mail }) => mail.id));
  const found: Review[] = [];
  const earlier: Reading[] = [];
  for (const { mail } of thread.mails) {
    const one = kept.get(mail.id ?? '');
    if (one === undefined) continue;
    const about = readingOf(one);
    const tells = about.logs.length > 0 || about.claims.length > 0;
    if (tells && !own.has(mail.id) && found.length < 20)
      found.push(review({ about, source: { path: '' }, earlier: earlier.slice(-mostEarlier) }, knowledge, seed));
    if (tells || about.changes.length > 0) earlier.push(about);
  }
  return found;
}

function answersOf(
  thread: PostedThread,
  kept: ReadonlyMap<string, Kept>,
  { ask, author }: { readonly ask: SummaryAsk; readonly author: Address | undefined },
): SummaryAnswers {
  const own = new Set(membersOf(thread).map(({ mail }) => mail.id));
  const ours = new Set(ask.own.map((address) => address.toLowerCase()));
  const authors = new Set(membersOf(thread).flatMap(({ mail }) => [mail.from ?? '', ...mail.authors]));
  if (author !== undefined) authors.add(author.address.toLowerCase());
  const people = new Map<string, Address>();
  const texts: string[] = [];
  for (const { mail } of thread.mails) {
    if (own.has(mail.id) || mail.from === undefined || ours.has(mail.from)) continue;
    if (mail.text !== '') texts.push(mail.text);
    if (mail.kind === 'bot' || mail.kind === 'notification' || authors.has(mail.from)) continue;
    const one = kept.get(mail.id ?? '');
    const from = one === undefined ? undefined : readingOf(one).message.from;
    people.set(mail.from, from ?? { name: '', address: mail.from });
  }
  const verdict = threadVerdict(texts);
  return { by: [...people.values()], ...(verdict === undefined ? {} : { verdict }) };
}

function stateOf(
  outcomes: readonly MailOutcome[],
  wrongs: readonly WrongRow[],
  reviews: readonly Review[],
): SummaryState {
  const reply = outcomes.flatMap((one) => one.reply ?? [])[0];
  if (reply === undefined) {
    const silent = outcomes.find((one) => one.kind === 'silent');
    if (silent === undefined) return { kind: 'undecided' };
    return { kind: 'silent', reason: silent.reason, detail: silentDetail(silent, reviews) };
  }
  const { id, heldBy, why } = reply;
  switch (reply.state) {
    case 'held':
      return { kind: 'waiting', reply: id, why: heldBy ?? 'approval', until: new Date(reply.expiresAt).toISOString() };
    case 'due':
    case 'sending':
      return { kind: 'leaving', reply: id };
    case 'uncertain':
      return { kind: 'parked', reply: id, why };
    case 'failed':
    case 'cancelled':
      return { kind: 'not-sent', reply: id, why };
    case 'sent': {
      const at = new Date(reply.sentAt ?? reply.createdAt).toISOString();
      const reasons = reviews.filter(({ decision }) => decision.worth).flatMap(({ decision }) => decision.reasons);
      if (!reply.live) return { kind: 'would-reply', at, reasons: [...new Set(reasons)] };
      const wrong = wrongs
        .filter((mark) => mark.reply === id)
        .map((mark) => ({ rule: mark.rule, by: mark.by, at: new Date(mark.at).toISOString() }));
      return { kind: 'replied', reply: id, at, channel: reply.channel, wrong };
    }
    default:
      return reply.state satisfies never;
  }
}

/** A decision names what the first mail of a posting gave; a row is about those that change a wait. */
function silentDetail({ reason, detail }: MailOutcome, reviews: readonly Review[]): string {
  const telling = reviews.filter(({ changes }) => changes.length > 0);
  if (reason !== 'nothing-to-say' || telling.length === 0) return detail;
  return [...new Set(telling.flatMap(({ decision }) => decision.reasons))].join(' ');
}

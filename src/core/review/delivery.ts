import { guardMail, isIgnored, namedLists } from './guards.js';
import { hours, minutes, type Instant } from './instant.js';
import type { Filter, ListPolicy, PolicyState } from './policy.js';
import { quotesAndRemarks } from './said.js';
import type { HeldReason, LaterReason, SilenceReason } from './silence.js';
import type { Arrived, Posting, PostedThread, ThreadMail } from './thread-mail.js';
import { threadVerdict } from './thread-verdict.js';
import type { Channel } from './verdict.js';

/** No reply to a mail older than this. */
export const tooOld = hours(24);

/** Replies on a new list that wait for the operator. */
export const firstReplies = 20;

/** One thing a review has to say. A point with a `reason` may cause a mail; one without only rides on one. */
export type Point = {
  readonly fingerprint: string;
  /** Rule id, or the reason's name where no rule stands behind it. */
  readonly rule: string;
  readonly nit: boolean;
  /** Which of the reasons worth a mail it gives. */
  readonly reason?: string;
  /** Diff lines that it is about, to see whether somebody has spoken under them. */
  readonly quote: readonly string[];
};

/** What a review would say, and to which mail: the cover or the one patch concerned. */
export type Candidate = {
  readonly target: string;
  readonly worth: boolean;
  readonly why?: string;
  readonly points: readonly Point[];
};

export type Mute = { readonly scope: 'author' | 'series' | 'list' | 'rule' | 'finding'; readonly key: string };
export type Spoken = {
  readonly fingerprint: string;
  readonly posting: string;
  readonly author: string;
  readonly causing: boolean;
};
/** A reply that was written or sent in the last 24 hours. */
export type Recent = {
  readonly at: Instant;
  readonly lists: readonly string[];
  readonly author: string;
  readonly live: boolean;
};

/** What happened before, as the store knows it at this moment. */
export type History = {
  readonly killed: boolean;
  readonly firstStart?: Instant;
  readonly ownIds: readonly string[];
  readonly mutes: readonly Mute[];
  readonly spoken: readonly Spoken[];
  /** Message-ids of this thread that a reply has answered for. */
  readonly claimed: readonly string[];
  /** Replies that the operator has approved, by List-Id. */
  readonly approved: Readonly<Record<string, number>>;
  readonly recent: readonly Recent[];
};

export type DeliveryInput = {
  readonly thread: PostedThread;
  readonly policy: PolicyState;
  readonly history: History;
  readonly now: Instant;
};

export type Silent = { readonly kind: 'silent'; readonly reason: SilenceReason; readonly detail?: string };
export type Later = { readonly kind: 'later'; readonly until: Instant; readonly why: LaterReason };
export type Speak = {
  readonly kind: 'speak';
  readonly channel: Exclude<Channel, 'none'>;
  /** The list whose policy holds. */
  readonly home: string;
  /** List-Ids that it counts for; on channel `list` they get a copy: those that opted in. */
  readonly lists: readonly string[];
  readonly author: string;
  /** Fingerprints that are said, in the review's order, nits within their limit. */
  readonly keep: readonly string[];
  readonly held?: HeldReason;
  /** After this nothing leaves any more. */
  readonly expires: Instant;
};
/** The thread may be answered: by the policy of these lists, strongest channel first. */
export type Open = { readonly kind: 'open'; readonly lists: readonly ListPolicy[] };

/** Everything that can be said without a review: cheap, so it is asked first, and again before sending. */
export function checkThread(input: DeliveryInput): Silent | Later | Open {
  const { thread, policy: state, history } = input;
  if (state.kind === 'none') return silent('no-policy', state.why);
  if (history.killed) return silent('kill-file');
  const policy = state.policy;
  const own = membersOf(thread);
  const first = own[0];
  if (first === undefined) return silent('not-a-patch');
  const ownIds = new Set(history.ownIds);
  for (const { mail } of own) {
    const guard = guardMail(mail, policy, ownIds);
    if (guard !== undefined) return silent(guard, mail.kindReason);
  }
  const named = policy.lists.filter((list) => own.some((arrived) => namedLists(arrived, policy).includes(list)));
  if (named.length === 0) return silent('list-not-named', own.flatMap((a) => a.lists).join(' '));
  if (own.some(({ mail }) => isIgnored(mail, policy.ignore))) return silent('ignored-sender');
  const muted = checkMutes(thread, own, history.mutes);
  if (muted !== undefined) return muted;
  const late = checkTime(input, own) ?? checkWords(thread, policy.self.address);
  if (late !== undefined) return late;
  if (own.some(({ mail }) => mail.id !== undefined && history.claimed.includes(mail.id)))
    return silent('series-answered');
  return checkLists(named, own, input, first.at);
}

/** Decides over a review: silence with its reason, later, or a reply and where it goes. Pure: same input, same answer. */
export function decideDelivery(input: DeliveryInput & { readonly candidate: Candidate }): Silent | Later | Speak {
  const open = checkThread(input);
  if (open.kind !== 'open') return open;
  const { candidate, thread, history, now } = input;
  if (!candidate.worth) return silent('nothing-to-say', candidate.why);
  const target = thread.mails.find(({ mail }) => mail.id === candidate.target);
  if (target === undefined) return silent('not-a-patch', 'the mail to answer is not in the thread');
  const home = open.lists[0];
  if (home === undefined || home.channel === 'none') return silent('list-off');
  const author = authorOf(target.mail);
  const points = keepPoints(candidate.points, {
    home,
    lists: open.lists,
    thread,
    history,
    author,
    authorOff: nitsOffFor(input.policy, author),
  });
  if (points.kind === 'silent') return points;
  const live = home.channel !== 'dry-run';
  const copied = open.lists.filter((list) => list === home || (list.channel === 'list' && home.channel === 'list'));
  const capped = checkCaps({ policy: input.policy, recent: history.recent, now, lists: copied, author, live });
  if (capped !== undefined) return capped;
  const held = heldBy(home, copied, history);
  return {
    kind: 'speak',
    channel: home.channel,
    home: home.listId,
    lists: copied.map((list) => list.listId),
    author,
    keep: points.keep,
    ...(held === undefined ? {} : { held }),
    expires: Math.min(ageFrom(target, now), target.at) + tooOld,
  };
}

function silent(reason: SilenceReason, detail?: string): Silent {
  return detail === undefined || detail === '' ? { kind: 'silent', reason } : { kind: 'silent', reason, detail };
}

/** The posting's own mails in order of arrival: patches and cover, not what people answered. */
export function membersOf(thread: PostedThread): readonly Arrived[] {
  const ids = new Set([...thread.posting.members, thread.posting.cover, thread.posting.id]);
  return thread.mails.filter(({ mail }) => mail.id !== undefined && ids.has(mail.id));
}

/** Who is answered and counted for caps: Reply-To, in-body From, From, whichever the mail gives first. */
export function authorOf(mail: ThreadMail): string {
  return (mail.authors[0] ?? mail.from ?? '').toLowerCase();
}

function checkMutes(thread: PostedThread, own: readonly Arrived[], mutes: readonly Mute[]): Silent | undefined {
  const authors = new Set(own.flatMap(({ mail }) => [mail.from ?? '', ...mail.authors]).map((a) => a.toLowerCase()));
  const postings = new Set([thread.posting.id, thread.posting.lineage, ...thread.posting.earlier]);
  for (const mute of mutes) {
    if (mute.scope === 'author' && authors.has(mute.key.toLowerCase())) return silent('author-muted');
    if (mute.scope === 'series' && postings.has(mute.key)) return silent('series-muted');
  }
  return undefined;
}

/** A Date header has whole seconds (RFC 5322 section 3.3): what was written in the second of the first start is not older than it. */
function isBefore(arrived: Arrived, start: Instant, now: Instant): boolean {
  return ageFrom(arrived, now) < Math.floor(start / 1000) * 1000;
}

/** A clock of the sender's that runs ahead makes no mail younger. */
function ageFrom(arrived: Arrived, now: Instant): Instant {
  return Math.min(arrived.mail.date ?? arrived.at, arrived.at, now);
}

function checkTime(input: DeliveryInput, own: readonly Arrived[]): Silent | undefined {
  const { thread, history, now } = input;
  if (thread.posting.supersededBy !== undefined) return silent('newer-version', thread.posting.supersededBy);
  const firstStart = history.firstStart;
  if (firstStart !== undefined && own.some((arrived) => isBefore(arrived, firstStart, now))) {
    return silent('before-first-start');
  }
  return own.some((arrived) => now - ageFrom(arrived, now) > tooOld) ? silent('too-old') : undefined;
}

function checkWords(thread: PostedThread, self: string): Silent | undefined {
  const ids = new Set(membersOf(thread).map(({ mail }) => mail.id));
  const replies = thread.mails.filter(
    ({ mail }) => !ids.has(mail.id) && mail.from !== self.toLowerCase() && mail.text !== '',
  );
  const verdict = threadVerdict(replies.map(({ mail }) => mail.text));
  return verdict === undefined ? undefined : silent(verdict);
}

const channelOrder: readonly Channel[] = ['list', 'author', 'drafts', 'operator', 'dry-run'];

function checkLists(
  named: readonly ListPolicy[],
  own: readonly Arrived[],
  input: DeliveryInput,
  firstAt: Instant,
): Silent | Later | Open {
  const on = named.filter((list) => list.channel !== 'none');
  if (on.length === 0) return silent('list-off');
  const open: ListPolicy[] = [];
  let why: Silent | undefined;
  for (const list of on) {
    const closed = checkList(list, own, input.history.mutes);
    if (closed === undefined) open.push(list);
    else why ??= closed;
  }
  open.sort((a, b) => channelOrder.indexOf(a.channel) - channelOrder.indexOf(b.channel));
  const home = open[0];
  if (home === undefined) return why ?? silent('list-off');
  return checkSettled(home, own, { now: input.now, firstAt }) ?? { kind: 'open', lists: open };
}

function checkList(list: ListPolicy, own: readonly Arrived[], mutes: readonly Mute[]): Silent | undefined {
  if (own.some(({ mail }) => isIgnored(mail, list.ignore))) return silent('ignored-sender');
  if (mutes.some((mute) => mute.scope === 'list' && mute.key === list.listId)) return silent('list-muted');
  const paths = own.flatMap(({ mail }) => mail.paths);
  if (
    !passes(
      paths,
      list.paths,
      (path, entry) => path === entry || path.startsWith(entry.endsWith('/') ? entry : `${entry}/`),
    )
  ) {
    return silent('path-filtered');
  }
  const subsystems = own.flatMap(({ mail }) => (mail.subsystem === undefined ? [] : [mail.subsystem.toLowerCase()]));
  if (!passes(subsystems, list.subsystems, (name, entry) => name === entry.toLowerCase()))
    return silent('subsystem-filtered');
  return undefined;
}

function passes(values: readonly string[], filter: Filter, fits: (value: string, entry: string) => boolean): boolean {
  if (values.some((value) => filter.never.some((entry) => fits(value, entry)))) return false;
  const only = filter.only;
  return only === undefined || values.some((value) => only.some((entry) => fits(value, entry)));
}

/** Settled: nothing more has come for the settle time. A trickling series is not waited for beyond four of them. */
function checkSettled(
  home: ListPolicy,
  own: readonly Arrived[],
  at: { readonly now: Instant; readonly firstAt: Instant },
): Later | undefined {
  const last = Math.max(...own.map((arrived) => arrived.at));
  const settled = Math.min(last + home.settle, at.firstAt + Math.max(4 * home.settle, minutes(1)));
  if (settled > at.now) return { kind: 'later', until: settled, why: 'settle' };
  const embargo = at.firstAt + home.embargo;
  return embargo > at.now ? { kind: 'later', until: embargo, why: 'embargo' } : undefined;
}

/** The nits that the policy leaves out for an author; `all` stands for every one. */
export function nitsOffFor(state: PolicyState, author: string): readonly string[] {
  if (state.kind === 'none') return [];
  return state.policy.authors?.[author.toLowerCase()]?.nitsOff ?? [];
}

type Kept = { readonly kind: 'kept'; readonly keep: readonly string[] };
type KeepInput = {
  readonly home: ListPolicy;
  readonly lists: readonly ListPolicy[];
  readonly thread: PostedThread;
  readonly history: History;
  readonly author: string;
  /** Nits that this author does not want, by id. */
  readonly authorOff: readonly string[];
};

/** Drops what is off, muted, said before or said by somebody; silent when nothing that may cause a mail is left. */
function keepPoints(points: readonly Point[], input: KeepInput): Kept | Silent {
  const { home, lists } = input;
  let why: SilenceReason = 'nothing-to-say';
  const off = new Set([...lists.flatMap((list) => [...list.nits.off, ...list.rulesOff]), ...input.authorOff]);
  const keep: string[] = [];
  let nits = 0;
  let causing = 0;
  for (const point of points) {
    const dropped = dropPoint(point, input, off);
    if (dropped !== undefined) {
      if (point.reason !== undefined) why = dropped;
      continue;
    }
    if (point.nit && ++nits > home.nits.limit) continue;
    if (point.reason !== undefined) causing++;
    keep.push(point.fingerprint);
  }
  if (causing === 0) return silent(why);
  return { kind: 'kept', keep };
}

function dropPoint(point: Point, input: KeepInput, off: ReadonlySet<string>): SilenceReason | undefined {
  const { home, thread, history, author } = input;
  if (off.has(point.rule) || (point.nit && off.has('all'))) return 'rule-muted';
  const silenced = (mute: Mute): boolean =>
    (mute.scope === 'rule' && mute.key === point.rule) || (mute.scope === 'finding' && mute.key === point.fingerprint);
  if (history.mutes.some(silenced)) return 'rule-muted';
  if (point.reason !== undefined && home.worth !== undefined && !home.worth.includes(point.reason))
    return 'reason-filtered';
  if (history.spoken.some((said) => isSame(said, point, { posting: thread.posting, author }))) return 'said-before';
  const answers = thread.mails.filter(
    ({ mail }) => mail.kind !== 'patch' && mail.kind !== 'cover' && authorOf(mail) !== author,
  );
  return answers.some(({ mail }) => quotesAndRemarks(mail.text, point.quote, point.nit ? /\S/ : undefined))
    ? 'said-by-someone'
    : undefined;
}

/** Said on this posting or an earlier version, or to the same author anywhere; a nit may come again on other work of his. */
function isSame(said: Spoken, point: Point, on: { readonly posting: Posting; readonly author: string }): boolean {
  if (said.fingerprint !== point.fingerprint) return false;
  const { id, lineage, earlier } = on.posting;
  if ([id, lineage, ...earlier].includes(said.posting)) return true;
  return said.causing && said.author === on.author;
}

type CapInput = {
  readonly policy: PolicyState;
  readonly recent: readonly Recent[];
  readonly now: Instant;
  readonly lists: readonly ListPolicy[];
  readonly author: string;
  readonly live: boolean;
};

/** The day's caps end in silence, the hour's put the decision off until the oldest reply of the hour is an hour old. */
export function checkCaps({ policy, recent, now, lists, author, live }: CapInput): Silent | Later | undefined {
  if (policy.kind === 'none') return silent('no-policy');
  const all = recent.filter((sent) => sent.live === live && sent.at > now - hours(24));
  const counted = [
    ...lists.map((list) => ({ caps: list.caps, sent: all.filter((sent) => sent.lists.includes(list.listId)) })),
    { caps: policy.policy.caps, sent: all },
  ];
  let until: Instant | undefined;
  for (const { caps, sent } of counted) {
    if (sent.length >= caps.day) return silent('cap-day');
    if (sent.filter((one) => one.author === author).length >= caps.author) return silent('cap-author');
    const hour = sent.filter((one) => one.at > now - hours(1)).map((one) => one.at);
    hour.sort((a, b) => b - a);
    const oldest = hour[caps.hour - 1];
    if (hour.length >= caps.hour) until = Math.max(until ?? 0, (oldest ?? now) + hours(1));
  }
  return until === undefined ? undefined : { kind: 'later', until, why: 'cap-hour' };
}

function heldBy(home: ListPolicy, lists: readonly ListPolicy[], history: History): HeldReason | undefined {
  if (home.channel !== 'list' && home.channel !== 'author') return undefined;
  if (lists.some((list) => list.approval === 'all')) return 'approval';
  return lists.some((list) => (history.approved[list.listId] ?? 0) < firstReplies) ? 'first-twenty' : undefined;
}

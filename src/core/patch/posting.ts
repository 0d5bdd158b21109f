import type { PatchHead } from './head.js';

/** The mails of one posting while it is put together. */
export type Posting = {
  readonly author?: string;
  readonly authorName?: string;
  readonly branch?: string;
  version: number;
  total: number;
  isResend: boolean;
  isRfc: boolean;
  cover?: PatchHead;
  readonly members: Map<number, PatchHead>;
  /** Indexes in order of arrival. */
  readonly arrivals: number[];
  readonly ids: Set<string>;
  readonly parents: Set<string>;
  /** One of its mails answers another. */
  isThreaded: boolean;
  changeId?: string;
  firstDate: number;
  lastDate: number;
};

/** Postings by what a mail may be tied to them with. */
export type Postings = {
  readonly all: Posting[];
  readonly byId: Map<string, Posting>;
  readonly byParent: Map<string, Posting[]>;
  readonly byAuthor: Map<string, Posting[]>;
  readonly seenIds: Set<string>;
  readonly copies: Set<string>;
};

const minute = 60e3;
const hour = 60 * minute;
// One posting leaves a sender within minutes; providers that throttle stretch it over hours.
const untiedWindow = 2 * hour;
const tiedWindow = 72 * hour;
// Some mailers send the day of the commit as the day of the mail: who answers the same mail belongs together all the same.
const siblingWindow = 30 * 24 * hour;
const sameSitting = 15 * minute;
const mostLookedAt = 8;

/** Folds patch mails, in order of arrival, into postings: by thread where there is one, else by author, n/m and time. */
export function collectPostings(heads: readonly PatchHead[]): readonly Posting[] {
  const postings: Postings = {
    all: [],
    byId: new Map(),
    byParent: new Map(),
    byAuthor: new Map(),
    seenIds: new Set(),
    copies: new Set(),
  };
  for (const head of heads) {
    if (isCopy(postings, head)) continue;
    const home = findPosting(postings, head);
    if (home === 'repeat') continue;
    const posting = home ?? openPosting(postings, head);
    join(postings, posting, head);
  }
  return postings.all;
}

/** The same mail through several lists: the same message-id, or another id over the same author, second and subject. */
function isCopy(postings: Postings, head: PatchHead): boolean {
  if (postings.seenIds.has(head.id)) return true;
  postings.seenIds.add(head.id);
  if (head.date === undefined || head.author === undefined) return false;
  const key = JSON.stringify([head.author, head.date, head.title, head.version, head.index, head.branch, head.paths]);
  if (postings.copies.has(key)) return true;
  postings.copies.add(key);
  return false;
}

function findPosting(postings: Postings, head: PatchHead): Posting | 'repeat' | undefined {
  if (head.index === undefined || head.total === undefined) return undefined;
  for (const posting of tiedTo(postings, head)) {
    const fit = fitOf(posting, head, tiedWindow);
    if (fit === 'yes') return posting;
    if (fit === 'repeat') return 'repeat';
  }
  for (const posting of newestFirst(postings.byAuthor.get(authorKey(head)))) {
    if (isStrange(postings, posting, head) && !isOrphaned(posting, head)) continue;
    if (fitOf(posting, head, untiedWindow) === 'yes') return posting;
  }
  return undefined;
}

/** Postings that share a thread with the mail: it answers one, is answered by one, or both answer the same mail. */
function* tiedTo(postings: Postings, head: PatchHead): Iterable<Posting> {
  const given = new Set<Posting>();
  for (const posting of newestFirst(postings.byParent.get(head.id))) {
    if (!given.has(posting)) yield posting;
    given.add(posting);
  }
  for (const parent of head.parents) {
    const known = postings.byId.get(parent);
    for (const posting of [...(known === undefined ? [] : [known]), ...newestFirst(postings.byParent.get(parent))]) {
      if (!given.has(posting)) yield posting;
      given.add(posting);
    }
  }
}

function fitOf(posting: Posting, head: PatchHead, window: number): 'yes' | 'repeat' | 'no' {
  const gap = gapOf(posting, head);
  const inOneSitting = gap <= sameSitting;
  if (head.index === undefined || (head.total !== posting.total && !(inOneSitting && isMiscounted(posting, head)))) {
    return 'no';
  }
  if (posting.author !== head.author && !(window === tiedWindow && inOneSitting)) return 'no';
  if (gap > (window === tiedWindow && isSibling(posting, head) ? siblingWindow : window)) return 'no';
  if (posting.branch !== head.branch) return 'no';
  // A cover that says v3 over patches that say nothing, or patches that count their own versions: one posting if sent
  // together in one thread.
  if (posting.version !== head.version && !(window === tiedWindow && inOneSitting)) return 'no';
  if (posting.isResend !== head.isResend && !inOneSitting) return 'no';
  const taken = head.index === 0 ? posting.cover : posting.members.get(head.index);
  if (taken === undefined) return 'yes';
  // Under the same number stands the same patch, or another work in the same thread that is counted alike.
  const isSame = isSameWork(taken, head) && posting.version === head.version && !head.isResend;
  return window === tiedWindow && isSame ? 'repeat' : 'no';
}

/** The same title, or the same author's patch of the same files under a title that was put right. */
function isSameWork(a: PatchHead, b: PatchHead): boolean {
  if (a.title === b.title) return true;
  return a.author === b.author && a.paths.length > 0 && a.paths.join(' ') === b.paths.join(' ');
}

/** The cover letter names another count than the patches below it: theirs is the true one. */
function isMiscounted(posting: Posting, head: PatchHead): boolean {
  // A patch for a program that is posted under the cover letter of a kernel series is counted apart.
  if (posting.version !== head.version || Math.abs(posting.total - (head.total ?? 1)) > 2) return false;
  if (head.index === 0) return posting.cover === undefined && posting.parents.has(head.id);
  return posting.cover !== undefined && posting.members.size === 0 && head.parents[0] === posting.cover.id;
}

/** Answers the cover letter, or what every patch of the posting answers, or is what they answer. */
function isSibling(posting: Posting, head: PatchHead): boolean {
  const above = head.index === 0 ? head.id : head.parents[0];
  if (above === undefined) return false;
  const isBelow = [...posting.members.values()].every(({ parents }) => parents[0] === above);
  return posting.cover === undefined ? isBelow : isBelow && posting.cover.id === above;
}

/** Without a thread in common: not where either hangs in a thread of its own that the other is not in. */
function isStrange(postings: Postings, posting: Posting, head: PatchHead): boolean {
  const hasUnknownParent = head.parents.some((parent) => !postings.byId.has(parent));
  return hasUnknownParent && (posting.isThreaded || posting.cover !== undefined);
}

/** The cover is alone and the mail's own parent unknown: a mail server gave the cover another message-id on its way. */
function isOrphaned(posting: Posting, head: PatchHead): boolean {
  return posting.cover !== undefined && posting.members.size === 0 && gapOf(posting, head) <= sameSitting;
}

function gapOf(posting: Posting, head: PatchHead): number {
  const date = timeOf(head);
  if (date === undefined || !Number.isFinite(posting.firstDate)) return 0;
  if (date < posting.firstDate) return posting.firstDate - date;
  return Math.max(0, date - posting.lastDate);
}

function openPosting(postings: Postings, head: PatchHead): Posting {
  const posting: Posting = {
    ...(head.author === undefined ? {} : { author: head.author }),
    ...(head.authorName === undefined ? {} : { authorName: head.authorName }),
    ...(head.branch === undefined ? {} : { branch: head.branch }),
    version: head.version,
    total: head.total ?? 1,
    isResend: head.isResend,
    isRfc: head.isRfc,
    members: new Map(),
    arrivals: [],
    ids: new Set(),
    parents: new Set(),
    isThreaded: false,
    firstDate: Number.POSITIVE_INFINITY,
    lastDate: Number.NEGATIVE_INFINITY,
  };
  postings.all.push(posting);
  addTo(postings.byAuthor, authorKey(head), posting);
  return posting;
}

function join(postings: Postings, posting: Posting, head: PatchHead): void {
  const index = head.index ?? 1;
  if (index === 0) posting.cover = head;
  else posting.members.set(index, head);
  if (index > 0) posting.total = head.total ?? 1;
  posting.arrivals.push(index);
  posting.isThreaded ||= posting.parents.has(head.id) || head.parents.some((parent) => posting.ids.has(parent));
  posting.ids.add(head.id);
  const said = posting.cover?.version ?? 1;
  posting.version = said > 1 ? said : Math.max(posting.version, head.version);
  posting.isResend ||= head.isResend;
  posting.isRfc ||= head.isRfc;
  if (head.changeId !== undefined && (posting.changeId === undefined || index === 0)) posting.changeId = head.changeId;
  const date = timeOf(head);
  if (date !== undefined) {
    posting.firstDate = Math.min(posting.firstDate, date);
    posting.lastDate = Math.max(posting.lastDate, date);
  }
  postings.byId.set(head.id, posting);
  for (const parent of head.parents) {
    if (posting.parents.has(parent)) continue;
    posting.parents.add(parent);
    addTo(postings.byParent, parent, posting);
  }
}

/** Milliseconds since 1970 of the mail's Date. */
export function timeOf(head: PatchHead): number | undefined {
  const time = head.date === undefined ? Number.NaN : Date.parse(head.date);
  return Number.isFinite(time) ? time : undefined;
}

function authorKey(head: PatchHead): string {
  return JSON.stringify([head.author ?? '', head.total ?? 1]);
}

/** Appends to the list under a key. */
export function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The newest few of a list, the newest first: what is older is another posting. */
export function newestFirst<T>(list: readonly T[] | undefined): readonly T[] {
  return list === undefined ? [] : list.slice(-mostLookedAt).toReversed();
}

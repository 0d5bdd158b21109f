import { addTo, newestFirst, type Posting } from './posting.js';
import type { ReplaceEvidence } from './series.js';

/** The earlier posting that one takes the place of, and how we know. */
export type Replacement = {
  readonly earlier: Posting;
  readonly evidence: ReplaceEvidence;
  readonly isPartial: boolean;
};

type Index = {
  readonly byId: Map<string, Posting>;
  readonly byChangeId: Map<string, Posting[]>;
  readonly byTitle: Map<string, Posting[]>;
  /** In order of arrival, whatever their dates say. */
  readonly order: ReadonlyMap<Posting, number>;
};

const hour = 3600e3;
// A sender's clock that was put right between two versions.
const clockError = 7 * 24 * hour;
// After a year the same title is another piece of work.
const longestPause = 400 * 24 * hour;
const mostTitles = 40;

/** Finds, for every posting, the one that it replaces: the highest lower version that something ties to it. */
export function findReplacements(postings: readonly Posting[]): Map<Posting, Replacement> {
  const order = new Map(postings.map((posting, at) => [posting, at]));
  const index: Index = { byId: new Map(), byChangeId: new Map(), byTitle: new Map(), order };
  for (const posting of postings) addToIndex(index, posting);
  const found = new Map<Posting, Replacement>();
  for (const posting of postings) {
    const replacement = findOne(index, found, posting);
    if (replacement !== undefined) found.set(posting, replacement);
  }
  return found;
}

/** The subject of the cover letter, else of the lowest patch seen. */
export function titleOf(posting: Posting): string {
  return posting.cover?.title ?? lowestMember(posting)?.title ?? '';
}

/** The member with the lowest index, if any has come. */
export function lowestMember(posting: Posting) {
  const lowest = Math.min(...posting.members.keys());
  return posting.members.get(lowest);
}

function addToIndex(index: Index, posting: Posting): void {
  for (const id of posting.ids) index.byId.set(id, posting);
  if (posting.changeId !== undefined) addTo(index.byChangeId, posting.changeId, posting);
  for (const title of titlesOf(posting)) addTo(index.byTitle, title, posting);
}

function findOne(index: Index, found: ReadonlyMap<Posting, Replacement>, posting: Posting): Replacement | undefined {
  const ties = new Map<Posting, ReplaceEvidence>();
  const tie = (earlier: Posting, evidence: ReplaceEvidence): void => {
    if (earlier !== posting && !ties.has(earlier) && isEarlierVersion(index, earlier, posting))
      ties.set(earlier, evidence);
  };
  if (posting.changeId !== undefined) {
    for (const earlier of newestFirst(index.byChangeId.get(posting.changeId))) tie(earlier, 'change-id');
  }
  for (const parent of posting.parents) {
    const earlier = index.byId.get(parent);
    if (earlier !== undefined && (isSameAuthor(earlier, posting) || sharesTitle(earlier, posting))) {
      tie(earlier, 'in-reply-to');
    }
  }
  for (const earlier of namesakes(index, posting)) if (isSameAuthor(earlier, posting)) tie(earlier, 'author-title');
  if (ties.size === 0) for (const earlier of namesakes(index, posting)) tie(earlier, 'title');
  const best = [...ties.keys()].sort((a, b) => rank(posting, b) - rank(posting, a) || newer(a, b))[0];
  const tied = best === undefined ? undefined : ties.get(best);
  if (best === undefined || tied === undefined) return undefined;
  const latest = latestOf(found, best, posting);
  if (latest !== best) {
    return { earlier: latest, evidence: tied, isPartial: !isPartOf(posting, latest) || posting.total < latest.total };
  }
  // What v6 replaces is v5, not the one patch that was sent again as v5.1.
  const reroll = found.get(best);
  const earlier = reroll?.isPartial ? reroll.earlier : best;
  const isAgain = earlier.version === posting.version && earlier.isRfc === posting.isRfc;
  const evidence = isAgain ? 'resend' : (ties.get(earlier) ?? tied);
  return { earlier, evidence, isPartial: isPartialReroll(earlier, posting) };
}

/**
 * A posting that says no version may be cut out of a later one: after v3 the same patches without a number are no v1 sent again.
 * Gives the newest version that had come before it.
 */
function latestOf(found: ReadonlyMap<Posting, Replacement>, best: Posting, posting: Posting): Posting {
  if (best.version !== posting.version || posting.version !== 1) return best;
  const line = new Set([best]);
  let latest = best;
  // In order of arrival: each version comes after the one that it replaces.
  for (const [next, { earlier, isPartial }] of found) {
    if (!line.has(earlier) || isPartial || next.firstDate > posting.firstDate) continue;
    line.add(next);
    if (next.version > latest.version) latest = next;
  }
  return latest;
}

/** Higher is nearer: an RFC of any version comes before the first patch, then versions count. */
function rank(posting: Posting, earlier: Posting): number {
  return earlier.version + (earlier.isRfc === posting.isRfc ? 1e6 : 0);
}

/** The later one first; of two that were sent together the whole before a patch that found its number taken. */
function newer(a: Posting, b: Posting): number {
  const pause = b.firstDate - a.firstDate;
  return Math.abs(pause) > hour ? pause : b.members.size - a.members.size || pause;
}

function* namesakes(index: Index, posting: Posting): Iterable<Posting> {
  for (const title of titlesOf(posting)) yield* newestFirst(index.byTitle.get(title));
}

/** A lower version; the RFC before the patch; or the same version sent again, which must be the same patches. */
function isEarlierVersion({ order }: Index, earlier: Posting, posting: Posting): boolean {
  // Batches of AUTOSEL are made anew for each release; none takes the place of another.
  if (earlier.branch !== posting.branch || /^autosel/i.test(posting.branch ?? '')) return false;
  const pause = posting.firstDate - earlier.firstDate;
  const came = (order.get(posting) ?? 0) - (order.get(earlier) ?? 0);
  const back = came > 0 && earlier.version < posting.version ? clockError : hour;
  if (!(pause >= -back) || pause > longestPause) return false;
  if (earlier.isRfc && !posting.isRfc) return pause > 0;
  if (posting.isRfc && !earlier.isRfc && (pause <= 0 || earlier.version >= posting.version)) return false;
  if (earlier.version !== posting.version) return earlier.version < posting.version;
  return pause > 0 && isSameAuthor(earlier, posting) && isSameWork(earlier, posting);
}

function isSameWork(earlier: Posting, posting: Posting): boolean {
  const before = new Set([...earlier.members.values()].map((member) => normalTitle(member.title)));
  const after = [...posting.members.values()].map((member) => normalTitle(member.title));
  const common = after.filter((title) => before.has(title)).length;
  if (before.size === 0 || after.length === 0) return posting.isResend && sharesTitle(earlier, posting);
  // Some of the patches may be sent again, if it says so; else it must be most of them.
  if (posting.isResend) return common * 2 >= Math.max(1, Math.min(after.length, before.size));
  return common * 2 > Math.max(after.length, before.size);
}

/** Only some patches of a posting sent again: v5.1 10/12, or v2 of one patch in its own thread. */
function isPartialReroll(earlier: Posting, posting: Posting): boolean {
  if (!Number.isInteger(posting.version)) return true;
  // With a cover letter it is the whole work, however little is left of it.
  if (posting.total === 1) return earlier.total > 1 && posting.cover === undefined;
  // Two patches of six under titles they had there: the other four may have been taken, and were not taken back.
  if (posting.cover === undefined && posting.total * 2 < earlier.total) return isPartOf(earlier, posting);
  if (posting.total !== earlier.total || posting.cover !== undefined || posting.members.size === posting.total)
    return false;
  return [...posting.members].every(([index, member]) => {
    const answered = earlier.members.get(index)?.id;
    return answered !== undefined && member.parents[0] === answered;
  });
}

function isPartOf(earlier: Posting, posting: Posting): boolean {
  const titles = new Set([...earlier.members.values()].map(({ title }) => normalTitle(title)));
  return [...posting.members.values()].every(({ title }) => titles.has(normalTitle(title)));
}

function isSameAuthor(a: Posting, b: Posting): boolean {
  if (a.author !== undefined && a.author === b.author) return true;
  // People change employers between versions; a full name is who they are, one word is not.
  return a.authorName !== undefined && a.authorName === b.authorName && a.authorName.includes(' ');
}

function sharesTitle(a: Posting, b: Posting): boolean {
  const titles = new Set(titlesOf(a));
  return titlesOf(b).some((title) => titles.has(title));
}

function titlesOf(posting: Posting): string[] {
  const titles = new Set<string>();
  if (posting.cover !== undefined) titles.add(normalTitle(posting.cover.title));
  for (const member of posting.members.values()) {
    if (titles.size >= mostTitles) break;
    titles.add(normalTitle(member.title));
  }
  titles.delete('');
  return [...titles];
}

/** A title as it is compared: small letters, blanks and full stops as one blank. */
export function normalTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim();
}

import type { PatchHead } from './head.js';
import { collectPostings, type Posting } from './posting.js';
import { findReplacements, lowestMember, normalTitle, titleOf, type Replacement } from './replaces.js';
import type { Series } from './series.js';

/**
 * Assembles the series that have been posted, from patch mails in order of arrival. It is a fold over what has arrived: a
 * prefix of the mails gives what was known then.
 */
export function assembleSeries(heads: readonly PatchHead[]): Series[] {
  const postings = collectPostings(heads);
  const replacements = findReplacements(postings);
  const fates = findFates(replacements);
  return postings.map((posting) => finish(posting, replacements.get(posting), fates));
}

type Fates = {
  readonly newer: ReadonlyMap<Posting, Posting>;
  /** By posting, the message-ids of its members that were sent again, with who did. */
  readonly resent: ReadonlyMap<Posting, ReadonlyMap<string, Posting>>;
};

/** Who replaced whom: a whole new version ends an older one and what was sent again of it; a part ends only what it sends. */
function findFates(replacements: ReadonlyMap<Posting, Replacement>): Fates {
  const newer = new Map<Posting, Posting>();
  const partial: [Posting, Posting][] = [];
  for (const [posting, { earlier, isPartial }] of replacements) {
    if (isPartial) partial.push([posting, earlier]);
    else if ((newer.get(earlier)?.version ?? 0) <= posting.version) newer.set(earlier, posting);
  }
  const resent = new Map<Posting, Map<string, Posting>>();
  for (const [posting, earlier] of partial) {
    const whole = newer.get(earlier);
    if (whole !== undefined && replacements.get(whole)?.isPartial !== true) {
      if (!newer.has(posting) && whole !== posting) newer.set(posting, whole);
      continue;
    }
    const again = sentAgain(earlier, posting);
    const known = resent.get(earlier) ?? new Map<string, Posting>();
    resent.set(earlier, known);
    for (const id of again) {
      const before = known.get(id);
      if (before !== undefined && before.members.size === 1 && !newer.has(before)) newer.set(before, posting);
      known.set(id, posting);
    }
    // Where nobody can tell which patches are meant, or none is left, it stands for all of them.
    if (again.length === 0 || known.size >= earlier.total) newer.set(earlier, posting);
  }
  return { newer, resent };
}

/** Message-ids of the members that a posting of some patches sends again: by what it answers, by title or by number. */
function sentAgain(earlier: Posting, posting: Posting): string[] {
  const again = new Set<string>();
  for (const [index, { title, parents }] of posting.members) {
    for (const [at, member] of earlier.members) {
      const isSame = parents[0] === member.id || normalTitle(title) === normalTitle(member.title);
      if (isSame || (posting.total === earlier.total && at === index)) again.add(member.id);
    }
  }
  return [...again];
}

function finish(posting: Posting, replacement: Replacement | undefined, fates: Fates): Series {
  const newer = fates.newer.get(posting);
  const resent = [...(fates.resent.get(posting) ?? [])].map(([id, by]) => ({ id, by: idOf(by) }));
  const members = [...posting.members].sort(([a], [b]) => a - b).map(([index, head]) => ({ index, id: head.id }));
  const seen = members.map((member) => member.index);
  return {
    id: idOf(posting),
    title: titleOf(posting),
    version: posting.version,
    total: posting.total,
    resend: posting.isResend,
    ...(posting.cover === undefined ? {} : { cover: posting.cover.id }),
    members,
    seen,
    complete: seen.filter((index) => index >= 1 && index <= posting.total).length === posting.total,
    outOfOrder: posting.arrivals.some((index, at) => at > 0 && index < (posting.arrivals[at - 1] ?? 0)),
    ...(posting.author === undefined ? {} : { author: posting.author }),
    ...(posting.changeId === undefined ? {} : { changeId: posting.changeId }),
    ...(replacement === undefined
      ? {}
      : { replaces: { id: idOf(replacement.earlier), evidence: replacement.evidence } }),
    ...(replacement?.isPartial ? { partial: true as const } : {}),
    ...(newer === undefined ? {} : { supersededBy: idOf(newer) }),
    ...(newer !== undefined || resent.length === 0 ? {} : { resent }),
  };
}

function idOf(posting: Posting): string {
  return posting.cover?.id ?? lowestMember(posting)?.id ?? '';
}

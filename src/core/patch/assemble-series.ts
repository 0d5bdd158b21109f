import type { PatchHead } from './head.js';
import { collectPostings, type Posting } from './posting.js';
import { findReplacements, lowestMember, titleOf, type Replacement } from './replaces.js';
import type { Series } from './series.js';

/**
 * Assembles the series that have been posted, from patch mails in order of arrival. It is a fold over what has arrived: a
 * prefix of the mails gives what was known then.
 */
export function assembleSeries(heads: readonly PatchHead[]): Series[] {
  const postings = collectPostings(heads);
  const replacements = findReplacements(postings);
  const newer = invert(replacements);
  return postings.map((posting) => finish(posting, replacements.get(posting), newer.get(posting)));
}

/** Who replaced whom; a whole new version counts before a patch sent again, and ends that one too. */
function invert(replacements: ReadonlyMap<Posting, Replacement>): Map<Posting, Posting> {
  const newer = new Map<Posting, Posting>();
  const partial: [Posting, Posting][] = [];
  for (const [posting, { earlier, isPartial }] of replacements) {
    if (isPartial) partial.push([posting, earlier]);
    else if ((newer.get(earlier)?.version ?? 0) <= posting.version) newer.set(earlier, posting);
  }
  for (const [posting, earlier] of partial) {
    const whole = newer.get(earlier);
    if (whole === undefined || replacements.get(whole)?.isPartial) newer.set(earlier, posting);
    else if (!newer.has(posting) && whole !== posting) newer.set(posting, whole);
  }
  return newer;
}

function finish(posting: Posting, replacement: Replacement | undefined, newer: Posting | undefined): Series {
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
  };
}

function idOf(posting: Posting): string {
  return posting.cover?.id ?? lowestMember(posting)?.id ?? '';
}

import { assembleSeries, type Series } from '../patch/index.js';
import type { Arrived, Posting, PostedThread, ThreadMail } from './thread-mail.js';

const day = 86_400_000;
// A References field can name hundreds of mails; the first and the last of them are enough to meet.
const mostIds = 24;

/**
 * The names under which a mail can be found again: its own id and those it answers; title and change-id of what it posts, over
 * all versions; author, count and day, for series whose mails do not name each other.
 */
export function linksOf(mail: ThreadMail): string[] {
  const named = [...mail.inReplyTo, ...mail.references.slice(0, 4), ...mail.references.slice(-mostIds)];
  const links = new Set([...(mail.id === undefined ? [] : [mail.id]), ...named].map((id) => `id:${id}`));
  const { head } = mail;
  if (head !== undefined) {
    links.add(`title:${head.title.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, 200)}`);
    if (head.changeId !== undefined) links.add(`change:${head.changeId}`);
    const date = head.date === undefined ? undefined : Math.floor(Date.parse(head.date) / day);
    if (head.total !== undefined && date !== undefined) {
      for (const at of [date - 1, date]) links.add(`set:${head.author ?? ''}|${head.version}/${head.total}|${at}`);
    }
  }
  return [...links];
}

/**
 * The posting that a mail belongs to, assembled from every mail that had come, in order of arrival. Where only some patches were
 * sent again, these and the rest of the older posting are judged apart: the rest is still what its author wants.
 */
export function postingOf(mails: readonly Arrived[], id: string): Posting | undefined {
  const all = assembleSeries(mails.flatMap(({ mail }) => (mail.head === undefined ? [] : [mail.head])));
  const own = all.find((series) => series.cover === id || series.members.some((member) => member.id === id));
  if (own === undefined) return undefined;
  const earlier = earlierOf(own, all);
  const members = own.members.map((member) => member.id);
  const again = new Map((own.resent ?? []).map((one) => [one.id, one.by]));
  const isAgain = again.has(id);
  const isRest = again.size > 0 && !isAgain;
  const supersededBy = own.supersededBy ?? again.get(id);
  return {
    id: own.id,
    version: own.version,
    total: own.total,
    complete: own.complete,
    ...(own.cover === undefined || isAgain ? {} : { cover: own.cover }),
    members: isRest ? members.filter((one) => !again.has(one)) : isAgain ? [...again.keys()] : members,
    earlier,
    lineage: earlier.at(-1) ?? own.id,
    ...(supersededBy === undefined ? {} : { supersededBy }),
  };
}

function earlierOf(series: Series, all: readonly Series[]): string[] {
  const found: string[] = [];
  let here: Series | undefined = series;
  while (here?.replaces !== undefined && !found.includes(here.replaces.id) && found.length < 100) {
    const { id }: { id: string } = here.replaces;
    found.push(id);
    here = all.find((other) => other.id === id);
  }
  return found;
}

/** A posting's own mails and everything that answers them, however deep; talk about other versions is not in it. */
export function threadOf(posting: Posting, mails: readonly Arrived[]): PostedThread {
  const ids = new Set([posting.id, ...(posting.cover === undefined ? [] : [posting.cover]), ...posting.members]);
  const own = new Set(ids);
  for (let grown = true; grown;) {
    grown = false;
    for (const { mail } of mails) {
      if (mail.id === undefined || ids.has(mail.id) || isOtherPosting(mail, own)) continue;
      if (![...mail.inReplyTo, ...mail.references].some((id) => ids.has(id))) continue;
      ids.add(mail.id);
      grown = true;
    }
  }
  return { posting, mails: mails.filter(({ mail }) => mail.id !== undefined && ids.has(mail.id)) };
}

/** A new version sent as an answer opens a thread of its own. */
function isOtherPosting(mail: ThreadMail, own: ReadonlySet<string>): boolean {
  return mail.head !== undefined && mail.id !== undefined && !own.has(mail.id);
}

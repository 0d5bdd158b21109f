import type { Message } from '../mail/index.js';
import { changeIdLine, findMark } from './parse-patches.js';
import type { Patch } from './patch.js';
import { parseSubject } from './subject.js';

/** What a series is assembled from: a few words of one posted patch or cover letter, small enough to keep for years. */
export type PatchHead = {
  /** Message-id with its angle brackets. */
  readonly id: string;
  /** The mail's Date, ISO 8601 in UTC. */
  readonly date?: string;
  readonly title: string;
  readonly version: number;
  readonly index?: number;
  readonly total?: number;
  readonly isResend: boolean;
  readonly isRfc: boolean;
  /** The kernel branch of a backport, as its tags name it: `AUTOSEL 5.0`, `4.19`. The same patch for another is another. */
  readonly branch?: string;
  /** Address of the mail's From in lower case, the same for all mails of a posting; and its display name. */
  readonly author?: string;
  readonly authorName?: string;
  /** In-Reply-To, then References from the newest to the oldest, without repeats. */
  readonly parents: readonly string[];
  readonly changeId?: string;
  readonly hasDiff: boolean;
  readonly paths: readonly string[];
};

const mostParents = 24;
const mostPaths = 32;
const coverTail = 400;

/** The head of a mail that belongs to a posting; undefined for replies, talk, and mails that cannot be named. */
export function headOf(message: Message, patches: readonly Patch[]): PatchHead | undefined {
  if (message.id === undefined) return undefined;
  const mail = parseSubject(message.subject);
  const first = patches[0];
  // A reply posts a patch only where the patch brings a subject of its own: the next version, sent as an answer.
  const bringsSubject = first !== undefined && (first.title !== mail.title || first.version !== mail.version);
  const brought = first !== undefined && bringsSubject && !mail.isPatch ? first : undefined;
  const answered = first !== undefined && bringsSubject && mail.isReply ? first : undefined;
  if (mail.isReply && answered === undefined) return undefined;
  if (first === undefined && (!mail.isPatch || mail.index === undefined)) return undefined;
  const own = answered ?? brought;
  const { title, version, index, total } = own ?? mail;
  const tags = own === undefined ? [] : own.tags;
  const branch = [...mail.tags, ...tags]
    .filter((tag) => /^(?:autosel|stable|v?\d{1,2}\.\d{1,3}(?:[.\-]\w+)?)$/i.test(tag))
    .join(' ');
  const changeId = first?.changeId ?? findChangeId(message.text);
  const address = message.from?.address.toLowerCase();
  const name = message.from?.name;
  return {
    id: message.id,
    ...(message.date === undefined ? {} : { date: message.date }),
    title,
    version,
    ...(index === undefined || total === undefined ? {} : { index, total }),
    isResend: mail.isResend || tags.some((tag) => /^(?:resend|repost)$/i.test(tag)),
    isRfc: mail.isRfc || tags.some((tag) => /^rfc$/i.test(tag)),
    ...(branch === '' ? {} : { branch }),
    ...(address === undefined || address === '' ? {} : { author: address }),
    ...(name === undefined || name === '' ? {} : { authorName: name }),
    parents: [...new Set([...message.inReplyTo, ...message.references.toReversed()])].slice(0, mostParents),
    ...(changeId === undefined ? {} : { changeId }),
    hasDiff: first !== undefined,
    paths: [...new Set(patches.flatMap((patch) => patch.files.map((file) => file.path)))].slice(0, mostPaths),
  };
}

/** b4 puts change-id at the end of a cover letter. */
function findChangeId(text: string): string | undefined {
  return findMark(changeIdLine, [text.split('\n').slice(-coverTail)]);
}

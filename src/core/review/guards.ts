import type { Policy } from './policy.js';
import type { SilenceReason } from './silence.js';
import type { Arrived, ThreadMail } from './thread-mail.js';

/** Why a mail is never answered, whatever is in it: ours, a robot's, or not meant for tools. Undefined for a patch of a person. */
export function guardMail(
  mail: ThreadMail,
  policy: Policy,
  ownIds: ReadonlySet<string> = new Set(),
): SilenceReason | undefined {
  const self = new Set([policy.self.address, ...policy.aliases].map((address) => address.toLowerCase()));
  const senders = [mail.from ?? '', ...mail.authors].map(withoutTag);
  if (senders.some((sender) => self.has(sender)) || (mail.id !== undefined && ownIds.has(mail.id))) return 'own-mail';
  if (isBounce(mail)) return 'bounce';
  if (mail.headers.autoSubmitted !== undefined && !/^no\b/i.test(mail.headers.autoSubmitted.trim()))
    return 'auto-reply';
  const byKind = guardKind(mail);
  if (byKind !== undefined) return byKind;
  if (mail.id === undefined) return 'no-message-id';
  if (/^\s*ignore\b/i.test(mail.headers.patchworkHint ?? '')) return 'patchwork-ignore';
  return undefined;
}

/** Lists' `Precedence: bulk` is no sign of a robot: every list mail carries it. */
function isBounce(mail: ThreadMail): boolean {
  if (mail.headers.returnPath?.trim() === '<>') return true;
  return /^(?:mailer-daemon|postmaster|double-bounce|listserv|majordomo)@/i.test(mail.from ?? '');
}

function guardKind(mail: ThreadMail): SilenceReason | undefined {
  switch (mail.kind) {
    case 'patch':
    case 'cover':
      return /\bAUTOSEL\b/.test(mail.subject) ? 'stable' : undefined;
    case 'reply':
    case 'other':
      return 'not-a-patch';
    case 'counter-patch':
    case 'pull-request':
    case 'bot':
    case 'stable':
    case 'notification':
      return mail.kind;
    default:
      mail.kind satisfies never;
      return 'not-a-patch';
  }
}

/** `bot+tag@example.org` is `bot@example.org` as far as knowing ourselves goes. */
function withoutTag(address: string): string {
  return address.toLowerCase().replace(/\+[^@+]{0,200}@/, '@');
}

/** True when the policy, or the list, wants nobody to answer this sender; a whole domain is written `@example.org`. */
export function isIgnored(mail: ThreadMail, ignore: readonly string[]): boolean {
  const senders = [mail.from ?? '', ...mail.authors].map((address) => address.toLowerCase());
  return ignore.some((entry) => {
    const wanted = entry.toLowerCase();
    return senders.some((sender) => sender === wanted || (wanted.startsWith('@') && sender.endsWith(wanted)));
  });
}

/** The lists of the policy through which a mail really came: by exact List-Id, never by address or part of a name. */
export function namedLists(arrived: Arrived, policy: Policy): Policy['lists'] {
  return policy.lists.filter((list) => arrived.lists.includes(list.listId));
}

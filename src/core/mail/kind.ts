import type { MailKind, Message } from './message.js';
import { robotOf } from './robots.js';
import { isForwardSubject, isReplySubject } from './subject.js';

/** What is known of a mail's patches when its kind is asked for; `patch/` finds it out. */
export type KindFacts = {
  /** The text holds an unquoted diff. */
  readonly hasDiff: boolean;
  /** The subject's brackets say that this is a patch: `PATCH`, or `RFC`/`vN` with n/m. */
  readonly tagged: boolean;
  readonly index?: number;
  readonly total?: number;
};

export type MailKindWithReason = { readonly kind: MailKind; readonly reason: string };

/** What sort of mail this is, by form alone, and why: machines first, then answers, then what the mail carries. */
export function kindOf(message: Message, facts: KindFacts): MailKindWithReason {
  const robot = robotOf(message);
  if (robot !== undefined) return robot;
  if (isReplySubject(message.subject)) {
    return facts.hasDiff
      ? { kind: 'counter-patch', reason: 'an answer with an unquoted diff' }
      : { kind: 'reply', reason: 'the subject says that it answers' };
  }
  const pull = pullRequest(message);
  if (pull !== undefined && !facts.hasDiff) return { kind: 'pull-request', reason: pull };
  if (facts.index === 0)
    return facts.hasDiff && facts.total === 0
      ? { kind: 'patch', reason: 'a diff' }
      : { kind: 'cover', reason: `number 0 of ${facts.total ?? 'a series'}` };
  if (facts.tagged && facts.hasDiff) return { kind: 'patch', reason: 'says that it is a patch and carries a diff' };
  const answers = message.inReplyTo.length + message.references.length > 0;
  if (facts.hasDiff) return untagged(message, answers);
  if (facts.tagged) return { kind: 'other', reason: 'says that it is a patch but carries no diff that can be read' };
  if (answers) return { kind: 'reply', reason: 'In-Reply-To and no diff' };
  return { kind: 'other', reason: isForwardSubject(message.subject) ? 'a forwarded mail' : 'neither patch nor answer' };
}

function untagged(message: Message, answers: boolean): MailKindWithReason {
  if (/^\s*>/m.test(message.text) && answers)
    return { kind: 'counter-patch', reason: 'an answer with a quote and an unquoted diff' };
  return { kind: 'patch', reason: 'a diff, though the subject does not say PATCH' };
}

function pullRequest(message: Message): string | undefined {
  if (/^\s*(?:\[[^\]]*\]\s*)?\[?(?:GIT[ -])?PULL\b/i.test(message.subject)) return 'the subject asks to pull';
  if (/\[[^\]]*\bPULL\b[^\]]*\]/i.test(message.subject.slice(0, 200))) return 'the subject asks to pull';
  return /^(?:are )?available in the (?:git )?repository at:/im.test(message.text)
    ? 'names a repository to pull from'
    : undefined;
}

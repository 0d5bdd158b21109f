import { answerTo, type Address } from '../mail/index.js';
import { deriveMessageId, type Review } from '../review/index.js';
import { composeBody } from './body.js';
import type { Reply } from './reply.js';

/** Who we are and whom the policy lets us write to. */
export type ReplyOptions = {
  readonly from: Address;
  /** A person who reads mail about the bot; stands in the signature. */
  readonly operator: string;
  /** Posting addresses of lists that opted in. */
  readonly lists: readonly string[];
  /** Our own addresses: never written to. */
  readonly own: readonly string[];
  /** Instance secret for Message-IDs; only its owner can predict them. */
  readonly secret: string;
  readonly domain: string;
};

/** The reply to a review, or nothing where the review deserves none or the mail cannot be answered. */
export function renderReply(review: Review, options: ReplyOptions): Reply | undefined {
  const parent = review.message.id;
  if (!review.decision.worth || parent === undefined) return undefined;
  const recipients = answerTo(review.message, {
    author: review.patches[0]?.author,
    lists: options.lists,
    own: options.own,
  });
  if (recipients.to.length === 0) return undefined;
  const rules = review.findings.filter((f) => f.state === 'sent').map((f) => f.rule);
  return {
    from: options.from,
    to: recipients.to,
    cc: recipients.cc,
    dropped: recipients.dropped,
    subject: replySubject(review.message.subject),
    inReplyTo: parent,
    references: [...review.message.references.filter((r) => r !== parent), parent],
    messageId: deriveMessageId(options.secret, parent, 'reply', options.domain),
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Reveille-Kind': 'reply',
      'X-Reveille-Reasons': review.decision.reasons.join(' '),
      ...(rules.length === 0 ? {} : { 'X-Reveille-Rules': [...new Set(rules)].join(' ') }),
    },
    body: composeBody(review, options.operator),
  };
}

/** Always `Re:`, so that no Patchwork takes the answer for a patch (facts F14). */
function replySubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

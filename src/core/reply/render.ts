import { answerTo, type Address } from '../mail/index.js';
import { deriveMessageId, type Review } from '../review/index.js';
import { composeBody, composeSeriesBody } from './body.js';
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
  if (!review.decision.worth) return undefined;
  return replyTo(review, [review], composeBody(review, options.operator), options);
}

/**
 * The one reply to a series in which several patches deserve one: it answers `place`, the cover letter where there is one, and says
 * of each patch what there is to say.
 */
export function renderSeriesReply(place: Review, reviews: readonly Review[], options: ReplyOptions): Reply | undefined {
  const worthy = reviews.filter((review) => review.decision.worth);
  if (worthy.length === 0) return undefined;
  return replyTo(place, worthy, composeSeriesBody(worthy, options.operator), options);
}

function replyTo(place: Review, reviews: readonly Review[], body: string, options: ReplyOptions): Reply | undefined {
  const { message } = place;
  const parent = message.id;
  if (parent === undefined) return undefined;
  const author = place.patches[0]?.author ?? reviews[0]?.patches[0]?.author;
  const recipients = answerTo(message, { author, lists: options.lists, own: options.own });
  if (recipients.to.length === 0) return undefined;
  const rules = reviews.flatMap((review) => review.findings.filter((f) => f.state === 'sent').map((f) => f.rule));
  const reasons = new Set(reviews.flatMap((review) => review.decision.reasons));
  return {
    from: options.from,
    to: recipients.to,
    cc: recipients.cc,
    dropped: recipients.dropped,
    subject: replySubject(message.subject),
    inReplyTo: parent,
    references: [...message.references.filter((r) => r !== parent), parent],
    messageId: deriveMessageId(options.secret, parent, 'reply', options.domain),
    headers: {
      'Auto-Submitted': 'auto-replied',
      'X-Reveille-Kind': 'reply',
      'X-Reveille-Reasons': [...reasons].join(' '),
      ...(rules.length === 0 ? {} : { 'X-Reveille-Rules': [...new Set(rules)].join(' ') }),
    },
    body,
  };
}

/** Always `Re:`, so that no Patchwork takes the answer for a patch (facts F14). */
function replySubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

import MailComposer from 'nodemailer/lib/mail-composer';
import { summaryToHtml, summaryToText, type Summary } from '../../core/report/index.js';
import { deriveMessageId, type Instant, type ListPolicy, type Policy } from '../../core/review/index.js';
import type { OutgoingMail } from '../transport/index.js';

/** A period that a digest is about, by its name: the same one is never sent twice. */
export type DigestPeriod = { readonly name: string; readonly from: Instant; readonly until: Instant };

const day = 86_400_000;
const hour = 3_600_000;
/** Digests are made at six in the morning, UTC: the night's mail is in, and the day has not begun. */
const madeAt = 6 * hour;

/** The last whole period before now of a list that asks for digests; undefined where it asks for none. */
export function digestPeriod(every: NonNullable<ListPolicy['digest']>, now: Instant): DigestPeriod | undefined {
  const today = Math.floor((now - madeAt) / day) * day;
  switch (every) {
    case 'none':
      return undefined;
    case 'daily':
      return { name: `day ${isoDay(today - day)}`, from: today - day, until: today };
    case 'weekly': {
      // ISO 8601 weeks begin on Monday; 1970-01-05 was one.
      const monday = Math.floor((today - 4 * day) / (7 * day)) * 7 * day + 4 * day;
      return { name: `week of ${isoDay(monday - 7 * day)}`, from: monday - 7 * day, until: monday };
    }
    case 'monthly': {
      const date = new Date(today);
      const until = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
      const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
      return { name: isoDay(from).slice(0, 7), from, until };
    }
    default:
      return every satisfies never;
  }
}

function isoDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}

export type DigestMail = {
  readonly summary: Summary;
  readonly list: ListPolicy;
  readonly policy: Policy;
  /** What the Message-ID is made from: the list and the period. */
  readonly period: string;
  readonly secret: string;
  readonly domain: string;
  readonly now: Instant;
};

/**
 * The digest as a mail with a text and an HTML part (RFC 2046 section 5.1.4), marked as made by a machine (RFC 3834 section 5).
 * Pictures are left out: mail readers drop them.
 */
export async function composeDigest(digest: DigestMail): Promise<OutgoingMail> {
  const { summary, list, policy, now } = digest;
  const messageId = deriveMessageId(digest.secret, `${list.listId} ${digest.period}`, 'digest', digest.domain);
  const open = summary.series.filter((row) => !['settled', 'superseded', 'small'].includes(row.need)).length;
  const foot = `\n-- \nReveille, a bot, can be wrong. To end these: ${policy.operator ?? policy.self.address}\n`;
  const composer = new MailComposer({
    from: policy.self,
    to: list.maintainers.map((address) => ({ name: '', address })),
    subject: `Waits in patches, ${list.listId}: ${summary.series.length} series, ${open} open`,
    messageId,
    date: new Date(now),
    text: summaryToText(summary) + foot,
    html: summaryToHtml(summary, { pictures: false }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Reveille-Kind': 'digest',
      'X-Auto-Response-Suppress': 'All',
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'unix',
    // The same list and period give the same bytes.
    boundaryPrefix: 'digest',
    baseBoundary: messageId.slice(1, 33),
  });
  const bytes = await composer.compile().build();
  return { messageId, envelope: { from: policy.self.address, to: list.maintainers }, bytes };
}

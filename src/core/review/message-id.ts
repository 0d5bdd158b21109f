import { createHmac } from 'node:crypto';

/** What a mail of ours answers: the reply to a parent, or a notice. */
export type OwnKind = 'reply' | 'digest' | 'notice';

/**
 * The Message-ID of our mail of one kind on one parent: an HMAC-SHA256 of the instance's secret, so that writing it
 * twice gives the same mail. Nothing else goes in: no software version, no time.
 */
export function deriveMessageId(secret: string, parentId: string, kind: OwnKind, domain: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([kind, parentId]))
    .digest('hex');
  return `<${kind}.${digest.slice(0, 40)}@${domain.replace(/[^A-Za-z0-9.-]/g, '')}>`;
}

import type { ThreadMail } from '../../src/core/review/index.js';

/** A patch mail by Ada as a decision sees it; give what matters. */
export function patchMail(id: string, more: Partial<ThreadMail> = {}): ThreadMail {
  return {
    id: `<${id}@example.org>`,
    kind: 'patch',
    from: 'ada@example.org',
    authors: ['ada@example.org'],
    people: ['wake@lists.example.org'],
    subject: '[PATCH] wake: sleep less in reset',
    title: 'wake: sleep less in reset',
    subsystem: 'wake',
    inReplyTo: [],
    references: [],
    headers: {},
    paths: ['drivers/wake/wake.c'],
    text: '',
    ...more,
  };
}

/** A reply to a mail, by Bob. */
export function replyMail(id: string, to: string, text: string, more: Partial<ThreadMail> = {}): ThreadMail {
  return patchMail(id, {
    kind: 'reply',
    from: 'bob@example.org',
    authors: ['bob@example.org'],
    subject: 'Re: [PATCH] wake: sleep less in reset',
    inReplyTo: [`<${to}@example.org>`],
    references: [`<${to}@example.org>`],
    paths: [],
    text,
    ...more,
  });
}

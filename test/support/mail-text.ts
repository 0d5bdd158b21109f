import type { Message } from '../../src/core/mail/index.js';

/** A decoded mail around a text, for tests that begin behind the reading of bytes. */
export function mailOf(text: string, fields: Partial<Message> = {}): Message {
  return {
    id: '<mail@example.org>',
    from: { name: 'Ada Example', address: 'ada@example.org' },
    replyTo: [],
    to: [],
    cc: [],
    date: '2021-03-04T05:06:07.000Z',
    subject: '[PATCH] clk: toy: wait less for the lock',
    inReplyTo: [],
    references: [],
    lists: [],
    headers: [],
    attachments: [],
    problems: [],
    ...fields,
    text,
  };
}

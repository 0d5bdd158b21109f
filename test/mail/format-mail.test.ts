import { describe, expect, test } from 'vitest';
import { formatMail, parseMessage, type MailHeaders } from '../../src/core/mail/index.js';

const headers: MailHeaders = {
  from: { name: 'Reveille', address: 'bot@example.org' },
  to: [{ name: 'Ann', address: 'ann@example.org' }],
  subject: 'Re: [PATCH] foo: x',
  messageId: '<1@example.org>',
};

function written(more: Partial<MailHeaders>, body = 'x\n'): string {
  return Buffer.from(formatMail({ ...headers, ...more }, body)).toString('utf8');
}

describe('a mail of ours', () => {
  test('is plain text, 7bit where ASCII will do and 8bit where not', () => {
    expect(written({})).toBe(
      [
        'From: Reveille <bot@example.org>',
        'To: Ann <ann@example.org>',
        'Subject: Re: [PATCH] foo: x',
        'Message-ID: <1@example.org>',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=UTF-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'x',
        '',
      ].join('\n'),
    );
    expect(written({}, 'ö\n')).toContain('\nContent-Transfer-Encoding: 8bit\n\nö\n');
  });

  test('lets no line end of a stranger into a header', () => {
    const text = written({
      subject: 'Re: a\r\nBcc: x@example.org',
      to: [{ name: 'Ann\nBcc: x@example.org', address: 'ann@example.org' }],
      extra: [
        { name: 'X-A', value: 'b\nBcc: y' },
        { name: 'Bad\nBcc', value: 'z' },
      ],
    });
    expect(text).not.toMatch(/^Bcc/m);
  });

  test('leaves out ids that are none', () => {
    const text = written({ inReplyTo: 'x\nBcc: y', references: ['<a@b>', '<a b@c>', '<>', '<c@d>'] });
    expect(text).toContain('\nReferences: <a@b> <c@d>\n');
    expect(text).not.toContain('In-Reply-To');
  });

  test('refuses to write to what is no address', () => {
    expect(() => written({ from: { name: '', address: 'a@b\nBcc: c@d' } })).toThrow(RangeError);
    expect(written({ to: [{ name: '', address: 'a b' }, ...headers.to] })).toContain('\nTo: Ann <ann@example.org>\n');
  });

  test('folds long References at blanks', () => {
    const references = Array.from({ length: 20 }, (_, i) => `<${i}.${'x'.repeat(30)}@example.org>`);
    const text = written({ references });
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(80);
  });

  test('is read back as it was meant', async () => {
    const names = ['Ann', 'Doe, Bob', 'Jörg "X" Müller', '李晨阳'.repeat(10), '=?utf-8?q?x?=', 'a\\b'];
    const to = names.map((name, i) => ({ name, address: `a${i}@example.org` }));
    const subject = `Re: föö ${'ü'.repeat(80)} x`;
    const message = await parseMessage(
      formatMail(
        { ...headers, to, subject, date: '2026-02-03T04:05:06.000Z', references: ['<a@b>', '<c@d>'] },
        '> a\n\nb  \n',
      ),
    );
    expect(message.to).toEqual(to);
    expect(message).toMatchObject({
      subject,
      date: '2026-02-03T04:05:06.000Z',
      references: ['<a@b>', '<c@d>'],
      text: '> a\n\nb  \n',
      problems: [],
    });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerTo,
  countHunks,
  formatMail,
  isMessageId,
  isReplySubject,
  kindOf,
  messageIds,
  parseMessage,
  splitMbox,
  stripReplyPrefixes,
  writeMboxEntry,
} from '../../src/core/mail/index.js';

/** Lines that parsers trip over, mixed with anything. */
const hardLine = fc.oneof(
  fc.constantFrom(
    'From x Thu Jan  1 00:00:00 1970',
    '>From y',
    '--b',
    '--b--',
    '@@ -1,2 +1,2 @@',
    '',
    ' ',
    'Content-Type: multipart/mixed; boundary=b',
    'Content-Type: text/plain; charset=yes; format=flowed',
    'Content-Type: message/rfc822',
    'Content-Transfer-Encoding: base64',
    'Content-Transfer-Encoding: quoted-printable',
    'Content-Length: 30',
    'Subject: =?utf-8?q?=C3?=',
    'From: "a, b" <c@d>, <e',
    'Message-ID: <<a@b>',
    'References: <a@b><c@d> e',
    'Date: Fri, 99 Foo 20000 25:61:61 +9999',
    '=E4=\t',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const hardBytes = fc.oneof(
  fc.array(hardLine, { maxLength: 30 }).map((lines) => Buffer.from(lines.join('\n'))),
  fc.array(hardLine, { maxLength: 30 }).map((lines) => Buffer.from(lines.join('\r\n'), 'latin1')),
  fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
);

/** A mail that an mbox can hold: it ends in one line end and is not empty. */
const mail = fc
  .array(hardLine, { maxLength: 20 })
  .map((lines) => Buffer.from(`Subject: x\n\n${lines.join('\n').replace(/[\r\n]*$/, '')}.\n`));

function splitInChunks(mbox: Buffer, size: number): string[] {
  const splitter = splitMbox();
  const mails = [];
  for (let at = 0; at < mbox.length; at += size) mails.push(...splitter.push(mbox.subarray(at, at + size)));
  return [...mails, ...splitter.end()].map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
}

describe('any bytes', () => {
  test('give a message that survives JSON, a kind and an answer', async () => {
    await fc.assert(
      fc.asyncProperty(hardBytes, async (bytes) => {
        const message = await parseMessage(bytes);
        expect(JSON.parse(JSON.stringify(message))).toEqual(message);
        expect(message.subject).not.toMatch(/[\u0000-\u001f]/);
        if (message.id !== undefined) expect(isMessageId(message.id)).toBe(true);
        kindOf(message, { hasDiff: countHunks(message.text).closed > 0, tagged: false });
        answerTo(message, { people: 'copy' });
      }),
      { numRuns: 400 },
    );
  });

  test('are split without loss: every byte belongs to one mail', () => {
    fc.assert(
      fc.property(hardBytes, fc.integer({ min: 1, max: 64 }), (bytes, size) => {
        const splitter = splitMbox(1000);
        const mails = [];
        for (let at = 0; at < bytes.length; at += size) mails.push(...splitter.push(bytes.subarray(at, at + size)));
        mails.push(...splitter.end());
        let next = 0;
        for (const { offset, size: length } of mails) {
          expect(offset).toBe(next);
          next = offset + length;
        }
        expect(bytes.subarray(next).every((byte) => byte <= 32)).toBe(true);
      }),
    );
  });
});

describe('mails', () => {
  test('split from the mboxrd they were joined to are the same, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.array(mail, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 300 }), (mails, size) => {
        const mbox = Buffer.concat(mails.map((bytes) => Buffer.from(writeMboxEntry(bytes))));
        expect(splitInChunks(mbox, size)).toEqual(mails.map((bytes) => bytes.toString('latin1')));
      }),
    );
  });

  test('split from the mboxcl2 they were joined to are the same, with anything in them', () => {
    const counted = mail.map((bytes) => {
      const body = bytes.subarray(bytes.indexOf('\n\n') + 2);
      return Buffer.concat([Buffer.from(`Subject: x\nContent-Length: ${body.length}\n\n`), body]);
    });
    fc.assert(
      fc.property(
        fc.array(counted, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 300 }),
        (mails, size) => {
          const separator = Buffer.from('From ann@example.org Thu Jan  1 00:00:00 1970\n');
          const mbox = Buffer.concat(mails.flatMap((bytes) => [separator, bytes, Buffer.from('\n')]));
          expect(splitInChunks(mbox, size)).toEqual(mails.map((bytes) => bytes.toString('latin1')));
        },
      ),
    );
  });

  test('read the same over LF and over CRLF', async () => {
    const text = fc
      .array(fc.oneof(hardLine, fc.string()), { maxLength: 20 })
      .map((lines) => lines.join('\n').replaceAll('\r', ''));
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const unix = `Subject: x\nFrom: Ann <ann@example.org>\n\n${body}`;
        expect(await parseMessage(Buffer.from(unix.replaceAll('\n', '\r\n')))).toEqual(
          await parseMessage(Buffer.from(unix)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('that we write are read back, and nothing of a stranger becomes a field', async () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(word, word, word, async (name, subject, body) => {
        const bytes = formatMail(
          {
            from: { name, address: 'bot@example.org' },
            to: [{ name, address: 'ann@example.org' }],
            subject,
            messageId: '<1@example.org>',
          },
          body,
        );
        const message = await parseMessage(bytes);
        expect(message.headers.map((field) => field.name)).toEqual([
          'from',
          'to',
          'subject',
          'message-id',
          'mime-version',
          'content-type',
          'content-transfer-encoding',
        ]);
        expect(message.to.map(({ address }) => address)).toEqual(['ann@example.org']);
        expect(message.text.trimEnd()).toBe(body.replace(/\r\n?/g, '\n').replaceAll('\0', '').trimEnd());
      }),
      { numRuns: 200 },
    );
  });
});

describe('texts of a header', () => {
  test('give only ids that are ids', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('<', '>', '@', ' ', 'a', '<a@b>'), fc.string()), { maxLength: 30 }),
        (pieces) => {
          for (const id of messageIds(pieces.join(''))) expect(id).toMatch(/^<[^<>@\s][^<>\s]*>$/);
        },
      ),
    );
  });

  test('lose their answer prefixes at once: stripping twice changes nothing', () => {
    const piece = fc.constantFrom('Re: ', 'AW:', '[x] ', '[PATCH] ', 'Re[2]: ', '回复：', 'Fwd: ', 'foo');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bare = stripReplyPrefixes(pieces.join(''));
        expect(stripReplyPrefixes(bare)).toBe(bare);
        expect(isReplySubject(bare)).toBe(false);
      }),
    );
  });
});

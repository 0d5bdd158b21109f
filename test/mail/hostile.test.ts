import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answerTo, kindOf, mailSizeCap, parseMessage } from '../../src/core/mail/index.js';

async function problems(bytes: Uint8Array): Promise<string[]> {
  const message = await parseMessage(bytes);
  kindOf(message, { hasDiff: false, tagged: false });
  answerTo(message, { people: 'copy' });
  return message.problems.map(({ kind }) => kind);
}

function nested(depth: number): string {
  let text = 'Message-ID: <1@example.org>\nSubject: x\n';
  for (let i = 0; i < depth; i++) text += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`;
  return `${text}\nhello\n`;
}

const id = 'Message-ID: <1@example.org>\n';

describe('a hostile mail', () => {
  test('of ten thousand nested parts is read as plain text', async () => {
    expect(await problems(Buffer.from(nested(10_000)))).toEqual(['mime']);
  });

  test('of ten thousand parts side by side is read as plain text', async () => {
    const parts = '--b\n\nx\n'.repeat(10_000);
    expect(await problems(Buffer.from(`${id}Content-Type: multipart/mixed; boundary=b\n\n${parts}`))).toEqual(['mime']);
  });

  test('of one endless line is read up to the cap', async () => {
    const bytes = Buffer.concat([Buffer.from(`${id}\n`), Buffer.alloc(200_000_000, 97)]);
    expect(await problems(bytes)).toEqual(['oversize']);
    expect((await parseMessage(bytes)).text.length).toBeLessThan(mailSizeCap);
  });

  test('of mails in mails in mails is followed three deep', async () => {
    const message = await parseMessage(
      Buffer.from(`${id}${'Content-Type: message/rfc822\n\nSubject: y\n'.repeat(500)}\n@@ -1 +1 @@\n-a\n+b\n`),
    );
    expect(message.text).not.toContain('@@');
  });

  test('with attachments that inflate without end has them left out', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000)).toString('base64');
    const part = `--b\nContent-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n${bomb}\n`;
    const found = await problems(Buffer.from(`${id}Content-Type: multipart/mixed; boundary=b\n\n${part.repeat(20)}`));
    expect(found.filter((kind) => kind === 'attachment')).toHaveLength(20);
  });

  // Each of these is quadratic in an obvious reader; at these sizes it would run for minutes.
  test.each([
    ['References: <', '@'],
    ['Message-ID: ', '<@'],
    ['Subject: ', '['],
    ['Subject: ', 'Re: '],
    ['Subject: ', '=?utf-8?q?'],
    ['To: ', '('],
    ['To: ', '<'],
    ['To: ', 'a:'],
    ['To: ', '"a" <a@b.org>, '],
    ['From: ', 'a via '],
    ['Date: ', '1 jan '],
    ['List-Id: ', '<'],
    ['Content-Type: text/plain', '; a=b'],
    ['X: ', ' \n '],
  ])('whose header is %j and %j again and again gives a value', async (field, text) => {
    expect(
      await problems(Buffer.from(`${field}${text.repeat(Math.ceil(100_000 / text.length))}\n\nx\n`)),
    ).toBeDefined();
  });

  test('of two hundred thousand lines that are no UTF-8 is read line by line', async () => {
    const body = Buffer.alloc(400_000, Buffer.from([0xff, 0x0a]));
    expect(await problems(Buffer.concat([Buffer.from(`${id}\n`), body]))).toEqual(['charset']);
  });
});

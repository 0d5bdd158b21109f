import { describe, expect, test } from 'vitest';
import { answerTo, countHunks, kindOf, parseMessage, splitMbox } from '../../src/core/mail/index.js';

/** CPU time in milliseconds: other processes on the machine do not count in it. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1e3;
}

/** Eight times the bytes may take eight times as long, not sixty-four; below a fifth of a second nothing can be told. */
async function expectLinear(make: (size: number) => string, read: (bytes: Buffer) => unknown): Promise<void> {
  const [warm, small, large] = [1000, 40_000, 320_000].map((size) => Buffer.from(make(size)));
  if (warm === undefined || small === undefined || large === undefined) throw new Error('no mails');
  await read(warm);
  const once = await cpuOf(() => read(small));
  expect(await cpuOf(() => read(large))).toBeLessThan(Math.max(200, once) * 24);
}

async function readMail(bytes: Buffer): Promise<void> {
  const message = await parseMessage(bytes);
  kindOf(message, { hasDiff: countHunks(message.text).closed > 0, tagged: true });
  answerTo(message, { people: 'copy' });
}

const head = 'From: ann@example.org\nMessage-ID: <1@example.org>\nSubject: [PATCH] x\n';
const flowed = `${head}Content-Type: text/plain; format=flowed\n\n`;

describe('the time to read a mail grows with its length and no faster', () => {
  test.each<[string, (size: number) => string]>([
    ['one field folded again and again', (size) => `${head}X:${' a\n'.repeat(size / 3)}\n\nx\n`],
    ['fields', (size) => `${head}${'X: a\n'.repeat(size / 5)}\nx\n`],
    ['a field of blanks', (size) => `${head}X: ${' '.repeat(size)}y\n\nx\n`],
    ['addresses', (size) => `${head}To: ${'a@example.org, '.repeat(size / 15)}b@example.org\n\nx\n`],
    ['quoted addresses', (size) => `${head}To: ${'"a, b" <a@example.org>, '.repeat(size / 24)}\n\nx\n`],
    ['groups and comments', (size) => `${head}To: ${'a:(b'.repeat(size / 4)}\n\nx\n`],
    ['references', (size) => `${head}References: ${'<a@b> '.repeat(size / 6)}\n\nx\n`],
    ['a reference without an end', (size) => `${head}References: ${'<a@'.repeat(size / 3)}\n\nx\n`],
    ['encoded words', (size) => `${head}X: ${'=?utf-8?q?a?= '.repeat(size / 14)}\n\nx\n`],
    ['parameters of a type', (size) => `${head}Content-Type: text/plain${'; a="b'.repeat(size / 6)}\n\nx\n`],
    ['flowed lines', (size) => `${flowed}${'a \n'.repeat(size / 3)}`],
    ['hunks in flowed lines', (size) => `${flowed}${'@@ -1,9 +1,9 @@ \n a \n'.repeat(size / 21)}`],
    ['soft line ends', (size) => `${head}Content-Transfer-Encoding: quoted-printable\n\n${'a=\n'.repeat(size / 3)}`],
    ['equals signs', (size) => `${head}Content-Transfer-Encoding: quoted-printable\n\n${'='.repeat(size)}`],
    ['base64 that is none', (size) => `${head}Content-Transfer-Encoding: base64\n\n${'a='.repeat(size / 2)}`],
    [
      'boundaries that are none',
      (size) => `${head}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n${'--bx\n'.repeat(size / 5)}`,
    ],
    ['hunks that do not close', (size) => `${head}\n${'@@ -1,999 +1,999 @@\n a\n'.repeat(size / 23)}`],
    ['quoting', (size) => `${head}\n${'>'.repeat(size)}\n`],
  ])('%s', async (_, make) => {
    await expectLinear(make, readMail);
  });

  test.each<[string, (size: number) => string]>([
    ['separators', (size) => 'From a Thu Jan  1 00:00:00 1970\n'.repeat(size / 32)],
    ['"From " without a date', (size) => `From a Thu Jan  1 00:00:00 1970\n${head}\n${'From a\n'.repeat(size / 7)}`],
    ['quoted "From "', (size) => `From a Thu Jan  1 00:00:00 1970\n${head}\n${'>From a\n'.repeat(size / 8)}`],
    ['a run of quotes', (size) => `From a Thu Jan  1 00:00:00 1970\n${head}\n${'>'.repeat(size)}From a\n`],
    [
      'lengths that lie',
      (size) => 'From a Thu Jan  1 00:00:00 1970\nContent-Length: 99999999\n\nx\n\n'.repeat(size / 62),
    ],
  ])('an mbox of %s in small pieces', async (_, make) => {
    await expectLinear(make, (bytes) => {
      const splitter = splitMbox();
      for (let at = 0; at < bytes.length; at += 4096) splitter.push(bytes.subarray(at, at + 4096));
      splitter.end();
    });
  });
});

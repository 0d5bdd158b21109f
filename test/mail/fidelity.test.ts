import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { attachedMboxes, parseMessage } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';

const hunk = '@@ -1,2 +1,2 @@\n a \n-b\n+c\n';

function multipart(type: string, ...parts: readonly (readonly [readonly string[], string])[]): Buffer {
  const text = parts.map(([head, body]) => `--b\n${head.map((line) => `${line}\n`).join('')}\n${body}\n`).join('');
  return Buffer.from(
    `Subject: x\nMessage-ID: <1@example.org>\nContent-Type: multipart/${type}; boundary=b\n\n${text}--b--\n`,
  );
}

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/(.{76})/g, '$1\n');
}

const signature = [['Content-Type: application/pgp-signature; name="s.asc"'], '-----BEGIN PGP SIGNATURE-----'] as const;

describe('the text of a mail in parts', () => {
  test('is not unflowed: blanks at line ends stay', async () => {
    const message = await parseMessage(
      multipart('mixed', [['Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes'], `a \nb\n${hunk}`]),
    );
    expect(message.text).toBe(`a \nb\n${hunk}`);
  });

  test.each([
    ['', 'int a; '],
    ['; delsp=yes', 'int a;'],
  ])('has soft line breaks joined where only that closes a hunk (format=flowed%s)', async (delSp, start) => {
    const message = await parseMessage(
      multipart('mixed', [
        [`Content-Type: text/plain; format=flowed${delSp}`],
        'Hi \nall.\n@@ -1,3 +1,3 @@\n  a\n-b\n+int a; \nint b;\n  c\n-- \n2.43',
      ]),
    );
    expect(message.text).toBe(
      `Hi${delSp === '' ? ' ' : ''}all.\n@@ -1,3 +1,3 @@\n a\n-b\n+${start}int b;\n c\n-- \n2.43`,
    );
  });

  test('has soft line breaks joined where only that gives a file its names', async () => {
    const message = await parseMessage(
      multipart('mixed', [
        ['Content-Type: text/plain; format=flowed'],
        '--- a/toy.c 2019-01-01 \n10:00:00\n+++ b/toy.c\n@@ -1,2 +1,2 @@\n  a\n-b\n+c',
      ]),
    );
    expect(message.text).toBe('--- a/toy.c 2019-01-01 10:00:00\n+++ b/toy.c\n@@ -1,2 +1,2 @@\n a\n-b\n+c');
  });

  test('has its parts on lines of their own, list footer last', async () => {
    const message = await parseMessage(
      multipart('mixed', [['Content-Type: text/plain'], hunk.trimEnd()], [[], '____\nlist footer']),
    );
    expect(message.text).toBe(`${hunk}____\nlist footer`);
  });

  test('of a signed patch is the patch', async () => {
    const message = await parseMessage(
      multipart('signed; micalg=pgp-sha256', [['Content-Type: text/plain'], hunk], signature),
    );
    expect(message.text).toBe(hunk);
    expect(message.attachments).toMatchObject([{ name: 's.asc', type: 'application/pgp-signature' }]);
  });

  test('of alternatives is the plain one', async () => {
    const message = await parseMessage(
      multipart('alternative', [['Content-Type: text/plain'], 'plain'], [['Content-Type: text/html'], '<b>html</b>']),
    );
    expect(message.text).toBe('plain');
    expect(message.problems).toEqual([]);
  });

  test('of nothing but HTML alternatives is empty, and the mail says why', async () => {
    const message = await parseMessage(multipart('alternative', [['Content-Type: text/html'], '<b>html</b>']));
    expect(message.text).toBe('');
    expect(message.problems.map(({ kind }) => kind)).toEqual(['html-only']);
  });

  test.each([
    [['Content-Type: text/x-patch; name="a.patch"', 'Content-Disposition: inline']],
    [['Content-Type: text/x-diff']],
    [['Content-Type: application/octet-stream', 'Content-Disposition: attachment; filename="a.diff"']],
    [['Content-Type: text/plain', 'Content-Disposition: attachment; filename="a.txt"']],
    [['Content-Type: application/octet-stream']],
  ])('ends with what is attached as %j and holds a hunk', async (head) => {
    const message = await parseMessage(
      multipart(
        'mixed',
        [['Content-Type: text/plain'], 'See below.'],
        [[...head, 'Content-Transfer-Encoding: base64'], base64(hunk)],
      ),
    );
    expect(message.text).toBe(`See below.\n${hunk}`);
    expect(message.attachments).toMatchObject([{ mailLine: 2, text: hunk }]);
  });

  test('ends with an attached mail that holds a hunk, in the form of a patch file', async () => {
    const inner = `From: Ann <ann@example.org>\nSubject: =?utf-8?q?f=C3=B6o?=\nContent-Transfer-Encoding: base64\n\n${base64(hunk)}`;
    const message = await parseMessage(
      multipart('mixed', [[], 'Forwarded.'], [['Content-Type: message/rfc822'], inner]),
    );
    expect(message.text).toBe(
      `Forwarded.\nFrom mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: Ann <ann@example.org>\nSubject: föo\n\n${hunk}`,
    );
  });

  test('leaves out the mail that a bounce returns', async () => {
    const message = await parseMessage(
      multipart('report', [[], 'Not delivered.'], [['Content-Type: message/rfc822'], `Subject: x\n\n${hunk}`]),
    );
    expect(message.text).toBe('Not delivered.');
  });

  test('of a digest is the mails in it, which name no type', async () => {
    const inner = (n: number): string =>
      `From: Ann <ann@example.org>\nSubject: [PATCH ${n}/2] x\nMessage-ID: <${n}@example.org>\n\nLog.\n---\n--- a/x.c\n+++ b/x.c\n${hunk}`;
    const message = await parseMessage(multipart('digest', [[], inner(1)], [[], inner(2)]));
    expect(message.attachments.map(({ type }) => type)).toEqual(['message/rfc822', 'message/rfc822']);
    expect(parsePatches(message).patches.map(({ index }) => index)).toEqual([1, 2]);
  });

  test.each([
    ['application/mbox', false],
    ['text/plain; name="t.mbox"', false],
    ['text/x-patch; name="t.patch"', true],
  ])('has an attached mbox left out if it says that it is one: %s', async (type, isText) => {
    const mbox = `From x Thu Jan  1 00:00:00 1970\nSubject: y\n\n${hunk}`;
    const bytes = multipart('mixed', [[], 'Thread.'], [[`Content-Type: ${type}`], mbox]);
    expect((await parseMessage(bytes)).text.includes('@@')).toBe(isText);
    expect(await attachedMboxes(bytes)).toHaveLength(isText ? 0 : 1);
  });

  test('leaves out an attached mbox, which is a source of its own', async () => {
    const mbox = `From x Thu Jan  1 00:00:00 1970\nSubject: y\n\n${hunk}`;
    const bytes = multipart(
      'mixed',
      [[], 'Thread.'],
      [
        ['Content-Type: application/gzip; name="t.mbox.gz"', 'Content-Transfer-Encoding: base64'],
        base64(gzipSync(mbox)),
      ],
    );
    expect((await parseMessage(bytes)).text).toBe('Thread.');
    expect((await attachedMboxes(bytes)).map((found) => Buffer.from(found).toString())).toEqual([mbox]);
  });

  const dosHunk = '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n';

  test.each([
    ['8bit', dosHunk],
    ['quoted-printable', dosHunk.replaceAll('\r', '=0D')],
    ['base64', base64(`Log.\n${dosHunk}`)],
  ])('keeps the CRs of a DOS file, in LF and in CRLF transport, %s', async (encoding, body) => {
    const text = encoding === 'base64' ? body : `Log.\n${body}`;
    const mail = `Subject: x\nMessage-ID: <1@example.org>\nContent-Transfer-Encoding: ${encoding}\n\n${text}`;
    for (const bytes of [mail, mail.replaceAll('\n', '\r\n')]) {
      expect((await parseMessage(Buffer.from(bytes))).text).toBe(`Log.\n${dosHunk}`);
    }
  });

  test('has one kind of line end though a list put its footer in another', async () => {
    const mail = 'Subject: x\r\nMessage-ID: <1@example.org>\r\n\r\na\r\nb\r\n____\nlist\n';
    expect((await parseMessage(Buffer.from(mail))).text).toBe('a\nb\n____\nlist\n');
  });

  test('keeps a NUL and a lone CR', async () => {
    expect((await parseMessage(Buffer.from('Subject: x\n\na\0b\rc\n'))).text).toBe('a\0b\rc\n');
  });
});

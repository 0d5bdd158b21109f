import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/core/mail/index.js';

const diff = [
  '--- a/drivers/foo/foo.c',
  '+++ b/drivers/foo/foo.c',
  '@@ -1,3 +1,3 @@',
  ' a',
  '-\tmsleep(100);',
  '+\tmsleep(1);',
  ' b',
  '',
];

function mail(headers: readonly string[], body: readonly string[] = ['Hello.', '']): Buffer {
  return Buffer.from([...headers, '', ...body].join('\n'), 'latin1');
}

const plain = ['From: Ann Writer <ann@example.org>', 'Subject: [PATCH] foo: sleep less', 'Message-ID: <1@example.org>'];

describe('a message', () => {
  test('reads the same with LF and with CRLF', async () => {
    const unix = mail(plain, diff);
    const dos = Buffer.from(unix.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    expect(await parseMessage(dos)).toEqual(await parseMessage(unix));
  });

  test('keeps tabs, trailing blanks and blank lines of its text', async () => {
    const body = ['', '\ta  ', '  b\t', '', ''];
    expect((await parseMessage(mail(plain, body))).text).toBe(body.join('\n'));
  });

  test.each([
    ['quoted-printable', 'msleep(=31=30);=20=\n x', 'msleep(10);  x'],
    ['base64', Buffer.from('msleep(10);\n').toString('base64'), 'msleep(10);\n'],
    ['7BIT', 'a', 'a'],
    ['nonsense', 'a=3D', 'a=3D'],
  ])('undoes %s', async (encoding, body, text) => {
    const message = await parseMessage(mail([...plain, `Content-Transfer-Encoding: ${encoding}`], [body]));
    expect(message.text).toBe(text);
  });

  test.each([
    ['utf-8', [0xc3, 0xb6], 'ö'],
    ['iso-8859-1', [0xf6], 'ö'],
    ['koi8-r', [0xc1], 'а'],
    ['gb2312', [0xc4, 0xe3], '你'],
    ['Shift_JIS', [0x82, 0xa0], 'あ'],
    ['windows-1252', [0x80], '€'],
    ['y', [0xc3, 0xb6], 'ö'],
    ['yes', [0xf6], 'ö'],
    ['', [0xf6], 'ö'],
    ['utf-8', [0xf6], 'ö'],
    ['a\0b', [0x61], 'a'],
  ])('reads charset %j, whatever it names', async (charset, bytes, text) => {
    const head = mail([...plain, `Content-Type: text/plain; charset="${charset}"`], ['']);
    expect((await parseMessage(Buffer.concat([head, Buffer.from(bytes)]))).text).toBe(text);
  });

  test.each([
    ['as it is', diff],
    ['stuffed', diff.map((line) => (line.startsWith(' ') ? ` ${line}` : line))],
  ])('keeps a diff sent as format=flowed, %s', async (_, lines) => {
    const message = await parseMessage(
      mail([...plain, 'Content-Type: text/plain; charset=utf-8; format=flowed'], lines),
    );
    expect(message.text).toBe(diff.join('\n'));
  });

  test('takes a patch from an attachment and says on which line it begins', async () => {
    const parts = ['--b', 'Content-Type: text/plain', '', 'See attached.', '--b'];
    const head = [
      'Content-Type: application/octet-stream; name="a.patch"',
      'Content-Disposition: attachment; filename="a.patch"',
    ];
    const body = [
      ...parts,
      ...head,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(diff.join('\n')).toString('base64'),
      '--b--',
    ];
    const message = await parseMessage(mail([...plain, 'Content-Type: multipart/mixed; boundary=b'], body));
    expect(message.text).toBe(['See attached.', ...diff].join('\n'));
    expect(message.attachments).toMatchObject([{ name: 'a.patch', mailLine: 2 }]);
  });

  test('inflates an attached log but leaves it out of the text', async () => {
    const log = '[    0.000000] Linux version\n';
    const head = ['Content-Type: application/gzip; name="dmesg.gz"', 'Content-Transfer-Encoding: base64', ''];
    const body = ['--b', '', 'Hi.', '--b', ...head, gzipSync(log).toString('base64'), '--b--'];
    const message = await parseMessage(mail([...plain, 'Content-Type: multipart/mixed; boundary=b'], body));
    expect(message.text).toBe('Hi.');
    expect(message.attachments[0]?.text).toBe(log);
  });

  test('with nothing but HTML has no text and says why', async () => {
    const message = await parseMessage(mail([...plain, 'Content-Type: text/html'], ['<p>diff</p>']));
    expect(message.text).toBe('');
    expect(message.problems.map(({ kind }) => kind)).toEqual(['html-only']);
  });

  test('has the ids of its header and no others', async () => {
    const message = await parseMessage(
      mail([
        'Message-ID: junk <1@example.org> <2@example.org>',
        'In-Reply-To: message from Foo <a@example.org>',
        'References: <b@example.org>\n <c@example.org> x',
      ]),
    );
    expect(message.id).toBe('<1@example.org>');
    expect(message.inReplyTo).toEqual(['<a@example.org>']);
    expect(message.references).toEqual(['<b@example.org>', '<c@example.org>']);
  });

  test('with a date that is none has no date', async () => {
    expect((await parseMessage(mail(['Date: garbage 1']))).date).toBeUndefined();
    expect((await parseMessage(mail(['Date: Fri, 28 Feb 2020 18:52:28 -0800 (PST)']))).date).toBe(
      '2020-02-29T02:52:28.000Z',
    );
  });

  test('has a subject without control characters, words decoded though cut inside a character', async () => {
    const message = await parseMessage(mail(['Subject: =?utf-8?q?f=C3?=\n =?utf-8?q?=B6o=0D=0ABcc:_x?=']));
    expect(message.subject).toBe('föo Bcc: x');
  });

  test('knows its list by the exact List-Id', async () => {
    expect((await parseMessage(mail(['List-Id: Some list\n <Linux-Foo.lists.example.org>']))).lists).toEqual([
      'linux-foo.lists.example.org',
    ]);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a NUL', Buffer.from([0])],
    ['no header', Buffer.from('hello\nworld\n')],
    ['a header only', Buffer.from('Subject: x')],
  ])('comes of %s', async (_, bytes) => {
    expect(typeof (await parseMessage(bytes)).text).toBe('string');
  });

  test('a bare diff has no header, though lines of its first hunk look like fields', async () => {
    for (const first of ['', 'diff --git a/drivers/foo/foo.c b/drivers/foo/foo.c\n']) {
      const text = `${first}${diff.join('\n').replace(' a', ' a\n+default:\n+Cc: x')}`;
      const message = await parseMessage(Buffer.from(text));
      expect(message.text).toBe(text);
      expect(message.headers).toEqual([]);
    }
  });

  test('asks for an attachment in xz to be unpacked, and reports one that cannot be', async () => {
    const packed = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 1, 2]).toString('base64');
    const parts = [
      '--b',
      'Content-Type: application/x-xz; name=dmesg.xz',
      'Content-Transfer-Encoding: base64',
      '',
      packed,
    ];
    const bytes = mail([...plain, 'Content-Type: multipart/mixed; boundary=b'], [...parts, '--b--', '']);
    const unpacked = await parseMessage(bytes, () => Promise.resolve(Buffer.from('[    0.100000] foo\n')));
    expect(unpacked.attachments[0]?.text).toBe('[    0.100000] foo\n');
    const failed = await parseMessage(bytes, () => Promise.resolve(undefined));
    expect(failed.problems).toContainEqual({ kind: 'attachment', text: 'dmesg.xz cannot be unpacked' });
    expect(failed.attachments[0]).toMatchObject({ name: 'dmesg.xz' });
  });
});

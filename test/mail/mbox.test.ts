import { describe, expect, test } from 'vitest';
import { splitMbox, writeMboxEntry } from '../../src/core/mail/index.js';

const separator = 'From ann@example.org Thu Jan  1 00:00:00 1970';

function split(text: string, chunk = 7): string[] {
  const bytes = Buffer.from(text, 'latin1');
  const splitter = splitMbox();
  const mails = [];
  for (let at = 0; at < bytes.length; at += chunk) mails.push(...splitter.push(bytes.subarray(at, at + chunk)));
  return [...mails, ...splitter.end()].map((mail) => Buffer.from(mail.bytes).toString('latin1'));
}

describe('an mbox', () => {
  test('is split at separators with a date, not at words', () => {
    const first = 'Subject: a\n\nFrom here on it is slow.\nFrom: not this\n';
    const second = 'Subject: b\n\nx\n';
    expect(split(`${separator}\n${first}\n${separator}\n${second}\n`)).toEqual([first, second]);
  });

  test('gives back what was quoted for mboxrd', () => {
    const mail = 'Subject: a\n\nFrom x Thu Jan  1 00:00:00 1970\n>From y\n>>From z\n';
    expect(split(Buffer.from(writeMboxEntry(Buffer.from(mail))).toString('latin1'))).toEqual([mail]);
  });

  test('of the counted kind may hold separators in a body', () => {
    const body = `x\n\n${separator}\nSubject: no\n`;
    const first = `Subject: a\nContent-Length: ${body.length}\n\n${body}`;
    const second = 'Subject: b\n\ny\n';
    expect(split(`${separator}\n${first}\n${separator}\n${second}\n`)).toEqual([first, second]);
  });

  test('with a wrong Content-Length is split at its separators', () => {
    const first = 'Subject: a\nContent-Length: 3\n\nlonger than that\n';
    expect(split(`${separator}\n${first}\n${separator}\nSubject: b\n\ny\n`)[0]).toBe(first);
  });

  test('with a mail over the cap gives its beginning and goes on', () => {
    const splitter = splitMbox(1000);
    const big = `Subject: a\n\n${'x\n'.repeat(50_000)}`;
    const text = Buffer.from(`${separator}\n${big}\n${separator}\nSubject: b\n\ny\n`);
    const mails = [];
    for (let at = 0; at < text.length; at += 4096) mails.push(...splitter.push(text.subarray(at, at + 4096)));
    mails.push(...splitter.end());
    expect(mails.map(({ cut, size, offset }) => ({ cut, size, offset }))).toEqual([
      { cut: true, size: separator.length + big.length + 2, offset: 0 },
      { cut: false, size: separator.length + 1 + 14, offset: separator.length + big.length + 2 },
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatMail, kindOf, parseMessage, type Message } from '../../src/core/mail/index.js';
import { headOf, parsePatches, parseSubject } from '../../src/core/patch/index.js';
import { replyToMail } from '../../src/core/reply/index.js';
import { reviewEach } from '../support/review-files.js';

// What has gone wrong with bots on real lists while they read mail and addressed their answers (facts/lists-and-bots.md,
// section 6, F08 to F36), and the tests that show that it does not here: file, and words of the test's name.
const modes: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'F08 a relay that reads no mail as sender': [
    ['mail/recipients', 'to the in-body author behind a relay that reads no mail'],
    ['bot/scenario', 'a b4 relay'],
  ],
  'F09 a sender rewritten for DMARC': [['mail/recipients', 'to the sender whom a list munged']],
  'F10 commas, brackets and other letters in names': [
    ['mail/format-mail', 'is read back as it was meant'],
    ['bot/scenario', 'a comma in a display name'],
  ],
  'F11 an answer to everybody but the author': [
    ['bot/scenario', 'test.each(shapes)'],
    ['mail/recipients', 'past a Reply-To that a list put there'],
  ],
  'F12 a list policy that leaks': [['mail/recipients', 'by their whole address, not by a part of it']],
  'F13 a broken thread': [
    ['mail/format-mail', 'folds long References at blanks'],
    ['mail/format-mail', 'leaves out ids that are none'],
  ],
  'F14 our answer taken for a patch': [['mail/failure-modes', 'an answer of ours is Re: and holds no patch']],
  'F15 a counter-proposal taken for a patch': [
    ['mail/kind', 'with Re: and an unquoted diff is a counter-patch'],
    ['patch/mail-forms', 'may carry the next version below scissors'],
  ],
  'F16 a quoted diff taken for a patch': [['patch/mail-forms', 'at any depth of quoting']],
  'F17 an answer without Re:': [
    ['mail/kind', 'with In-Reply-To, no Re: and no diff is an answer'],
    ['patch/subject', '%s is a reply'],
  ],
  'F18 encoded bodies read raw': [['mail/parse-message', 'undoes %s']],
  'F19 flowed text that ruins a diff': [
    ['mail/parse-message', 'keeps a diff sent as format=flowed'],
    ['mail/fidelity', 'has soft line breaks joined where only that closes a hunk'],
  ],
  'F20 charsets that lie': [['mail/parse-message', 'reads charset %j, whatever it names']],
  'F21 HTML read as text': [['mail/fidelity', 'of nothing but HTML alternatives is empty']],
  'F22 a patch in an attachment, a signed patch': [
    ['mail/fidelity', 'ends with what is attached as %j and holds a hunk'],
    ['mail/fidelity', 'of a signed patch is the patch'],
  ],
  'F23 "From " in a body splits a mail': [
    ['mail/mbox', 'is split at separators with a date, not at words'],
    ['mail/mbox', 'gives back what was quoted for mboxrd'],
  ],
  'F24 signatures and footers': [['patch/mail-forms', 'signature, list footer, marks of b4 and git']],
  'F25 odd hunks': [
    ['patch/diff-forms', 'has context lines whose blank was eaten'],
    ['patch/diff-forms', 'keeps a missing newline at the end with its line'],
    ['patch/diff-forms', 'may copy a file, change a mode, and add and delete empty files'],
    ['patch/diff-forms', 'may be binary, with data and without'],
  ],
  'F26 series in any order and thread': [
    ['patch/subject', '%s has its version and numbers'],
    ['patch/assemble-series', 'is a cover and its patches, whatever their order'],
    ['patch/assemble-series', 'without a thread is told by author, total and time'],
    ['patch/assemble-series', 'is not seen in a series that answers another'],
  ],
  'F27 incomplete series': [
    ['patch/assemble-series', 'knows what is missing'],
    ['bot/scenario', 'an incomplete series is judged on what is there'],
  ],
  'F28 numbers in a title': [['patch/subject', '%s has no n/m and is version 1']],
  'F29 the same nits on v2 and RESEND': [['bot/scenario', '%s is not told what the first posting was told']],
  'F30 an answer that comes too late': [
    ['review/delivery', "'too-old', 'to a mail that was written days ago"],
    ['review/delivery', "'when a newer version has come'"],
  ],
  'F31 subjects folded, encoded, empty or missing': [
    ['mail/parse-message', 'words decoded though cut inside a character'],
    ['mail/failure-modes', 'a subject may be folded, raw, empty or missing'],
  ],
  'F32 hostile Message-IDs': [
    ['mail/failure-modes', 'an id that is none, or hides another, is no id'],
    ['review/delivery', 'a patch without a Message-ID has nothing that an answer could name'],
    ['e2e/pages', 'markup in names, subjects, code and Message-IDs stays text'],
  ],
  'F33 header injection': [
    ['mail/format-mail', 'lets no line end of a stranger into a header'],
    ['mail/format-mail', 'refuses to write to what is no address'],
  ],
  'F34 mail that lists refuse': [['mail/failure-modes', 'an answer of ours has each field once, in ASCII']],
  'F35 very large mails, lines and dates': [
    ['mail/hostile', 'of one endless line is read up to the cap'],
    ['mail/failure-modes', 'a date beyond all years is none'],
    ['patch/linear', 'the time to read a patch grows with its length and no faster'],
  ],
  'F36 other projects and pull requests': [
    ['mail/kind', 'that asks to pull is a pull request'],
    ['review/delivery', "'outside the paths of the policy'"],
  ],
};

test.each(Object.entries(modes))('%s has its tests', (_, tests) => {
  for (const [file, words] of tests) {
    const source = readFileSync(join(import.meta.dirname, '..', `${file}.test.ts`), 'utf8');
    expect([file, words, source.includes(words)]).toEqual([file, words, true]);
  }
});

test('no failure mode from F08 to F36 is without tests', () => {
  const wanted = Array.from({ length: 29 }, (_, at) => `F${String(at + 8).padStart(2, '0')}`);
  expect(Object.keys(modes).map((mode) => mode.slice(0, 3))).toEqual(wanted);
});

function read(...lines: readonly string[]): Promise<Message> {
  return parseMessage(Buffer.from(lines.join('\n')));
}

const diff = ['', 'Log.', '---', '--- a/x.c', '+++ b/x.c', '@@ -1 +1 @@', '-a', '+b', ''];

describe('a mail', () => {
  test.each([
    [['Subject: [PATCH]', ' toy: wait', '\tless'], '[PATCH] toy: wait less'],
    [['Subject: [PATCH] töy: x'], '[PATCH] töy: x'],
    [['Subject: '], ''],
    [[], ''],
  ])('a subject may be folded, raw, empty or missing: %j', async (field, subject) => {
    const message = await read('From: Ada <ada@example.org>', 'Message-ID: <1@example.org>', ...field, ...diff);
    expect(message.subject).toBe(subject);
    const { patches } = parsePatches(message);
    expect(patches.map(({ files, title }) => [files[0]?.path, title])).toEqual([['x.c', parseSubject(subject).title]]);
    expect(headOf(message, patches)?.id).toBe('<1@example.org>');
    expect(kindOf(message, { hasDiff: true, tagged: subject !== '' }).kind).toBe('patch');
  });

  test.each([
    ['(added by postmaster@example.org)', undefined],
    ['<a b@example.org>', undefined],
    ['<>', undefined],
    ['<1/../2@example.org>', '<1/../2@example.org>'],
    [`<${'x'.repeat(5000)}@example.org>`, undefined],
  ])('an id that is none, or hides another, is no id: %j', async (field, id) => {
    expect((await read(`Message-ID: ${field}`, 'Subject: [PATCH] x', ...diff)).id).toBe(id);
  });

  test.each(['Fri, 01 Jan 99999 00:00:00 +0000', 'Fri, 31 Dec 2020 99:99:99 +9999', '9'.repeat(100_000)])(
    'a date beyond all years is none: %.40s',
    async (date) => {
      const found = (await read('Subject: x', `Date: ${date}`, '', 'x')).date;
      expect(found === undefined || new Date(found).getUTCFullYear() < 2100).toBe(true);
    },
  );
});

describe('an answer of ours', () => {
  test('an answer of ours is Re: and holds no patch, whatever the patch was', async () => {
    let count = 0;
    for await (const { reply } of reviewEach([join(import.meta.dirname, '..', '..', 'examples')])) {
      if (reply === undefined) continue;
      count++;
      expect(reply.subject).toMatch(/^Re: /);
      const back = await parseMessage(replyToMail(reply, '2026-01-05T09:00:00Z'));
      expect(parsePatches(back).patches).toEqual([]);
      expect(back.inReplyTo).toEqual([reply.inReplyTo]);
    }
    expect(count).toBeGreaterThan(0);
  });

  test('an answer of ours has each field once, in ASCII, whatever names it goes to', () => {
    const cc = Array.from({ length: 40 }, (_, at) => ({ name: `Jörg ${at}, "Ö"`, address: `j${at}@example.org` }));
    const bytes = formatMail(
      {
        from: { name: 'Reveille', address: 'bot@example.org' },
        to: cc.slice(0, 1),
        cc,
        subject: 'Re: [PATCH] wäke: schläft',
        messageId: '<2@example.org>',
        inReplyTo: '<1@example.org>',
        references: ['<1@example.org>'],
        extra: [{ name: 'Auto-Submitted', value: 'auto-replied' }],
      },
      'Predicted: ö.\n',
    );
    const [head = ''] = Buffer.from(bytes).toString('latin1').split('\n\n');
    expect(head).toMatch(/^[\n\t\u0020-\u007e]*$/);
    const names = head.split('\n').flatMap((line) => /^([A-Za-z-]+):/.exec(line)?.[1]?.toLowerCase() ?? []);
    expect(new Set(names).size).toBe(names.length);
  });
});

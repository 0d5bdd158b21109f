import { describe, expect, test } from 'vitest';
import type { Attachment, Message } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

function diff(name: string): string[] {
  return [
    `diff --git a/${name} b/${name}`,
    'index 11..22 100644',
    `--- a/${name}`,
    `+++ b/${name}`,
    '@@ -1 +1 @@',
    '-old',
    '+new',
  ];
}

function read(lines: readonly string[], fields: Partial<Message> = {}) {
  return parsePatches(mailOf(lines.join('\n'), fields)).patches;
}

/** What is told apart in these tests: title, log, files. */
function outline(lines: readonly string[], fields: Partial<Message> = {}): unknown {
  return read(lines, fields).map(({ title, log, files }) => [
    title,
    log.lines.join('|'),
    files.map((file) => file.path).join(),
  ]);
}

const reply = { subject: 'Re: [PATCH] toy: wait' };

describe('in-body headers', () => {
  test('From, Subject and Date in any order replace those of the mail', () => {
    const [patch] = read([
      'Date: Mon, 1 Mar 2021 00:00:00 +0000',
      'From: =?utf-8?q?J=C3=B6rg?= Example',
      ' <joerg@example.org>',
      'Subject: [PATCH v4 1/2] toy: a subject that',
      ' is folded',
      '',
      'Why.',
      '---',
      ...diff('x.c'),
    ]);
    expect(patch).toMatchObject({
      title: 'toy: a subject that is folded',
      version: 4,
      index: 1,
      author: { name: 'Jörg Example', address: 'joerg@example.org' },
      log: { lines: ['Why.'], mailLine: 7 },
    });
  });

  test('a Subject without brackets keeps the numbers of the mail', () => {
    const [patch] = read(['Subject: toy: short', '', 'Why.', '---', ...diff('x.c')], {
      subject: '[PATCH v2 3/4] toy: long',
    });
    expect(patch).toMatchObject({ title: 'toy: short', version: 2, index: 3, total: 4 });
  });

  test('end with the first other line: a From in the log is text', () => {
    const [patch] = read(['Why.', 'From: nobody in particular', '---', ...diff('x.c')]);
    expect(patch?.author?.address).toBe('ada@example.org');
    expect(patch?.log.lines).toEqual(['Why.', 'From: nobody in particular']);
  });

  test('a From that is no address leaves the sender', () => {
    expect(read(['From: the archive', '', 'Why.', '---', ...diff('x.c')])[0]?.author?.address).toBe('ada@example.org');
  });
});

describe('the log', () => {
  test('begins below scissors', () => {
    const text = [
      'Hi,',
      'here it is.',
      '',
      '-- >8 -- cut here',
      'From: Bob <bob@example.org>',
      '',
      'Why.',
      '---',
      ...diff('x.c'),
    ];
    const [patch] = read(text);
    expect(patch).toMatchObject({ log: { lines: ['Why.'] }, author: { address: 'bob@example.org' } });
  });

  test('ends at the first "---", whatever stands below it', () => {
    const [patch] = read(['Why.', '--- ', 'v2: x', '---', 'v3: y', '', ...diff('x.c')]);
    expect(patch?.log.lines).toEqual(['Why.']);
    expect(patch?.notes.lines).toEqual(['v2: x', '---', 'v3: y']);
  });

  test('may quote a diff, indented or damaged, and a hunk, and a "diff" line', () => {
    const quote = [
      '  diff --git a/q.c b/q.c',
      '  @@ -1 +1 @@',
      'diff is what we want',
      '--- not a name',
      '+++ neither',
      '@@ -1,2 +1,2 @@ foo',
    ];
    const patches = read(['Why.', ...quote, '---', ...diff('x.c')]);
    expect(patches[0]?.log.lines).toEqual(['Why.', ...quote]);
    expect(patches[0]?.files.map((file) => file.path)).toEqual(['x.c']);
  });

  test('gives its trailers, those above a blank line too, and no prose', () => {
    const [patch] = read([
      'Note: this is prose.',
      '',
      'Fixes: 123456789abc ("toy: wait")',
      '',
      'Reported-by: Eve Example',
      ' <eve@example.org>',
      '[ada: reworded]',
      'Signed-off-by: Ada <ada@example.org>',
      '---',
      ...diff('x.c'),
    ]);
    expect(patch?.trailers.map(({ key, value, mailLine }) => [key, value, mailLine])).toEqual([
      ['Fixes', '123456789abc ("toy: wait")', 3],
      ['Reported-by', 'Eve Example <eve@example.org>', 5],
      ['Signed-off-by', 'Ada <ada@example.org>', 8],
    ]);
  });
});

describe('what stands below the diff', () => {
  test('is no part of it: signature, list footer, marks of b4 and git', () => {
    const [patch] = read([
      'Why.',
      '---',
      ...diff('x.c'),
      '',
      'base-commit: 0123456789abcdef0123456789abcdef01234567',
      'change-id: 20210301-toy-0123456789ab',
      '-- ',
      '2.39.5',
      '',
      '_______________________________________________',
      'toy mailing list',
      'toy@lists.example.org',
    ]);
    expect(patch).toMatchObject({
      files: [{ path: 'x.c', added: 1 }],
      baseCommit: '0123456789abcdef0123456789abcdef01234567',
      changeId: '20210301-toy-0123456789ab',
      problems: [],
    });
  });

  test('may be another diff behind a signature: it belongs to the same patch', () => {
    expect(outline(['Why.', '---', ...diff('x.c'), '-- ', 'Ada', '', ...diff('y.c')])).toEqual([
      ['clk: toy: wait less for the lock', 'Why.', 'x.c,y.c'],
    ]);
  });
});

describe('several patches in one mail', () => {
  const head = (n: number): string[] => [
    '',
    `From ${'0'.repeat(39)}${n} Mon Sep 17 00:00:00 2001`,
    'From: Bob <bob@example.org>',
    'Date: Mon, 1 Mar 2021 00:00:00 +0000',
    `Subject: [PATCH ${n}/2] toy: number ${n}`,
    'MIME-Version: 1.0',
    '',
    `Why ${n}.`,
    '---',
    ...diff(`x${n}.c`),
    '-- ',
    '2.39.5',
  ];

  test('as format-patch writes them are as many patches', () => {
    expect(outline(['Both below.', ...head(1), ...head(2)])).toEqual([
      ['toy: number 1', 'Why 1.', 'x1.c'],
      ['toy: number 2', 'Why 2.', 'x2.c'],
    ]);
  });

  test('forwarded are read with their own heads', () => {
    const text = [
      'Please look.',
      '',
      '---------- Forwarded message ---------',
      'From: Bob <bob@example.org>',
      'Date: Mon, 1 Mar 2021 00:00:00 +0000',
      'Subject: [PATCH] toy: forwarded',
      'To: toy@lists.example.org',
      '',
      'Why.',
      '---',
      ...diff('x.c'),
    ];
    expect(outline(text, { subject: 'Fwd: [PATCH] toy: forwarded' })).toEqual([['toy: forwarded', 'Why.', 'x.c']]);
  });

  test('attached each are patches, and a bare one takes the log of the mail without the footer of its list', () => {
    const footer = ['_'.repeat(47), 'toy mailing list', 'toy@example.org', ''];
    const body = ['Why, all of it.', '', 'Signed-off-by: Ada <ada@example.org>', '', ...footer];
    const parts = [
      diff('x.c'),
      ['From: Bob <bob@example.org>', 'Subject: [PATCH] toy: own', '', 'Mine.', '---', ...diff('y.c')],
    ];
    let text = body.join('\n');
    const attachments: Attachment[] = [];
    for (const part of parts) {
      const own = `${part.join('\n')}\n`;
      attachments.push({ type: 'text/x-patch', size: own.length, text: own, mailLine: text.split('\n').length });
      text += own;
    }
    expect(outline(text.split('\n'), { attachments })).toEqual([
      ['clk: toy: wait less for the lock', 'Why, all of it.||Signed-off-by: Ada <ada@example.org>', 'x.c'],
      ['toy: own', 'Mine.', 'y.c'],
    ]);
  });
});

describe('an answer', () => {
  test('that quotes a diff has no patch, at any depth of quoting', () => {
    const quoted = diff('x.c').flatMap((line) => [`> ${line}`, `>> ${line}`, `|${line}`]);
    expect(read(quoted, reply)).toEqual([]);
  });

  test('that quotes a whole mail without marks has no patch', () => {
    expect(
      read(
        ['Fine.', '', '-----Original Message-----', 'From: Bob <bob@example.org>', '', 'Why.', '', ...diff('x.c')],
        reply,
      ),
    ).toEqual([]);
    const outlook = [
      'Fine.',
      '',
      'From: Bob <bob@example.org>',
      'Sent: Monday',
      'To: Ada',
      'Subject: [PATCH] x',
      '',
      'Why.',
      '---',
    ];
    expect(read([...outlook, ...diff('x.c')], reply)).toEqual([]);
  });

  test('with an unquoted diff has that one', () => {
    expect(read(['> Why?', '', 'Like this:', '', ...diff('x.c')], reply).map((patch) => patch.files.length)).toEqual([
      1,
    ]);
  });

  test('may carry the next version below scissors', () => {
    const [patch] = read(
      ['> Why?', '', '---8<---', 'Subject: [PATCH v2] toy: wait', '', 'Why.', '', ...diff('x.c')],
      reply,
    );
    expect(patch).toMatchObject({ title: 'toy: wait', version: 2, log: { lines: ['Why.'] } });
  });
});

test('a cover letter with its diffstat has no patch', () => {
  expect(
    read(['We poll.', '', ' x.c | 2 +-', ' 1 file changed', '', '-- ', '2.39.5'], { subject: '[PATCH 0/2] toy' }),
  ).toEqual([]);
});

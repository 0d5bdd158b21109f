import { describe, expect, test } from 'vitest';
import { assembleSeries, headOf, parsePatches, parseSubject, type PatchHead } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

let minutes = 0;

/** A head as headOf would give it for a mail with a diff; `after` minutes pass since the mail before. */
function post(id: string, subject: string, fields: Partial<PatchHead> & { after?: number } = {}): PatchHead {
  const { after = 1, ...rest } = fields;
  minutes += after;
  const { title, version, index, total, isResend, isRfc } = parseSubject(subject);
  return {
    id,
    date: new Date(Date.UTC(2021, 0, 1) + minutes * 60e3).toISOString(),
    title,
    version,
    ...(index === undefined || total === undefined ? {} : { index, total }),
    isResend,
    isRfc,
    author: 'ada@example.org',
    authorName: 'Ada Example',
    parents: [],
    hasDiff: index !== 0,
    paths: [],
    ...rest,
  };
}

const day = 24 * 60;

describe('a series', () => {
  test('is a cover and its patches, whatever their order', () => {
    const cover = post('<0>', '[PATCH 0/2] toy: poll');
    const one = post('<1>', '[PATCH 1/2] toy: one', { parents: ['<0>'] });
    const two = post('<2>', '[PATCH 2/2] toy: two', { parents: ['<0>'] });
    const [inOrder] = assembleSeries([cover, one, two]);
    expect(inOrder).toMatchObject({
      id: '<0>',
      cover: '<0>',
      title: 'toy: poll',
      seen: [1, 2],
      total: 2,
      complete: true,
    });
    expect(inOrder?.outOfOrder).toBe(false);
    const mixed = assembleSeries([two, cover, one]);
    expect(mixed).toHaveLength(1);
    expect(mixed[0]).toMatchObject({ id: '<0>', seen: [1, 2], complete: true, outOfOrder: true });
  });

  test('knows what is missing', () => {
    const [series] = assembleSeries([post('<1>', '[PATCH 1/3] toy: one'), post('<3>', '[PATCH 3/3] toy: three')]);
    expect(series).toMatchObject({ id: '<1>', seen: [1, 3], complete: false });
    expect(series?.cover).toBeUndefined();
  });

  test('without a thread is told by author, total and time', () => {
    const heads = [
      post('<a1>', '[PATCH 1/2] toy: one'),
      post('<b1>', '[PATCH 1/2] clk: one', { author: 'bob@example.org', authorName: 'Bob Example' }),
      post('<a2>', '[PATCH 2/2] toy: two'),
      post('<b2>', '[PATCH 2/2] clk: two', { author: 'bob@example.org', authorName: 'Bob Example' }),
      post('<c2>', '[PATCH 2/2] spi: two', { after: day }),
    ];
    expect(assembleSeries(heads).map((series) => series.members.map((member) => member.id))).toEqual([
      ['<a1>', '<a2>'],
      ['<b1>', '<b2>'],
      ['<c2>'],
    ]);
  });

  test('may count as "1 of 3"', () => {
    const heads = ['1 of 3', '2 of 3', '3 of 3'].map((n, at) => post(`<${at}>`, `[PATCH ${n}] toy: ${n}`));
    expect(assembleSeries(heads)).toMatchObject([{ seen: [1, 2, 3], complete: true }]);
  });

  test('takes one copy of a mail that came through several lists', () => {
    const one = post('<1>', '[PATCH 1/2] toy: one');
    const copy = { ...one, id: '<1.list@example.org>' };
    const [series, ...more] = assembleSeries([
      one,
      one,
      copy,
      post('<2>', '[PATCH 2/2] toy: two', { parents: ['<1>'] }),
    ]);
    expect(more).toEqual([]);
    expect(series?.members.map((member) => member.id)).toEqual(['<1>', '<2>']);
  });

  test('two series of one author at one time stay apart by their threads', () => {
    const heads = [
      post('<a0>', '[PATCH 0/2] toy: a'),
      post('<b0>', '[PATCH 0/2] toy: b'),
      post('<b2>', '[PATCH 2/2] toy: b2', { parents: ['<b0>'] }),
      post('<a2>', '[PATCH 2/2] toy: a2', { parents: ['<a0>'] }),
      post('<a1>', '[PATCH 1/2] toy: a1', { parents: ['<a0>'] }),
      post('<b1>', '[PATCH 1/2] toy: b1', { parents: ['<b0>'] }),
    ];
    expect(
      assembleSeries(heads).map((series) => [series.id, series.complete, series.members.map((m) => m.id)]),
    ).toEqual([
      ['<a0>', true, ['<a1>', '<a2>']],
      ['<b0>', true, ['<b1>', '<b2>']],
    ]);
  });

  test('a cover with a version over patches without one is one posting', () => {
    const heads = [
      post('<0>', '[PATCH v3 0/2] toy: poll'),
      post('<1>', '[PATCH 1/2] toy: one', { parents: ['<0>'] }),
      post('<2>', '[PATCH 2/2] toy: two', { parents: ['<0>'] }),
    ];
    expect(assembleSeries(heads)).toMatchObject([{ version: 3, complete: true }]);
  });
});

test('two works that are counted alike in one thread are two postings: no patch is lost', () => {
  const heads = [
    post('<0>', '[PATCH 0/2] toy: poll', { after: day }),
    ...['<a>', '<b>'].flatMap((id) =>
      [1, 2].map((n) => post(`${id}${n}`, `[PATCH ${n}/2] ${id}: part ${n}`, { parents: ['<0>'] })),
    ),
    post('<again>', '[PATCH 1/2] <b>: part 1', { parents: ['<0>'] }),
  ];
  expect(assembleSeries(heads).map((series) => series.members.map(({ id }) => id))).toEqual([
    ['<a>1', '<a>2'],
    ['<b>1', '<b>2'],
  ]);
});

test('patches below one cover are one posting though their mails are dated days apart', () => {
  const [cover, one, two] = [
    post('<0>', '[PATCH v2 0/2] toy: poll', { after: day }),
    post('<1>', '[PATCH v2 1/2] toy: one', { parents: ['<0>'], date: '2021-01-01T00:00:00.000Z' }),
    post('<2>', '[PATCH v2 2/2] toy: two', { parents: ['<0>'], date: '2021-01-05T00:00:00.000Z' }),
  ];
  for (const heads of [
    [cover, one, two],
    [one, two, cover],
    [two, cover, one],
  ]) {
    const late = heads.map((head) => (head.id === '<0>' ? { ...head, date: '2021-01-09T00:00:00.000Z' } : head));
    expect(assembleSeries(late)).toMatchObject([{ id: '<0>', complete: true }]);
  }
});

test('a cover letter that counts its patches wrong is theirs, and their count holds', () => {
  const [cover, ...patches] = [
    post('<0>', '[PATCH v4 0/3] toy: poll', { after: day }),
    ...[1, 2, 3, 4].map((n) => post(`<${n}>`, `[PATCH v4 ${n}/4] toy: ${n}`, { parents: ['<0>'] })),
  ];
  for (const heads of [
    [cover, ...patches],
    [...patches, cover],
  ]) {
    expect(assembleSeries(heads)).toMatchObject([{ id: '<0>', total: 4, seen: [1, 2, 3, 4], complete: true }]);
  }
});

test('patches that count their own versions under one cover are one posting, of the version that the cover says', () => {
  const heads = [
    post('<0>', '[PATCH v4 0/3] toy: poll', { after: day }),
    post('<1>', '[PATCH v4 1/3] toy: one', { parents: ['<0>'] }),
    post('<2>', '[PATCH v6 2/3] toy: two', { parents: ['<0>'] }),
    post('<3>', '[PATCH v2 3/3] toy: three', { parents: ['<0>'] }),
  ];
  expect(assembleSeries(heads)).toMatchObject([{ version: 4, seen: [1, 2, 3], complete: true }]);
});

test('a cover whose message-id was changed on the way belongs to the patches that came with it', () => {
  const heads = [
    post('<other>', '[PATCH 0/2] toy: poll', { after: day }),
    post('<1>', '[PATCH 1/2] toy: one', { parents: ['<0>'] }),
    post('<2>', '[PATCH 2/2] toy: two', { parents: ['<0>'] }),
  ];
  expect(assembleSeries(heads)).toMatchObject([{ id: '<other>', complete: true }]);
});

test('the same patch for another kernel branch is no new version', () => {
  const branches = ['5.0', '4.19'].map((branch) =>
    mailOf('', { id: `<${branch}>`, subject: `[PATCH AUTOSEL ${branch} 6/9] toy: one` }),
  );
  const heads = branches.flatMap((mail) => headOf(mail, []) ?? []);
  expect(heads.map((head) => head.branch)).toEqual(['AUTOSEL 5.0', 'AUTOSEL 4.19']);
  expect(assembleSeries(heads).map((s) => s.replaces)).toEqual([undefined, undefined]);
});

describe('a new version', () => {
  const first = (): PatchHead[] => [
    post('<v1-0>', '[PATCH 0/2] toy: poll'),
    post('<v1-1>', '[PATCH 1/2] toy: one', { parents: ['<v1-0>'] }),
    post('<v1-2>', '[PATCH 2/2] toy: two', { parents: ['<v1-0>'] }),
  ];

  test('under the old thread replaces it by in-reply-to', () => {
    const heads = [
      ...first(),
      post('<v2-0>', '[PATCH v2 0/3] toy: poll better', { parents: ['<v1-0>'], after: day }),
      post('<v2-1>', '[PATCH v2 1/3] toy: one', { parents: ['<v2-0>', '<v1-0>'] }),
    ];
    const [v1, v2] = assembleSeries(heads);
    expect(v2?.replaces).toEqual({ id: '<v1-0>', evidence: 'in-reply-to' });
    expect(v1?.supersededBy).toBe('<v2-0>');
    expect(v1?.complete).toBe(true);
  });

  test('in a thread of its own replaces it by author and title', () => {
    const heads = [...first(), post('<v2-0>', '[PATCH v2 0/2] toy: Poll.', { after: 3 * day })];
    expect(assembleSeries(heads)[1]?.replaces).toEqual({ id: '<v1-0>', evidence: 'author-title' });
  });

  test('replaces it though the clock of its author was put back between the two, not where the later number came first', () => {
    const v1 = post('<v1>', '[PATCH] toy: wait less', { after: day });
    const v2 = post('<v2>', '[PATCH v2] toy: wait less', { after: -180 });
    expect(assembleSeries([v1, v2])[1]?.replaces?.id).toBe('<v1>');
    expect(assembleSeries([v2, v1])[0]?.replaces).toBeUndefined();
  });

  test('is none where one patch was sent again under a title that was put right', () => {
    const paths = ['drivers/toy/toy.c'];
    const cover = post('<c>', '[PATCH 0/2] toy: poll', { after: day });
    const under = { parents: ['<c>'], paths };
    const one = post('<p1>', '[PATCH 1/2] toy: one', under);
    const two = post('<p2>', '[PATCH 2/2] toy: tow', under);
    const again = post('<p3>', '[PATCH 2/2] toy: two', under);
    expect(assembleSeries([cover, one, two, again]).map(({ id }) => id)).toEqual(['<c>']);
  });

  test('of another person replaces it by its titles', () => {
    const heads = [
      ...first(),
      post('<v2-1>', '[PATCH v2 1/2] toy: one', { after: day, author: 'eve@example.org', authorName: 'Eve Example' }),
    ];
    expect(assembleSeries(heads)[1]?.replaces).toEqual({ id: '<v1-0>', evidence: 'title' });
  });

  test('with the same change-id replaces it whatever else has changed', () => {
    const heads = [
      post('<a>', '[PATCH 0/2] toy: old', { changeId: '20210101-toy-123' }),
      post('<b>', '[PATCH v2 0/5] clk: new', { changeId: '20210101-toy-123', after: day }),
    ];
    expect(assembleSeries(heads)[1]?.replaces).toEqual({ id: '<a>', evidence: 'change-id' });
  });

  test('replaces the last one, not the first', () => {
    const heads = [
      ...first(),
      post('<v2-0>', '[PATCH v2 0/2] toy: poll', { after: day }),
      post('<v3-0>', '[PATCH v3 0/2] toy: poll', { after: day }),
    ];
    const series = assembleSeries(heads);
    expect(series.map((s) => s.supersededBy)).toEqual(['<v2-0>', '<v3-0>', undefined]);
    expect(series[2]?.replaces?.id).toBe('<v2-0>');
  });

  test('of one patch only (v5.1 10/12) says so, and the next whole version ends both', () => {
    const heads = [
      post('<v5-0>', '[PATCH v5 0/12] toy: poll'),
      post('<v5-10>', '[PATCH v5 10/12] toy: ten', { parents: ['<v5-0>'] }),
      post('<v5.1>', '[PATCH v5.1 10/12] toy: ten', { parents: ['<v5-10>', '<v5-0>'], after: day }),
    ];
    const before = assembleSeries(heads);
    expect(before[1]).toMatchObject({
      version: 5.1,
      partial: true,
      replaces: { id: '<v5-0>', evidence: 'in-reply-to' },
    });
    expect(before[0]?.supersededBy).toBeUndefined();
    expect(before[0]?.resent).toEqual([{ id: '<v5-10>', by: '<v5.1>' }]);
    const after = assembleSeries([...heads, post('<v6-0>', '[PATCH v6 0/12] toy: poll', { after: day })]);
    expect(after[2]?.replaces?.id).toBe('<v5-0>');
    expect(after.map((s) => s.supersededBy)).toEqual(['<v6-0>', '<v6-0>', undefined]);
  });

  test('of patches one by one ends those that it sends again, and all of it with the last', () => {
    const again = (n: number, version: string): PatchHead =>
      post(`<${version}-${n}>`, `[PATCH ${version} ${n}/2] toy: ${['one', 'two'][n - 1] ?? ''}`, {
        parents: [`<v1-${n}>`, '<v1-0>'],
        after: 4 * day,
      });
    const one = [...first(), again(1, 'v1.1')];
    expect(assembleSeries(one)[0]?.resent).toEqual([{ id: '<v1-1>', by: '<v1.1-1>' }]);
    const twice = [...one, again(1, 'v1.2')];
    expect(assembleSeries(twice).map((s) => s.supersededBy)).toEqual([undefined, '<v1.2-1>', undefined]);
    const both = assembleSeries([...twice, again(2, 'v1.1')]);
    expect(both[0]?.supersededBy).toBe('<v1.1-2>');
    expect(both[0]?.resent).toBeUndefined();
  });

  test('of a series that has shrunk to one patch is the whole series where it has a cover letter', () => {
    const heads = [
      ...first(),
      post('<v2-0>', '[PATCH v2 0/1] toy: poll', { after: day }),
      post('<v2-1>', '[PATCH v2 1/1] toy: one', { parents: ['<v2-0>'], after: day }),
    ];
    const series = assembleSeries(heads);
    expect(series[1]?.partial).toBeUndefined();
    expect(series[0]?.supersededBy).toBe('<v2-0>');
  });

  test('of fewer than half of the patches, without a cover letter, is a part', () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const heads = [
      ...names.map((name, at) => post(`<v1-${at + 1}>`, `[PATCH ${at + 1}/6] toy: ${name}`)),
      post('<v2-1>', '[PATCH v2 1/2] toy: five', { after: day }),
      post('<v2-2>', '[PATCH v2 2/2] toy: six', { parents: ['<v2-1>'], after: day }),
    ];
    expect(assembleSeries(heads)[1]).toMatchObject({ partial: true, replaces: { id: '<v1-1>' } });
  });

  test('is not another batch of AUTOSEL with the same patch', () => {
    const heads = [
      post('<a>', '[PATCH AUTOSEL 4.14 03/33] toy: one', { branch: 'AUTOSEL 4.14' }),
      post('<b>', '[PATCH AUTOSEL 4.14 311/371] toy: one', { branch: 'AUTOSEL 4.14', after: 80 * day }),
    ];
    expect(assembleSeries(heads).map((s) => s.replaces)).toEqual([undefined, undefined]);
  });

  test('that is a RESEND replaces the same patches of the same version', () => {
    const heads = [...first(), post('<r1>', '[PATCH RESEND 1/2] toy: one', { after: 20 * day })];
    const series = assembleSeries(heads);
    expect(series).toHaveLength(2);
    expect(series[1]).toMatchObject({ resend: true, replaces: { id: '<v1-0>', evidence: 'resend' } });
  });

  test('without a number, cut out of v3, is a part of v3 and no v1 sent again', () => {
    const version = (v: string): PatchHead[] =>
      ['one', 'two', 'three'].map((name, at) =>
        post(`<${v}-${at + 1}>`, `[PATCH${v === 'v1' ? '' : ` ${v}`} ${at + 1}/3] toy: ${name}`, {
          parents: at === 0 ? [] : [`<${v}-1>`],
          after: at === 0 ? 5 * day : 1,
        }),
      );
    const versions = ['v1', 'v2', 'v3'].map(version);
    const cut = [
      post('<c1>', '[PATCH 1/2] toy: one', { after: 5 * day }),
      post('<c2>', '[PATCH 2/2] toy: two', { parents: ['<c1>'] }),
    ];
    const series = assembleSeries([...versions.flat(), ...cut]);
    expect(series.at(-1)).toMatchObject({
      id: '<c1>',
      partial: true,
      replaces: { id: '<v3-1>', evidence: 'author-title' },
    });
    expect(series[2]?.supersededBy).toBeUndefined();
    expect(series[2]?.resent?.map(({ id }) => id)).toEqual(['<v3-1>', '<v3-2>']);
    const early = assembleSeries([...(versions[0] ?? []), ...cut]);
    expect(early.at(-1)).toMatchObject({ replaces: { id: '<v1-1>', evidence: 'resend' } });
  });

  test('follows an RFC', () => {
    const heads = [post('<rfc>', '[RFC PATCH v3] toy: one'), post('<v1>', '[PATCH] toy: one', { after: 9 * day })];
    expect(assembleSeries(heads)[1]?.replaces).toEqual({ id: '<rfc>', evidence: 'author-title' });
  });

  test('replaces the patch before it, not an RFC of a higher version', () => {
    const heads = [
      post('<rfc>', '[RFC v5] toy: one', { after: day }),
      post('<v1>', '[PATCH] toy: one', { after: day }),
      post('<v2>', '[PATCH v2] toy: one', { after: day }),
    ];
    expect(assembleSeries(heads).map((s) => s.replaces?.id)).toEqual([undefined, '<rfc>', '<v1>']);
  });

  test('is not seen in a series that answers another', () => {
    const heads = [
      ...first(),
      post('<f>', '[PATCH 1/1] toy: fix what poll broke', { parents: ['<v1-0>'] }),
      post('<g>', '[PATCH 0/2] toy: poll', { after: 30 * day }),
      post('<g1>', '[PATCH 1/2] toy: quite another', { parents: ['<g>'] }),
    ];
    expect(assembleSeries(heads).map((s) => s.replaces)).toEqual([undefined, undefined, undefined]);
  });

  test('is not known before it has come', () => {
    const heads = [...first(), post('<v2-0>', '[PATCH v2 0/2] toy: poll', { after: day })];
    expect(assembleSeries(heads.slice(0, 3))[0]?.supersededBy).toBeUndefined();
  });
});

describe('the head of a mail', () => {
  const diff = ['diff --git a/t.c b/t.c', '--- a/t.c', '+++ b/t.c', '@@ -1 +1 @@', '-a', '+b'].join('\n');

  test('is absent for replies, talk and mails without an id', () => {
    expect(headOf(mailOf('thanks', { subject: 'Re: [PATCH 1/2] toy: one' }), [])).toBeUndefined();
    expect(headOf(mailOf('hello', { subject: 'toy is slow' }), [])).toBeUndefined();
    const { id, ...nameless } = mailOf('x', { subject: '[PATCH 0/2] x' });
    expect(id).toBeDefined();
    expect(headOf(nameless, [])).toBeUndefined();
  });

  test('has the parents, nearest first', () => {
    const mail = mailOf('', { subject: '[PATCH 0/2] x', inReplyTo: ['<c>'], references: ['<a>', '<b>', '<c>'] });
    expect(headOf(mail, [])?.parents).toEqual(['<c>', '<b>', '<a>']);
  });

  test('finds the change-id of a cover', () => {
    const mail = mailOf('Hello\n\n---\nbase-commit: abc\nchange-id: 20210101-toy-12345\n', {
      subject: '[PATCH 0/2] x',
    });
    expect(headOf(mail, [])?.changeId).toBe('20210101-toy-12345');
  });

  test('an answer that carries the next version is one', () => {
    const text = [
      '> why?',
      '',
      'Like so:',
      '',
      '-- >8 --',
      'Subject: [PATCH v2] toy: one',
      '',
      'Because.',
      '',
      diff,
    ].join('\n');
    const mail = mailOf(text, { subject: 'Re: [PATCH] toy: one', inReplyTo: ['<v1>'] });
    expect(headOf(mail, parsePatches(mail).patches)).toMatchObject({
      version: 2,
      title: 'toy: one',
      parents: ['<v1>'],
    });
    const plain = mailOf(['> why?', '', 'Like so:', '', diff].join('\n'), { subject: 'Re: [PATCH] toy: one' });
    expect(parsePatches(plain).patches).toHaveLength(1);
    expect(headOf(plain, parsePatches(plain).patches)).toBeUndefined();
  });
});

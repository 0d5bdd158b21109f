import { describe, expect, test } from 'vitest';
import { parseSubject } from '../../src/core/patch/index.js';

describe('a subject line', () => {
  test('gives title, prefix, tags, version and n/m', () => {
    expect(parseSubject('[PATCH v2 net-next RFC 3/7] net: toy: poll faster')).toEqual({
      title: 'net: toy: poll faster',
      prefix: 'PATCH v2 net-next RFC 3/7',
      tags: ['net-next', 'RFC'],
      listTags: [],
      version: 2,
      index: 3,
      total: 7,
      isPatch: true,
      isReply: false,
      isForward: false,
      isResend: false,
      isRfc: true,
    });
  });

  test.each([
    ['[PATCH1/8] a: b', 1, 1, 8],
    ['[PATCH 1 of 3] a: b', 1, 1, 3],
    ['[PATCH V2 04/10] a: b', 2, 4, 10],
    ['[PATCHv3 1/2] a: b', 3, 1, 2],
    ['[PATCH-v4,2/2] a: b', 4, 2, 2],
    ['[v4,1/1] a: b', 4, 1, 1],
    ['[net-next,v3 1/2] a: b', 3, 1, 2],
    ['[PATCH v5.1 10/12] a: b', 5.1, 10, 12],
    ['[PATCH v2][next 1/2] a: b', 2, 1, 2],
    ['[PATCH 0/3] a: b', 1, 0, 3],
    ['[PATCH version 4 1 / 2] a: b', 4, 1, 2],
    ['[RFC/PATCH v2 1/2] a: b', 2, 1, 2],
    ['[RFCv2 1/2] a: b', 2, 1, 2],
  ])('%s has its version and numbers', (subject, version, index, total) => {
    expect(parseSubject(subject)).toMatchObject({ version, index, total, isPatch: true, title: 'a: b' });
  });

  test.each([
    '[PATCH] foo: 508/512 bytes are enough',
    '[PATCH] foo: handle 1/2',
    'foo: v2 of the bar 1/2',
    '[PATCH 3/4/5] foo: x',
    '[PATCH for v5.9] foo: x',
    '[PATCH v4.19] foo: x',
    '[PATCH 1/0] foo: x',
  ])('%s has no n/m and is version 1', (subject) => {
    const parsed = parseSubject(subject);
    expect(parsed.index).toBeUndefined();
    expect(parsed.total).toBeUndefined();
    expect(parsed.version).toBe(1);
  });

  test.each([
    'Re: [PATCH 1/2] a: b',
    'RE:[PATCH 1/2] a: b',
    'Re[2]: [PATCH 1/2] a: b',
    'AW: [PATCH 1/2] a: b',
    'SV: Re: [PATCH 1/2] a: b',
    '回复: [PATCH 1/2] a: b',
    '回复：[PATCH 1/2] a: b',
    '[kbuild] Re: [PATCH 1/2] a: b',
    'Re: [Intel-wired-lan] [PATCH 1/2] a: b',
  ])('%s is a reply', (subject) => {
    expect(parseSubject(subject)).toMatchObject({ isReply: true, isPatch: true, index: 1, total: 2, title: 'a: b' });
  });

  test('a forward is none', () => {
    expect(parseSubject('Fwd: [PATCH] a: b')).toMatchObject({ isReply: false, isForward: true, title: 'a: b' });
  });

  test("a list's own tag is neither tag nor prefix", () => {
    expect(parseSubject('[Intel-wired-lan] [PATCH net-next v2 0/3] a: b')).toMatchObject({
      prefix: 'PATCH net-next v2 0/3',
      tags: ['net-next'],
      listTags: ['Intel-wired-lan'],
      version: 2,
    });
  });

  test('RESEND and RFC in brackets of their own count', () => {
    expect(parseSubject('[RFC] [RESEND] [PATCH] a: b')).toMatchObject({
      isRfc: true,
      isResend: true,
      prefix: 'RFC RESEND PATCH',
    });
  });

  test('a pull request, a report and talk are no patches', () => {
    for (const subject of ['[GIT PULL 1/2] x', '[syzbot] [net?] KASAN', 'x [PATCH 1/2] y', '', '[', '[]']) {
      expect(parseSubject(subject).isPatch, subject).toBe(false);
    }
  });
});

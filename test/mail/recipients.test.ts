import { describe, expect, test } from 'vitest';
import { answerTo, parseMessage, type AnswerOptions } from '../../src/core/mail/index.js';

const list = 'linux-foo@lists.example.org';
const listHeaders = ['List-Id: <linux-foo.lists.example.org>', `List-Post: <mailto:${list}>`, `To: ${list}`];

async function answer(
  headers: readonly string[],
  options: AnswerOptions = {},
): Promise<{ to: string[]; cc: string[]; dropped: Record<string, string> }> {
  const { to, cc, dropped } = answerTo(await parseMessage(Buffer.from(`${headers.join('\n')}\n\nx\n`)), options);
  const plain = (addresses: readonly { address: string }[]): string[] => addresses.map(({ address }) => address);
  return {
    to: plain(to),
    cc: plain(cc),
    dropped: Object.fromEntries(dropped.map(({ address, why }) => [address, why])),
  };
}

describe('an answer goes', () => {
  test('to the author, and to nobody else unless a policy says so', async () => {
    expect(
      await answer([
        'From: Ann <ann@example.org>',
        ...listHeaders,
        'Cc: Bob <bob@example.org>, linux-bar@vger.kernel.org, lkp@intel.com',
      ]),
    ).toEqual({
      to: ['ann@example.org'],
      cc: [],
      dropped: {
        [list]: 'list not opted in',
        'bob@example.org': 'person not copied by policy',
        'linux-bar@vger.kernel.org': 'list not opted in',
        'lkp@intel.com': 'a robot',
      },
    });
  });

  test('to lists that opted in by their whole address, not by a part of it', async () => {
    const headers = ['From: ann@example.org', `To: ${list}, x${list}`];
    expect(await answer(headers, { lists: [list.toUpperCase()] })).toMatchObject({
      cc: [list],
      dropped: { [`x${list}`]: 'list not opted in' },
    });
  });

  test('to Reply-To first', async () => {
    expect((await answer(['From: ann@example.org', 'Reply-To: ann@home.example.org', ...listHeaders])).to).toEqual([
      'ann@home.example.org',
    ]);
  });

  test('past a Reply-To that a list put there', async () => {
    expect((await answer(['From: ann@example.org', `Reply-To: ${list}`, ...listHeaders])).to).toEqual([
      'ann@example.org',
    ]);
  });

  test('to the in-body author behind a relay that reads no mail', async () => {
    const headers = ['From: "Ann via B4 Relay" <devnull+ann.example.org@kernel.org>', ...listHeaders];
    expect((await answer(headers, { author: { name: 'Ann', address: 'ann@example.org' } })).to).toEqual([
      'ann@example.org',
    ]);
    expect((await answer([...headers, 'Reply-To: ann@example.org'])).to).toEqual(['ann@example.org']);
    expect((await answer([...headers, 'Cc: Someone <ann@example.org>'])).to).toEqual(['ann@example.org']);
    expect((await answer(headers)).to).toEqual([]);
  });

  test('to the sender whom a list munged, found by name or by X-Original-From', async () => {
    const munged = [`From: Ann Writer via linux-foo <${list}>`, ...listHeaders];
    expect((await answer([...munged, 'Cc: Ann Writer <ann@example.org>'])).to).toEqual(['ann@example.org']);
    expect((await answer([...munged, 'X-Original-From: Ann <ann@example.org>'])).to).toEqual(['ann@example.org']);
    expect((await answer(munged)).to).toEqual([]);
  });

  test('never to ourselves, with a tag or without', async () => {
    const seen = await answer(['From: bot+x@example.com', 'To: Bot@example.com', ...listHeaders], {
      own: ['bot@example.com'],
    });
    expect(seen.to).toEqual([]);
    expect(seen.dropped).toMatchObject({
      'bot+x@example.com': 'our own address',
      'Bot@example.com': 'our own address',
    });
  });

  test('to people of the thread if the policy says so, once each', async () => {
    const headers = [
      'From: ann@example.org',
      'To: "Doe, Bob" <bob@example.org>, BOB@example.org',
      'Cc: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>, ann@example.org',
    ];
    expect(await answer(headers, { people: 'copy' })).toEqual({
      to: ['ann@example.org'],
      cc: ['bob@example.org', 'joerg@example.org'],
      dropped: {},
    });
  });

  test('not into a group that hides nobody, nor to what is no address', async () => {
    const headers = [
      'From: ann@example.org',
      'To: undisclosed-recipients:;, a@b@c, <>, "x\\r\\nBcc: y" <z@example.org>',
    ];
    expect((await answer(headers, { people: 'copy' })).cc).toEqual(['z@example.org']);
  });
});

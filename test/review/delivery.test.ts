import { describe, expect, test } from 'vitest';
import {
  checkThread,
  decideDelivery,
  guardMail,
  hours,
  minutes,
  silenceReasons,
  type Arrived,
  type Candidate,
  type DeliveryInput,
  type History,
  type Point,
  type Posting,
  type SilenceReason,
  type ThreadMail,
} from '../../src/core/review/index.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { patchMail, replyMail } from '../support/thread-mails.js';

const posted = Date.UTC(2026, 0, 5, 9);
const now = posted + hours(1);
const list = 'wake.lists.example.org';
const quote = ['-\t\tmsleep(100);', '+\t\tusleep_range(1000, 2000);'];
const boot: Point = { fingerprint: 'boot', rule: 'boot-path-change', nit: false, reason: 'boot-path-change', quote };
const nit = (n: number): Point => ({ fingerprint: `nit${n}`, rule: `nit-${n}`, nit: true, quote: [] });
const candidate: Candidate = { target: '<p@example.org>', worth: true, points: [boot] };

const quiet: History = {
  killed: false,
  firstStart: posted - hours(48),
  ownIds: [],
  mutes: [],
  spoken: [],
  claimed: [],
  approved: { [list]: 20 },
  recent: [],
};

function arrived(mail: ThreadMail, more: Partial<Arrived> = {}): Arrived {
  return { mail: { date: posted, ...mail }, at: posted, lists: [list], ...more };
}

function posting(more: Partial<Posting> = {}): Posting {
  const id = '<p@example.org>';
  return { id, version: 1, total: 1, complete: true, members: [id], earlier: [], lineage: id, ...more };
}

type Case = Partial<DeliveryInput> & {
  mail?: Partial<ThreadMail>;
  past?: Partial<History>;
  replies?: ThreadMail[];
  candidate?: Candidate;
};

function decide(given: Case = {}): ReturnType<typeof decideDelivery> {
  const mails = [arrived(patchMail('p', given.mail)), ...(given.replies ?? []).map((mail) => arrived(mail))];
  return decideDelivery({
    thread: { posting: posting(), mails },
    policy: policyOf([listPolicy()]),
    history: { ...quiet, ...given.past },
    now,
    candidate,
    ...given,
  });
}

describe('the decision to speak', () => {
  test('a patch written in the second of the first start is answered: its Date has no milliseconds', () => {
    expect(decide({ past: { firstStart: posted + 999 } }).kind).toBe('speak');
  });

  test('a worthy patch on a list that opted in is answered there, before it is a day old', () => {
    expect(decide()).toEqual({
      kind: 'speak',
      channel: 'list',
      home: list,
      lists: [list],
      author: 'ada@example.org',
      keep: ['boot'],
      expires: posted + hours(24),
    });
  });

  const silences: [SilenceReason, string, Case][] = [
    ['no-policy', 'without a policy', { policy: { kind: 'none', why: 'policy.yaml: cannot be read' } }],
    ['kill-file', 'while the kill file is there', { past: { killed: true } }],
    ['own-mail', 'to our own address', { mail: { from: 'reveille@bot.example.org', authors: [] } }],
    ['own-mail', 'to our own address with a tag', { mail: { from: 'reveille+x@bot.example.org', authors: [] } }],
    ['own-mail', 'to an alias of ours', { mail: { from: 'reveille-old@bot.example.org', authors: [] } }],
    ['own-mail', 'to a mail whose id is in our outbox', { past: { ownIds: ['<p@example.org>'] } }],
    ['bot', 'to a robot', { mail: { kind: 'bot' } }],
    ['bounce', 'to a bounce', { mail: { headers: { returnPath: '<>' } } }],
    ['bounce', 'to a mailer daemon', { mail: { from: 'MAILER-DAEMON@mx.example.org' } }],
    ['auto-reply', 'to an automatic reply', { mail: { headers: { autoSubmitted: 'auto-replied' } } }],
    ['notification', 'to a commit notification', { mail: { kind: 'notification' } }],
    ['stable', 'to a backport', { mail: { kind: 'stable' } }],
    ['stable', 'to AUTOSEL', { mail: { subject: '[PATCH AUTOSEL 5.10 3/9] wake: sleep less' } }],
    ['pull-request', 'to a pull request', { mail: { kind: 'pull-request' } }],
    ['counter-patch', 'to a patch inside a discussion', { mail: { kind: 'counter-patch' } }],
    ['not-a-patch', 'to a reply', { mail: { kind: 'reply' } }],
    ['patchwork-ignore', 'when the sender asks tools to ignore it', { mail: { headers: { patchworkHint: 'ignore' } } }],
    [
      'ignored-sender',
      'to a sender the policy ignores',
      { policy: policyOf([listPolicy()], { ignore: ['ADA@example.org'] }) },
    ],
    [
      'ignored-sender',
      'to a domain the list ignores',
      { policy: policyOf([listPolicy({ ignore: ['@example.org'] })]) },
    ],
    ['author-muted', 'to an author who said stop', { past: { mutes: [{ scope: 'author', key: 'Ada@example.org' }] } }],
    [
      'series-muted',
      'on a series that was stopped',
      { past: { mutes: [{ scope: 'series', key: '<p@example.org>' }] } },
    ],
    ['list-muted', 'on a list that was stopped', { past: { mutes: [{ scope: 'list', key: list }] } }],
    ['before-first-start', 'to what came before the first start', { past: { firstStart: posted + 1000 } }],
    ['too-old', 'after a day', { now: posted + hours(24) + 1 }],
    ['too-old', 'to a mail that was written days ago and came today', { mail: { date: posted - hours(24) } }],
    [
      'newer-version',
      'when a newer version has come',
      { thread: { posting: posting({ supersededBy: '<v2@example.org>' }), mails: [arrived(patchMail('p'))] } },
    ],
    ['applied', 'after "applied"', { replies: [replyMail('r', 'p', 'Thanks, applied to wake-next.\n')] }],
    ['rejected', 'after a NAK', { replies: [replyMail('r', 'p', '> foo\n\nNAK, the hardware needs this.\n')] }],
    ['series-answered', 'a second time', { past: { claimed: ['<p@example.org>'] } }],
    ['list-off', 'where the policy says none', { policy: policyOf([listPolicy({ channel: 'none' })]) }],
    [
      'path-filtered',
      'outside the paths of the policy',
      { policy: policyOf([listPolicy({ paths: { only: ['drivers/wak'], never: [] } })]) },
    ],
    [
      'path-filtered',
      'on a path the policy never wants',
      { policy: policyOf([listPolicy({ paths: { never: ['drivers/wake/'] } })]) },
    ],
    [
      'subsystem-filtered',
      'on a subsystem it never wants',
      { policy: policyOf([listPolicy({ subsystems: { never: ['wake'] } })]) },
    ],
    ['nothing-to-say', 'when the content is not worth it', { candidate: { ...candidate, worth: false } }],
    ['nothing-to-say', 'for nits alone', { candidate: { ...candidate, points: [nit(1)] } }],
    ['reason-filtered', 'for a reason the list does not want', { policy: policyOf([listPolicy({ worth: ['risk'] })]) }],
    [
      'rule-muted',
      'by a rule that was marked wrong twice',
      { past: { mutes: [{ scope: 'rule', key: 'boot-path-change' }] } },
    ],
    ['rule-muted', 'with a finding that was marked wrong', { past: { mutes: [{ scope: 'finding', key: 'boot' }] } }],
    [
      'rule-muted',
      'by a rule the list has switched off',
      { policy: policyOf([listPolicy({ rulesOff: ['boot-path-change'] })]) },
    ],
    [
      'cap-day',
      'over the cap of the day',
      {
        policy: policyOf([listPolicy({ caps: { hour: 9, day: 1, author: 9 } })]),
        past: { recent: [{ at: now - hours(23), lists: [list], author: 'bob@example.org', live: true }] },
      },
    ],
    [
      'cap-day',
      'over the cap of all lists',
      {
        policy: policyOf([listPolicy()], { caps: { hour: 9, day: 1, author: 9 } }),
        past: { recent: [{ at: now - hours(2), lists: ['else.example.org'], author: 'bob@example.org', live: true }] },
      },
    ],
    [
      'cap-author',
      'over the cap for the author',
      {
        policy: policyOf([listPolicy({ caps: { hour: 9, day: 9, author: 1 } })]),
        past: { recent: [{ at: now - hours(23), lists: [list], author: 'ada@example.org', live: true }] },
      },
    ],
    [
      'said-by-someone',
      'when a reviewer has said it under the same line',
      {
        replies: [
          replyMail('r', 'p', `> ${quote[0] ?? ''}\n> ${quote[1] ?? ''}\n\nDoes any drive rely on the longer sleep?\n`),
        ],
      },
    ],
    [
      'said-before',
      'when an earlier version was told',
      {
        thread: {
          posting: posting({ id: '<p@example.org>', earlier: ['<v1@example.org>'] }),
          mails: [arrived(patchMail('p'))],
        },
        past: {
          spoken: [{ fingerprint: 'boot', posting: '<v1@example.org>', author: 'eve@example.org', causing: true }],
        },
      },
    ],
    [
      'said-before',
      'when the author was told on an earlier posting nobody can link',
      {
        past: {
          spoken: [{ fingerprint: 'boot', posting: '<else@example.org>', author: 'ada@example.org', causing: true }],
        },
      },
    ],
  ];
  test.each(silences)('%s: nothing is said %s', (reason, _, given) => {
    expect(decide(given)).toMatchObject({ kind: 'silent', reason });
  });

  test('a mail that came through another list is not answered, however its address looks', () => {
    const mails = ['wake.lists.example.org.evil.example.com', 'lists.example.org', 'other.lists.example.org'];
    for (const other of mails) {
      const thread = { posting: posting(), mails: [arrived(patchMail('p'), { lists: [other] })] };
      expect(decide({ thread })).toMatchObject({ reason: 'list-not-named' });
    }
  });

  test('every reason for silence has its sentence', () => {
    const tested = new Set(silences.map(([reason]) => reason));
    expect([...tested].filter((reason) => !(reason in silenceReasons))).toEqual([]);
    expect(Object.values(silenceReasons).every((text) => text.length > 10)).toBe(true);
  });

  test('a posting is left to settle, longer while its mails trickle in, but not for ever', () => {
    const cover = patchMail('p', { kind: 'cover' });
    const at = (ms: number, second: number): DeliveryInput => ({
      thread: {
        posting: posting({ cover: '<p@example.org>', members: ['<q@example.org>'] }),
        mails: [arrived(cover), arrived(patchMail('q'), { at: posted + second })],
      },
      policy: policyOf([listPolicy()]),
      history: quiet,
      now: posted + ms,
    });
    expect(checkThread(at(minutes(5), 0))).toEqual({ kind: 'later', until: posted + minutes(20), why: 'settle' });
    expect(checkThread(at(minutes(20), minutes(10)))).toEqual({
      kind: 'later',
      until: posted + minutes(30),
      why: 'settle',
    });
    expect(checkThread(at(minutes(79), minutes(75)))).toEqual({
      kind: 'later',
      until: posted + minutes(80),
      why: 'settle',
    });
    expect(checkThread(at(minutes(80), minutes(75)))).toMatchObject({ kind: 'open' });
  });

  test('under an embargo people speak first', () => {
    const policy = policyOf([listPolicy({ embargo: hours(6) })]);
    expect(decide({ policy })).toEqual({ kind: 'later', until: posted + hours(6), why: 'embargo' });
    expect(decide({ policy, now: posted + hours(6) })).toMatchObject({ kind: 'speak' });
  });

  test('the cap of the hour puts a reply off until the oldest is an hour old', () => {
    const policy = policyOf([listPolicy({ caps: { hour: 2, day: 9, author: 9 } })]);
    const sent = (minutesAgo: number): History['recent'][number] => ({
      at: now - minutes(minutesAgo),
      lists: [list],
      author: 'bob@example.org',
      live: true,
    });
    const past = { recent: [sent(10), sent(50), sent(70)] };
    expect(decide({ policy, past })).toEqual({ kind: 'later', until: now + minutes(10), why: 'cap-hour' });
    expect(decide({ policy, past: { recent: [sent(10), sent(60)] } })).toMatchObject({ kind: 'speak' });
  });

  test("dry runs and mails that leave do not use up each other's caps", () => {
    const policy = policyOf([listPolicy({ caps: { hour: 1, day: 1, author: 1 } })]);
    const past = { recent: [{ at: now - 1, lists: [list], author: 'ada@example.org', live: false }] };
    expect(decide({ policy, past })).toMatchObject({ kind: 'speak' });
  });

  test('the first twenty replies on a list wait for the operator, the next does not', () => {
    expect(decide({ past: { approved: {} } })).toMatchObject({ held: 'first-twenty' });
    expect(decide({ past: { approved: { [list]: 19 } } })).toMatchObject({ held: 'first-twenty' });
    expect(decide({ past: { approved: { [list]: 20 } } })).not.toHaveProperty('held');
    expect(decide({ policy: policyOf([listPolicy({ approval: 'all' })]) })).toMatchObject({ held: 'approval' });
    expect(
      decide({ policy: policyOf([listPolicy({ channel: 'dry-run' })]), past: { approved: {} } }),
    ).not.toHaveProperty('held');
  });

  test('of three lists only those that opted in get a copy, and the list decides that allows most', () => {
    const policy = policyOf([
      listPolicy({ listId: 'dry.example.org', channel: 'dry-run' }),
      listPolicy({ listId: 'none.example.org', channel: 'none' }),
      listPolicy(),
      listPolicy({ listId: 'second.example.org' }),
    ]);
    const lists = ['dry.example.org', 'none.example.org', 'second.example.org', 'unnamed.example.org', list];
    const thread = { posting: posting(), mails: [arrived(patchMail('p'), { lists })] };
    const past = { approved: { [list]: 20, 'second.example.org': 20 } };
    expect(decide({ policy, thread, past })).toMatchObject({
      channel: 'list',
      home: list,
      lists: [list, 'second.example.org'],
    });
  });

  test('an author may be left alone with one nit or with all', () => {
    const many = { ...candidate, points: [nit(1), boot, nit(2)] };
    const off = (...nitsOff: readonly string[]) =>
      policyOf([listPolicy()], { authors: { 'ada@example.org': { nitsOff } } });
    expect(decide({ candidate: many, policy: off('nit-1') })).toMatchObject({ keep: ['boot', 'nit2'] });
    expect(decide({ candidate: many, policy: off('all') })).toMatchObject({ keep: ['boot'] });
    const other = policyOf([listPolicy()], { authors: { 'bo@example.org': { nitsOff: ['all'] } } });
    expect(decide({ candidate: many, policy: other })).toMatchObject({ keep: ['nit1', 'boot', 'nit2'] });
  });

  test('a nit that a person has remarked on under the quoted line is not said again', () => {
    const quoted = { ...nit(1), quote: ['+\tint wake;'] };
    const replies = [replyMail('r', 'p', '> +\tint wake;\n\nPlease sort these.\n')];
    expect(decide({ candidate: { ...candidate, points: [boot, quoted] }, replies })).toMatchObject({ keep: ['boot'] });
  });

  test('three nits may ride on a mail, fewer where the list says so, none that it has switched off', () => {
    const many = { ...candidate, points: [nit(1), boot, nit(2), nit(3), nit(4)] };
    expect(decide({ candidate: many })).toMatchObject({ keep: ['nit1', 'boot', 'nit2', 'nit3'] });
    const policy = policyOf([listPolicy({ nits: { limit: 1, off: ['nit-1'] } })]);
    expect(decide({ candidate: many, policy })).toMatchObject({ keep: ['boot', 'nit2'] });
  });

  test('a nit said to the author elsewhere may be said again on other work of his, not on a new version', () => {
    const both = { ...candidate, points: [boot, nit(1)] };
    const told = { fingerprint: 'nit1', author: 'ada@example.org', causing: false };
    expect(decide({ candidate: both, past: { spoken: [{ ...told, posting: '<else@example.org>' }] } })).toMatchObject({
      keep: ['boot', 'nit1'],
    });
    expect(decide({ candidate: both, past: { spoken: [{ ...told, posting: '<p@example.org>' }] } })).toMatchObject({
      keep: ['boot'],
    });
  });

  test('a clock of the sender that runs ahead makes no mail younger', () => {
    const mail = { date: posted + hours(1000) };
    expect(decide({ mail, now: posted + hours(24) })).toMatchObject({ kind: 'speak', expires: posted + hours(24) });
    expect(decide({ mail, now: posted + hours(24) + 1 })).toMatchObject({ reason: 'too-old' });
  });

  test('a patch without a Message-ID has nothing that an answer could name', () => {
    const { id, ...nameless } = patchMail('p');
    const state = policyOf([listPolicy()]);
    if (state.kind === 'none') throw new Error(state.why);
    expect(id).toBeDefined();
    expect(guardMail(nameless, state.policy)).toBe('no-message-id');
    expect(guardMail({ ...nameless, id: '<p@example.org>' }, state.policy)).toBeUndefined();
  });

  test('the list mark "Precedence: bulk" and X-Patchwork-Hint of other kinds are no sign of a robot', () => {
    expect(
      decide({
        mail: {
          headers: { patchworkHint: 'comment', autoSubmitted: 'no', returnPath: '<wake+bounces@lists.example.org>' },
        },
      }),
    ).toMatchObject({ kind: 'speak' });
  });
});

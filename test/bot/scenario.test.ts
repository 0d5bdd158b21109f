import { afterEach, describe, expect, test } from 'vitest';
import { hours } from '../../src/core/review/index.js';
import { approve, listQueue, readMutes, readQuarantine, readNotices, removeMute } from '../../src/shell/store/index.js';
import { mailText, patchBody, patchText, type MailText } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { World } from '../support/world.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const worlds: World[] = [];

async function world(...args: Parameters<typeof World.open>): Promise<World> {
  const made = await World.open(...args);
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const one of worlds.splice(0)) await one.close();
});

function part(n: number, of: number, more: Partial<MailText> = {}): string {
  const body = n === 0 ? 'A series about sleeping.\n' : patchBody(`drivers/wake/part${n}.c`);
  const subject = `[PATCH ${n}/${of}] wake: ${n === 0 ? 'sleep less' : `part ${n}`}`;
  return mailText({ id: `s${n}`, subject, body, parents: n === 0 ? [] : ['s0'], ...more });
}

describe('one mail a series', () => {
  test('a patch sent to three lists is answered once, to its author and the lists that opted in', async () => {
    const w = await world({
      lists: [
        listPolicy(),
        listPolicy({ listId: 'second.lists.example.org', address: 'second@lists.example.org' }),
        listPolicy({ listId: 'third.lists.example.org', address: 'third@lists.example.org', channel: 'none' }),
      ],
    });
    const to = 'wake@lists.example.org, second@lists.example.org, third@lists.example.org';
    for (const list of ['third', 'wake', 'second'])
      await w.mail(patchText({ id: 'p', to, list: `${list}.lists.example.org` }));
    await w.pass(21);
    await w.mail(patchText({ id: 'p', to, list: 'fourth.lists.example.org' }));
    await w.pass(60);
    expect(w.sent).toHaveLength(1);
    expect(w.sent[0]?.envelope.to).toEqual(['ada@example.org', 'wake@lists.example.org', 'second@lists.example.org']);
    expect(w.sent[0]?.lists).toEqual(['wake.lists.example.org', 'second.lists.example.org']);
  });

  test('a patch that first came through a list nobody named is answered when its copy comes through one', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'p', list: 'huge.lists.example.org' }));
    await w.pass(21);
    expect(w.silences).toEqual(['list-not-named']);
    await w.mail(patchText({ id: 'p' }));
    await w.pass(21);
    expect(w.sent).toHaveLength(1);
  });

  test('the parts of a series may come in any order, the cover last: one answer, to the cover', async () => {
    const w = await world();
    for (const n of [3, 1, 2, 0]) await w.mail(part(n, 3));
    await w.pass(21);
    await w.pass(120);
    expect(w.sent.map((s) => s.parent)).toEqual(['<s0@example.org>']);
  });

  test('where one patch of the series is concerned, that patch is answered', async () => {
    const w = await world();
    await w.mail(part(0, 2));
    await w.mail(part(1, 2, { body: patchBody('drivers/wake/a.c', 'x = 1;', 'x = 2;') }));
    await w.mail(part(2, 2));
    await w.pass(21);
    expect(w.sent.map((s) => s.parent)).toEqual(['<s2@example.org>']);
  });

  test('an incomplete series is judged on what is there, and its late patch gets no second answer', async () => {
    const w = await world();
    await w.mail(part(1, 3));
    await w.mail(part(3, 3));
    await w.pass(21);
    expect(w.sent).toHaveLength(1);
    await w.mail(part(2, 3));
    await w.mail(part(0, 3));
    await w.pass(21);
    expect(w.sent).toHaveLength(1);
    expect(w.silences).toEqual(['series-answered']);
  });

  test('while parts trickle in, the series is left to settle', async () => {
    const w = await world();
    await w.mail(part(0, 2));
    await w.pass(15);
    await w.mail(part(1, 2));
    await w.pass(10);
    expect(w.sent).toHaveLength(0);
    await w.pass(11);
    expect(w.sent).toHaveLength(1);
  });
});

describe('versions', () => {
  test('a second version within the settle time is the one that is answered', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'v1' }));
    await w.pass(10);
    await w.mail(patchText({ id: 'v2', subject: '[PATCH v2] wake: sleep less in reset' }));
    await w.pass(11);
    await w.pass(10);
    expect(w.silences).toEqual(['newer-version']);
    expect(w.sent.map((s) => s.parent)).toEqual(['<v2@example.org>']);
  });

  test.each([
    ['v2', '[PATCH v2] wake: sleep less in reset', ['v1']],
    ['v2 in a thread of its own', '[PATCH v2] wake: sleep less in reset', []],
    ['a RESEND', '[PATCH RESEND] wake: sleep less in reset', []],
  ])('%s is not told what the first posting was told', async (_, subject, parents) => {
    const w = await world();
    await w.mail(patchText({ id: 'v1' }));
    await w.pass(21);
    await w.mail(patchText({ id: 'v2', subject, parents, date: w.now }));
    await w.pass(21);
    expect(w.sent.map((s) => s.parent)).toEqual(['<v1@example.org>']);
    expect(w.silences).toEqual(['said-before']);
  });

  test('what is new in the second version may be said', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'v1' }));
    await w.pass(21);
    const body = patchBody('drivers/wake/wake.c', 'msleep(100);', 'udelay(90);');
    await w.mail(patchText({ id: 'v2', subject: '[PATCH v2] wake: sleep less in reset', body, date: w.now }));
    await w.pass(21);
    expect(w.sent.map((s) => s.parent)).toEqual(['<v1@example.org>', '<v2@example.org>']);
  });

  test('a reply that carries a new version ends the old one', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'v1' }));
    await w.mail(
      patchText({
        id: 'r',
        subject: 'Re: [PATCH] wake: sleep less in reset',
        parents: ['v1'],
        body: `From: Ada Dev <ada@example.org>\nSubject: [PATCH v2] wake: sleep less in reset\n\n${patchBody()}`,
      }),
    );
    await w.pass(21);
    expect(w.sent).toHaveLength(0);
    expect(w.silences).toEqual(['newer-version']);
  });

  test('one patch of a series that is sent again ends that patch only: the others and the new one have their answers', async () => {
    const w = await world();
    for (const n of [0, 1, 2, 3]) await w.mail(part(n, 3));
    const again = {
      subject: '[PATCH v2] wake: part 2',
      body: patchBody('drivers/wake/part2.c', 'msleep(100);', 'udelay(9);'),
    };
    await w.mail(mailText({ id: 's2b', ...again, parents: ['s0', 's2'] }));
    await w.pass(21);
    expect(w.sent.map((s) => s.parent).sort()).toEqual(['<s0@example.org>', '<s2b@example.org>']);
    expect(w.silences).toEqual(['newer-version']);
    const said = await w.store.read((db) => db.selectFrom('spoken').select(['fingerprint', 'posting']).execute());
    const about = (posting: string): string[] =>
      said
        .filter((one) => one.posting === posting)
        .map((one) => one.fingerprint.split(' ')[0] ?? '')
        .sort();
    expect(about('<s0@example.org>')).toEqual(['drivers/wake/part1.c', 'drivers/wake/part3.c']);
    expect(about('<s2b@example.org>')).toEqual(['drivers/wake/part2.c']);
  });

  test('a reply that waited for the operator is not sent once a newer version is there', async () => {
    const w = await world({ approved: 0 });
    await w.mail(patchText({ id: 'v1' }));
    await w.pass(21);
    const [held] = await w.store.read((db) => listQueue(db, ['held']));
    expect(held?.heldBy).toBe('first-twenty');
    await w.mail(patchText({ id: 'v2', subject: '[PATCH v2] wake: sleep less in reset', date: w.now }));
    await w.store.write((tx) => tx.updateTable('outbox').set({ state: 'due' }).execute());
    await w.pass(1);
    expect(w.sent).toHaveLength(0);
    expect(await w.store.read((db) => listQueue(db, ['cancelled']))).toMatchObject([{ why: 'newer-version' }]);
    await w.pass(21);
    expect(await w.store.read((db) => listQueue(db, ['held']))).toMatchObject([{ parent: '<v2@example.org>' }]);
  });
});

test('what is said of another patch that was posted as an answer is not said of this one', async () => {
  const w = await world();
  await w.mail(patchText({ id: 'p' }));
  const subject = '[PATCH] wake: quite another thing';
  await w.mail(
    patchText({ id: 'q', from: 'Bob <bob@example.org>', subject, parents: ['p'], body: patchBody('q.c', 'a;', 'b;') }),
  );
  await w.mail(
    mailText({
      id: 'r',
      from: 'maria@example.org',
      subject: `Re: ${subject}`,
      body: 'Applied, thanks!\n',
      headers: ['In-Reply-To: <q@example.org>'],
    }),
  );
  await w.pass(21);
  expect(w.sent.map((s) => s.parent)).toEqual(['<p@example.org>']);
});

describe('robots, and ourselves', () => {
  test("two robots do not talk to each other: a robot's patch and a robot's answer stay unanswered", async () => {
    const w = await world();
    await w.mail(patchText({ id: 'robot', from: 'kernel test robot <lkp@intel.com>' }));
    await w.mail(patchText({ id: 'auto', headers: ['Auto-Submitted: auto-generated'] }));
    await w.mail(patchText({ id: 'hint', headers: ['X-Patchwork-Hint: ignore'] }));
    await w.pass(21);
    await w.mail(patchText({ id: 'p', date: w.now }));
    await w.pass(21);
    const ours = w.sent[0];
    expect(w.sent).toHaveLength(1);
    const answer = {
      subject: 'Re: [PATCH] wake: sleep less in reset',
      headers: [`In-Reply-To: ${ours?.messageId ?? ''}`, 'Auto-Submitted: auto-replied'],
    };
    await w.mail(mailText({ id: 'ooo', from: 'ada@example.org', body: 'reveille: stop\n', ...answer }));
    await w.pass(60);
    expect(w.sent).toHaveLength(1);
    expect(await w.store.read((db) => readMutes(db))).toEqual([]);
  });

  test('our own reply, back through the list, is read and never answered', async () => {
    const w = await world();
    w.sending = () => ({ kind: 'ambiguous', why: 'dropped after the final dot' });
    await w.mail(patchText({ id: 'p' }));
    await w.pass(21);
    const [uncertain] = await w.store.read((db) => listQueue(db, ['uncertain']));
    await w.pass(300);
    expect(await w.store.read((db) => listQueue(db, ['uncertain']))).toHaveLength(1);
    await w.mail(`List-Id: <wake.lists.example.org>\n${text(uncertain?.bytes ?? new Uint8Array())}`);
    expect(await w.store.read((db) => listQueue(db))).toMatchObject([{ state: 'sent' }]);
    await w.pass(60);
    expect(await w.store.read((db) => listQueue(db))).toHaveLength(1);
  });

  test('commands in a copy of our mail, below a top-posted answer, are not obeyed', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'p' }));
    await w.pass(21);
    const ours = w.sent[0];
    const body = text(ours?.bytes ?? new Uint8Array())
      .split('\n\n')
      .slice(1)
      .join('\n\n');
    const answer = {
      from: 'ada@example.org',
      subject: 'Re: [PATCH] wake: sleep less in reset',
      headers: [`In-Reply-To: ${ours?.messageId ?? ''}`],
    };
    await w.mail(mailText({ id: 'top', body: `Thanks, interesting.\n\n${body}`, ...answer }));
    expect(await w.store.read((db) => readMutes(db))).toEqual([]);
    await w.mail(mailText({ id: 'stop', body: `reveille: stop\n\n${body}`, ...answer }));
    expect(await w.store.read((db) => readMutes(db))).toMatchObject([{ scope: 'author', key: 'ada@example.org' }]);
  });
});

describe('commands by reply', () => {
  async function answered(): Promise<{ w: World; say: (who: string, body: string, id?: string) => Promise<unknown> }> {
    const w = await world({ lists: [listPolicy({ maintainers: ['maria@example.org'] })] });
    await w.mail(patchText({ id: 'p', cc: 'bob@example.org' }));
    await w.pass(21);
    const ours = w.sent[0]?.messageId ?? '';
    const say = (who: string, body: string, id = who): Promise<unknown> =>
      w.mail(
        mailText({
          id: `say-${id}`,
          from: `${who}@example.org`,
          subject: 'Re: x',
          body,
          headers: [`In-Reply-To: ${ours}`],
        }),
      );
    return { w, say };
  }
  const later = (id: string, more: Partial<MailText> = {}): string =>
    patchText({ id, subject: `[PATCH] wake: other work ${id}`, body: patchBody(`drivers/wake/${id}.c`), ...more });

  test('an author who says stop gets no more mail, whatever he posts', async () => {
    const { w, say } = await answered();
    await say('ada', 'Not useful.\n\nreveille: stop\n');
    await w.mail(later('q', { date: w.now }));
    await w.mail(later('r', { date: w.now, from: 'Other <other@example.org>' }));
    await w.pass(21);
    expect(w.silences).toEqual(['author-muted']);
    expect(w.sent.map((s) => s.parent)).toEqual(['<p@example.org>', '<r@example.org>']);
    expect(w.sent).toHaveLength(2);
  });

  test('a maintainer of the list stops the list, a reader of the thread only the series, a stranger nothing', async () => {
    const { w, say } = await answered();
    await say('mallory', 'reveille: stop\n');
    expect(await w.store.read((db) => readMutes(db))).toEqual([]);
    await say('bob', 'reveille: stop list\n');
    expect(await w.store.read((db) => readMutes(db))).toMatchObject([{ scope: 'series', key: '<p@example.org>' }]);
    await say('maria', 'reveille: stop\n');
    await w.mail(later('q', { date: w.now }));
    await w.pass(21);
    expect(w.silences).toEqual(['list-muted']);
    const notices = await w.store.read((db) => readNotices(db));
    expect(notices.map((n) => n.kind)).toEqual(['command-ignored', 'muted', 'muted']);
  });

  test('two "wrong" mute the rule for everybody until the operator has looked; nobody is sent a confirmation', async () => {
    const { w, say } = await answered();
    await say('ada', 'reveille: wrong\n');
    await w.mail(later('q', { date: w.now, from: 'Other <other@example.org>' }));
    await w.pass(21);
    expect(w.sent).toHaveLength(2);
    await say('bob', 'reveille: wrong\n');
    await w.mail(later('r', { date: w.now, from: 'Third <third@example.org>' }));
    await w.pass(21);
    expect(w.silences).toEqual(['rule-muted']);
    expect(w.sent).toHaveLength(2);
    const kinds = (await w.store.read((db) => readNotices(db))).map((n) => n.kind);
    expect(kinds).toEqual(['rule-wrong', 'rule-muted']);
    await w.store.write((tx) => removeMute(tx, { scope: 'rule', key: 'boot-path-change' }));
    await w.mail(later('s', { date: w.now, from: 'Fourth <fourth@example.org>' }));
    await w.pass(21);
    expect(w.sent).toHaveLength(3);
  });

  test("a command that answers somebody else's mail is none", async () => {
    const { w } = await answered();
    await w.mail(mailText({ id: 'x', subject: 'Re: x', parents: ['p'], body: 'reveille: stop\n' }));
    expect(await w.store.read((db) => readMutes(db))).toEqual([]);
  });
});

describe('whom the answer goes to', () => {
  const shapes: [string, Partial<MailText>, string[]][] = [
    [
      'a list that rewrites the sender for DMARC',
      { from: '"Ada Dev via Wake" <wake@lists.example.org>', headers: ['Reply-To: Ada Dev <ada@example.org>'] },
      ['ada@example.org'],
    ],
    [
      'the original sender beside a rewritten one',
      { from: '"Ada Dev via Wake" <wake@lists.example.org>', headers: ['X-Original-From: Ada Dev <ada@example.org>'] },
      ['ada@example.org'],
    ],
    [
      'a b4 relay',
      { from: 'Ada Dev via B4 Relay <devnull+ada.example.org@kernel.org>', headers: ['Reply-To: ada@example.org'] },
      ['ada@example.org'],
    ],
    [
      'a comma in a display name',
      { from: '"Dev, Ada" <ada@example.org>', to: '"List, The" <wake@lists.example.org>, "Bob, B." <bob@example.org>' },
      ['ada@example.org'],
    ],
    [
      'a Reply-To that is the list',
      { headers: ['Reply-To: wake@lists.example.org', 'List-Post: <mailto:wake@lists.example.org>'] },
      ['ada@example.org'],
    ],
    ['people in Cc', { cc: 'Bob <bob@example.org>, Carol <carol@example.org>' }, ['ada@example.org']],
    ['the author in Cc too, in capitals', { cc: 'ADA@example.org, wake@lists.example.org' }, ['ada@example.org']],
    ['another list in To', { to: 'huge@lists.example.org, wake@lists.example.org' }, ['ada@example.org']],
    [
      'a patch by somebody else in its body',
      { body: `From: Eve <eve@example.org>\n\n${patchBody()}` },
      ['eve@example.org'],
    ],
  ];
  test.each(shapes)('%s', async (_, mail, to) => {
    const w = await world();
    await w.mail(patchText({ id: 'p', ...mail }));
    await w.pass(21);
    expect(w.sent[0]?.envelope.to).toEqual([...to, 'wake@lists.example.org']);
  });
});

describe('holding back', () => {
  test('under an embargo people speak first, and then it may be said already', async () => {
    const w = await world({ lists: [listPolicy({ embargo: hours(6) })] });
    await w.mail(patchText({ id: 'p' }));
    await w.pass(60);
    expect(w.sent).toHaveLength(0);
    const body = '> +\t\tusleep_range(1000, 2000);\n\nHow do you know that 1 ms is long enough?\n';
    await w.mail(
      mailText({
        id: 'r',
        from: 'bob@example.org',
        subject: 'Re: [PATCH] wake: sleep less in reset',
        parents: ['p'],
        body,
      }),
    );
    await w.pass(301);
    expect(w.silences).toEqual(['said-by-someone']);
  });

  test('a kill file stops all, and what was due comes when it is gone', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'p' }));
    w.killed = true;
    await w.pass(21);
    await w.pass(30);
    expect(w.sent).toHaveLength(0);
    w.killed = false;
    await w.pass(30);
    expect(w.sent).toHaveLength(1);
  });

  test('a kill file also stops what is written and waits to be sent', async () => {
    const w = await world();
    w.sending = () => ({ kind: 'refused', retry: 'later', why: '451' });
    await w.mail(patchText({ id: 'p' }));
    await w.pass(21);
    w.sending = () => ({ kind: 'sent' });
    w.killed = true;
    await w.pass(30);
    expect(w.sent).toHaveLength(0);
    w.killed = false;
    await w.pass(1);
    expect(w.sent).toHaveLength(1);
  });

  test('a policy that breaks and is mended loses nothing; one that stays broken sends nothing', async () => {
    const w = await world();
    const whole = w.policy;
    await w.mail(patchText({ id: 'p' }));
    w.policy = { kind: 'none', why: 'policy.yaml:3: unknown key' };
    await w.pass(21);
    w.policy = whole;
    await w.pass(30);
    expect(w.sent).toHaveLength(1);
    w.policy = { kind: 'none', why: 'policy.yaml:3: unknown key' };
    await w.mail(
      patchText({ id: 'q', subject: '[PATCH] wake: more', body: patchBody('drivers/wake/q.c'), date: w.now }),
    );
    await w.pass(21);
    await w.pass(60 * 25);
    expect(w.sent).toHaveLength(1);
    expect(w.silences).toEqual(['no-policy']);
  });

  test('a list that opts out between writing and sending gets nothing', async () => {
    const w = await world();
    await w.mail(patchText({ id: 'p' }));
    w.sending = () => ({ kind: 'refused', retry: 'later', why: '451' });
    await w.pass(21);
    w.sending = () => ({ kind: 'sent' });
    w.policy = policyOf([listPolicy({ channel: 'dry-run' })]);
    await w.pass(30);
    expect(w.sent).toHaveLength(0);
    expect(await w.store.read((db) => listQueue(db))).toMatchObject([{ state: 'cancelled', why: 'list-off' }]);
  });

  test('a mail that cannot be read, and one that cannot be judged, are put aside and the queue goes on', async () => {
    const w = await world();
    expect(await w.mail(patchText({ id: 'bad', subject: '[PATCH] POISON' }))).toMatchObject({ kind: 'quarantined' });
    await w.mail(patchText({ id: 'odd' }));
    await w.store.write((tx) => tx.updateTable('mails').set({ reading: '{' }).execute());
    await w.mail(patchText({ id: 'good', subject: '[PATCH] wake: good', body: patchBody('drivers/wake/good.c') }));
    for (let i = 0; i < 5; i++) await w.pass(10);
    expect(w.sent.map((s) => s.parent)).toEqual(['<good@example.org>']);
    const poison = await w.store.read((db) => readQuarantine(db));
    expect(poison.map((p) => p.mail).at(-1)).toBe('<odd@example.org>');
    expect(poison).toHaveLength(2);
    expect(w.silences).toEqual(['quarantined']);
  });

  test('what the operator never approves is never sent, and grows too old', async () => {
    const w = await world({ approved: 0 });
    await w.mail(patchText({ id: 'p' }));
    await w.pass(21);
    await w.pass(60 * 25);
    expect(w.sent).toHaveLength(0);
    expect(await w.store.read((db) => listQueue(db))).toMatchObject([{ state: 'cancelled', why: 'too-old' }]);
  });

  test('replies that the operator approves all at once still leave within the caps', async () => {
    const w = await world({ lists: [listPolicy({ caps: { hour: 2, day: 9, author: 9 } })], approved: 0 });
    for (const n of [1, 2, 3, 4]) {
      const from = `Dev <dev${n}@example.org>`;
      const body = patchBody(`drivers/d/${n}.c`);
      await w.mail(patchText({ id: `p${n}`, from, subject: `[PATCH] drv${n}: sleep less`, body, date: w.now }));
      await w.pass(40);
    }
    const held = await w.store.read((db) => listQueue(db, ['held']));
    expect(held).toHaveLength(4);
    for (const { id } of held) await w.store.write((tx) => approve(tx, id, w.now));
    await w.pass(1);
    expect(w.sent).toHaveLength(2);
    await w.pass(59);
    expect(w.sent).toHaveLength(2);
    await w.pass(2);
    expect(w.sent).toHaveLength(4);
  });

  test('after a refusal for now the same bytes go out again', async () => {
    const w = await world();
    const tried: string[] = [];
    w.sending = (reply) => {
      tried.push(text(reply.bytes));
      return tried.length < 3 ? { kind: 'refused', retry: 'later', why: '451' } : { kind: 'sent' };
    };
    await w.mail(patchText({ id: 'p' }));
    for (let i = 0; i < 6; i++) await w.pass(21);
    expect(tried).toHaveLength(3);
    expect(new Set(tried).size).toBe(1);
    expect(w.sent).toHaveLength(1);
  });
});

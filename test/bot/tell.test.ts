import { describe, expect, test } from 'vitest';
import { hours, minutes } from '../../src/core/review/index.js';
import { arrive } from '../../src/shell/bot/index.js';
import { tellNext, type TellParts } from '../../src/shell/bot/tell.js';
import type { OutgoingMail, SendResult } from '../../src/shell/transport/index.js';
import { mailText, patchBody } from '../support/mails.js';
import { readMail, World } from '../support/world.js';

const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, hide: ignore };
function ignore(): void {
  // the log is not what these tests look at
}

/** A world with two answered patches, and what people were told by mail. */
async function told(): Promise<{
  w: World;
  mails: { to: string; text: string }[];
  say: (who: string, nth: number, words: string, verified?: boolean) => Promise<void>;
  tell: (result?: SendResult) => Promise<boolean>;
}> {
  const w = await World.open();
  for (const id of ['one', 'two']) {
    const body = patchBody(`drivers/wake/${id}.c`);
    await w.mail(mailText({ id, subject: `[PATCH] wake: ${id}`, body, date: w.now, from: `${id}@example.org` }));
  }
  await w.pass(21);
  const mails: { to: string; text: string }[] = [];
  const parts = (result?: SendResult): TellParts => ({
    store: w.store,
    policy: () => w.policy,
    transport: {
      async send(mail: OutgoingMail, leave) {
        if (!(await leave())) return { kind: 'withdrawn' };
        if (result !== undefined) return result;
        mails.push({ to: mail.envelope.to.join(), text: Buffer.from(mail.bytes).toString() });
        return { kind: 'sent', refused: [] };
      },
      check: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    killed: () => w.killed,
    secret: 'secret',
    domain: 'bot.example.org',
    log: quiet,
    now: () => w.now,
  });
  let count = 0;
  return {
    w,
    mails,
    tell: (result) => tellNext(parts(result)),
    async say(who, nth, words, verified = false) {
      const headers = [`In-Reply-To: ${w.sent[nth]?.messageId ?? ''}`];
      const text = mailText({
        id: `say${++count}`,
        subject: 'Re: x',
        body: `${words}\n`,
        from: who,
        headers,
        date: w.now,
      });
      const authenticate = (): Promise<{ kind: 'verified'; by: string } | { kind: 'unverified'; why: string }> =>
        Promise.resolve(verified ? { kind: 'verified', by: 'DKIM of example.org' } : { kind: 'unverified', why: 'no' });
      await arrive(
        w.store,
        { read: readMail, policy: () => w.policy, authenticate },
        { raw: new TextEncoder().encode(text), at: w.now, source: 'test' },
      );
    },
  };
}

describe('what people are told', () => {
  test('two "wrong" mute a rule, and one mail tells the operator which and how to undo it', async () => {
    const { mails, say, tell } = await told();
    await say('one@example.org', 0, 'reveille: wrong');
    await say('two@example.org', 1, 'reveille: wrong');
    expect(await tell()).toBe(true);
    expect(await tell()).toBe(false);
    expect(mails.map(({ to }) => to)).toEqual(['olga@example.org']);
    const text = mails[0]?.text ?? '';
    expect(text).toContain('Subject: Reveille: muted after two "wrong": boot-path-change');
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(text).toContain('reveille queue unmute rule boot-path-change');
    expect(text).toContain('by two@example.org (unverified)');
  });

  test('the operator gets one mail an hour, and none for what strangers write', async () => {
    const { w, mails, say, tell } = await told();
    await say('eve@example.net', 0, 'reveille: stop');
    expect(await tell()).toBe(false);
    await say('one@example.org', 0, 'reveille: stop');
    expect(await tell()).toBe(true);
    await say('two@example.org', 1, 'reveille: stop');
    expect(await tell()).toBe(false);
    w.now += minutes(61);
    expect(await tell()).toBe(true);
    expect(mails.length).toBe(2);
    expect(mails[0]?.text).toContain('command-ignored: eve@example.net (unverified)');
  });

  test('a verified sender is told that he was understood, once a day; an unverified one is obeyed and told nothing', async () => {
    const { w, mails, say, tell } = await told();
    await say('one@example.org', 0, 'reveille: stop');
    await tell();
    expect(mails.map(({ to }) => to)).toEqual(['olga@example.org']);
    await say('two@example.org', 1, 'reveille: wrong', true);
    await say('two@example.org', 1, 'reveille: stop', true);
    expect(await tell()).toBe(true);
    expect(await tell()).toBe(false);
    expect(mails.map(({ to }) => to)).toEqual(['olga@example.org', 'two@example.org']);
    expect(mails[1]?.text).toContain('In-Reply-To: <say2@example.org>');
    expect(mails[1]?.text).toContain('Auto-Submitted: auto-replied');
    w.now += hours(2);
    expect(await tell()).toBe(true);
    expect(mails[2]?.text).toContain('author by two@example.org (DKIM of example.org)');
  });

  test.each<[string, SendResult, boolean]>([
    ['refused for now', { kind: 'refused', retry: 'later', why: '451' }, true],
    ['lost', { kind: 'ambiguous', why: 'dropped' }, true],
    ['refused for good', { kind: 'refused', retry: 'never', why: '550' }, false],
  ])('a notice that is %s comes again after an hour: %s', async (_, result, again) => {
    const { w, mails, say, tell } = await told();
    await say('one@example.org', 0, 'reveille: stop');
    expect(await tell(result)).toBe(false);
    expect(await tell()).toBe(false);
    w.now += minutes(61);
    expect(await tell()).toBe(again);
    expect(mails.length).toBe(again ? 1 : 0);
  });

  test('the kill file and a broken policy stop this as well', async () => {
    const { w, mails, say, tell } = await told();
    await say('one@example.org', 0, 'reveille: stop');
    w.killed = true;
    expect(await tell()).toBe(false);
    w.killed = false;
    const { policy } = w;
    w.policy = { kind: 'none', why: 'broken' };
    expect(await tell()).toBe(false);
    w.policy = policy;
    expect(await tell()).toBe(true);
    expect(mails.length).toBe(1);
  });
});

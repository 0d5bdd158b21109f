import { describe, expect, test } from 'vitest';
import { kindOf, parseMessage, type KindFacts, type MailKind } from '../../src/core/mail/index.js';

const ann = 'From: Ann Writer <ann@example.org>';
const none: KindFacts = { hasDiff: false, tagged: false };
const patch: KindFacts = { hasDiff: true, tagged: true };

async function kind(headers: readonly string[], facts: KindFacts, body = 'Hello.\n'): Promise<MailKind> {
  return kindOf(await parseMessage(Buffer.from(`${headers.join('\n')}\n\n${body}`)), facts).kind;
}

describe('a mail that people wrote', () => {
  test.each<[string, string[], KindFacts, MailKind]>([
    ['with tag and diff is a patch', ['Subject: [PATCH] foo: x'], patch, 'patch'],
    [
      'with tag and diff is a patch though it hangs under an earlier version',
      ['Subject: [PATCH v2] foo', 'In-Reply-To: <1@example.org>'],
      patch,
      'patch',
    ],
    ['with a diff alone is a patch', ['Subject: [v4,1/1] foo'], { hasDiff: true, tagged: false }, 'patch'],
    [
      'number 0 is a cover letter',
      ['Subject: [PATCH 0/3] foo'],
      { ...none, tagged: true, index: 0, total: 3 },
      'cover',
    ],
    ['with a tag and no diff is neither', ['Subject: [PATCH] foo'], { ...none, tagged: true }, 'other'],
    ['with Re: is an answer', ['Subject: Re: [PATCH] foo'], none, 'reply'],
    ['with Re: and an unquoted diff is a counter-patch', ['Subject: Re: [PATCH] foo'], patch, 'counter-patch'],
    ['with AW: is an answer', ['Subject: AW: [PATCH] foo'], none, 'reply'],
    ['with 回复: is an answer', ['Subject: =?utf-8?b?5Zue5aSNOg==?= [PATCH] foo'], none, 'reply'],
    ['with a full-width colon is an answer', ['Subject: =?utf-8?b?562U5aSN77ya?= [PATCH] foo'], none, 'reply'],
    ['with a tag before Re: is an answer', ['Subject: [kbuild] Re: [PATCH] foo'], none, 'reply'],
    [
      'with In-Reply-To, no Re: and no diff is an answer',
      ['Subject: foo', 'In-Reply-To: <1@example.org>'],
      none,
      'reply',
    ],
    ['that asks to pull is a pull request', ['Subject: [GIT PULL] foo'], none, 'pull-request'],
    ['that is forwarded is no answer', ['Subject: Fwd: foo'], none, 'other'],
    ['with nothing is something else', ['Subject: hello'], none, 'other'],
    [
      'with Precedence bulk is still a patch',
      ['Subject: [PATCH] foo', 'Precedence: bulk', 'List-Id: <l.example.org>'],
      patch,
      'patch',
    ],
    ['with Auto-Submitted no is still a patch', ['Subject: [PATCH] foo', 'Auto-Submitted: no'], patch, 'patch'],
  ])('%s', async (_, headers, facts, wanted) => {
    expect(await kind([ann, ...headers], facts)).toBe(wanted);
  });
});

describe('a mail that a machine wrote', () => {
  test.each<[string, string[], MailKind]>([
    [
      'the kernel test robot',
      ['From: kernel test robot <lkp@intel.com>', 'Subject: [PATCH] foo: fix semicolon.cocci warnings'],
      'bot',
    ],
    ['syzbot', ['From: syzbot <syzbot+0123@syzkaller.appspotmail.com>', 'Subject: Re: [syzbot] x'], 'bot'],
    ['patchwork', ['From: patchwork-bot+netdevbpf@kernel.org', 'Subject: Re: [PATCH] x'], 'bot'],
    ['a bot nobody has heard of', ['From: foo.test.bot@example.org', 'Subject: RE: x'], 'bot'],
    ['ourselves', [ann, 'Subject: Re: [PATCH] x', 'X-Reveille-Review: 1'], 'bot'],
    ['AUTOSEL', [ann, 'Subject: [PATCH AUTOSEL 5.10 1/3] x'], 'stable'],
    ['stable review', [ann, 'Subject: [PATCH 5.10 001/100] x', 'X-stable: review'], 'stable'],
    ['a stable backport', [ann, 'Subject: [PATCH 5.15.y] x'], 'stable'],
    ['a delivery report', [ann, 'Subject: Undelivered', 'Content-Type: multipart/report; boundary=b'], 'notification'],
    ['a mail system', ['From: MAILER-DAEMON@example.org', 'Subject: [PATCH] x'], 'notification'],
    ['an out-of-office answer', [ann, 'Subject: Re: [PATCH] x', 'Auto-Submitted: auto-replied'], 'notification'],
    [
      'a commit robot',
      ['From: tip-bot2 for Ann <tip-bot2@linutronix.de>', 'Subject: [tip: x86/urgent] x'],
      'notification',
    ],
    ['a bug tracker', [ann, 'Subject: [Bug 1] x', 'X-Bugzilla-Type: new'], 'notification'],
    ['a list robot', ['From: linux-foo-request@example.org', 'Subject: confirm'], 'notification'],
  ])('%s is known, whatever it carries', async (_, headers, wanted) => {
    expect(await kind(headers, patch)).toBe(wanted);
  });

  test('a person whose name holds a bot is none', async () => {
    expect(await kind(['From: Ann Abbott <abbott@example.org>', 'Subject: [PATCH] x'], patch)).toBe('patch');
  });
});

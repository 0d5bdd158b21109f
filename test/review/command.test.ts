import { describe, expect, test } from 'vitest';
import {
  deriveMessageId,
  orderOf,
  parseCommand,
  quotesAndRemarks,
  roleOf,
  threadVerdict,
} from '../../src/core/review/index.js';

const ours = `Predicted: saves 208-212 ms over two waits.

This mail was written by a program. A person reads what comes back.
Answer with a line that begins with
reveille: stop
to get no more of these, or "reveille: wrong" if it is.
`;

describe('a command by reply', () => {
  test('stands at the start of an unquoted line', () => {
    expect(parseCommand('reveille: stop\n')).toEqual({ verb: 'stop', words: [] });
    expect(parseCommand('Hi,\n\nReveille: Wrong fsleep-range please\n')).toEqual({
      verb: 'wrong',
      words: ['fsleep-range', 'please'],
    });
    for (const none of [
      '> reveille: stop',
      ' reveille: stop',
      'try reveille: stop',
      'reveille: stopping',
      'reveille stop',
      '>> x\n> reveille: wrong',
      '-- \nreveille: stop',
    ]) {
      expect(parseCommand(none)).toBeUndefined();
    }
  });

  test('is not obeyed from a copy of our own mail below a top-posted answer', () => {
    const quoted = ours
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n');
    const outlook = `Thanks.\n\nFrom: Reveille\nSent: Monday\nTo: Ada\nSubject: Re: x\n\n${ours}`;
    for (const text of [
      `Thanks!\n${quoted}`,
      outlook,
      `Thanks!\n\n-----Original Message-----\n${ours}`,
      `Thanks!\n\n${ours}`,
    ]) {
      expect(parseCommand(text, ours)).toBeUndefined();
    }
    expect(parseCommand(`reveille: stop\n\n${ours}`, ours)).toEqual({ verb: 'stop', words: [] });
  });

  test('reaches as far as the one who gives it may', () => {
    const known = {
      operator: 'olga@example.org',
      maintainers: ['maria@example.org'],
      authors: ['ada@example.org'],
      participants: ['bob@example.org'],
    };
    const stop = { verb: 'stop', words: [] } as const;
    const order = (who: string, words: string[] = []): unknown => orderOf({ ...stop, words }, roleOf(who, known), []);
    expect(order('Ada@Example.org')).toEqual({ kind: 'mute', scope: 'author' });
    expect(order('ada@example.org', ['series'])).toEqual({ kind: 'mute', scope: 'author' });
    expect(order('maria@example.org')).toEqual({ kind: 'mute', scope: 'list' });
    expect(order('maria@example.org', ['series'])).toEqual({ kind: 'mute', scope: 'series' });
    expect(order('olga@example.org', ['author'])).toEqual({ kind: 'mute', scope: 'author' });
    expect(order('bob@example.org', ['list'])).toEqual({ kind: 'mute', scope: 'series' });
    expect(order('mallory@example.org')).toMatchObject({ kind: 'ignore' });
    expect(order('')).toMatchObject({ kind: 'ignore' });
  });

  test('"wrong" is about the rule it names, else about all that the mail said', () => {
    const wrong = (words: string[]): unknown =>
      orderOf({ verb: 'wrong', words }, 'participant', ['budget-shrunk', 'fsleep-range']);
    expect(wrong(['fsleep-range'])).toEqual({ kind: 'wrong', rules: ['fsleep-range'] });
    expect(wrong([])).toEqual({ kind: 'wrong', rules: ['budget-shrunk', 'fsleep-range'] });
  });
});

describe('the verdict of a thread', () => {
  test.each([
    'Applied, thanks!',
    'Thanks, applied to wake-next.',
    "I've queued this for 5.7.",
    'Both patches have been merged.',
    'Queued up for v6.1, thanks',
    'This series was applied to netdev/net-next.git (main)',
    'Applied to for-next.',
    'Looks good to me, both patches applied.',
    'Applied, after a small change to the comment.',
    'Nice catch. Applied, and please send the other one too.',
    'Just so that you know: I applied this one by hand.',
    'Queued up in wake/for-6.2. Will send the pull request on Monday.',
    'No objections here so\nqueued up for 6.2.',
  ])('%s: applied', (line) => {
    expect(threadVerdict([`> quoted\n\n${line}\n`])).toBe('applied');
  });

  test.each([
    'NAK',
    'Nacked-by: Bob <bob@example.org>',
    'NACK, this breaks suspend.',
    'So NAK.',
    'It breaks resume, so NAK.',
    "I've NAK'd this before.",
  ])('%s: rejected', (line) => {
    expect(threadVerdict([line])).toBe('rejected');
  });

  test.each([
    '> Applied, thanks!',
    "> I've applied this to wake-next.",
    'Can this be applied to net-next?',
    'I will queue it once the cover letter is fixed.',
    'The fix should be applied to all drivers.',
    'Voltage is applied to the pin.',
    'I get a NAK from the device on the bus',
    'if this was merged we would lose the delay',
    'The device NAKs the transfer',
    'please apply',
    'The fix for it was quickly\nmerged as part of another series.',
    'Suspend\ntook a while with this one, though.',
    'Thanks, queued up for v3.',
    'I applied your series and the board boots.',
    'The request is queued and the timer armed.',
    'With this patch applied the probe takes 5 ms.',
  ])('%s: no verdict', (line) => {
    expect(threadVerdict([line])).toBeUndefined();
  });

  test('the latest word counts', () => {
    expect(threadVerdict(['Applied, thanks!', 'NAK after all, dropped.'])).toBe('rejected');
  });

  test('hostile text takes linear time', () => {
    const long = `${'applied '.repeat(20_000)}\n`.repeat(5) + `${'thanks, patch '.repeat(20_000)}\n`.repeat(5);
    expect(threadVerdict([long, 'a'.repeat(500_000)])).toBe('applied');
  });
});

describe('somebody has said it', () => {
  const quote = ['+\tusleep_range(1000, 2000);'];
  test('when he quotes the line and speaks about waiting right under it', () => {
    expect(
      quotesAndRemarks('> +\tusleep_range(1000, 2000);\n\nWhy is 1 ms long enough for the hardware?\n', quote),
    ).toBe(true);
    expect(quotesAndRemarks('> +\tusleep_range(1000, 2000);\n> +\treturn 0;\n\nfsleep(), please.\n', quote)).toBe(true);
  });
  test('not when he speaks of something else, of another line, or quotes all without a word', () => {
    expect(quotesAndRemarks('> +\tusleep_range(1000, 2000);\n\nReviewed-by: Bob <bob@example.org>\n', quote)).toBe(
      false,
    );
    expect(quotesAndRemarks('> +\tmsleep(3);\n\nThis sleep is short.\n', quote)).toBe(false);
    expect(quotesAndRemarks('Nice sleep.\n\n> +\tusleep_range(1000, 2000);\n', quote)).toBe(false);
  });
});

test('a Message-ID follows from secret, parent and kind, and from nothing else', () => {
  const id = deriveMessageId('secret', '<p@example.org>', 'reply', 'bot.example.org');
  expect(id).toMatch(/^<reply\.[0-9a-f]{40}@bot\.example\.org>$/);
  expect(deriveMessageId('secret', '<p@example.org>', 'reply', 'bot.example.org')).toBe(id);
  for (const other of [
    deriveMessageId('other', '<p@example.org>', 'reply', 'bot.example.org'),
    deriveMessageId('secret', '<q@example.org>', 'reply', 'bot.example.org'),
    deriveMessageId('secret', '<p@example.org>', 'notice', 'bot.example.org'),
  ]) {
    expect(other).not.toBe(id);
  }
  expect(deriveMessageId('s', '<a@b>\r\nBcc: <x@y>', 'reply', 'bot.example.org\r\nBcc: x')).toMatch(
    /^<[\w.-]+@[\w.-]+>$/,
  );
});

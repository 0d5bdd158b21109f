import { describe, expect, test } from 'vitest';
import { parsePatches } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

const good = ['@@ -1,2 +1,2 @@', ' same', '-old', '+new'];

function git(name: string, ...lines: string[]): string[] {
  return [`diff --git a/${name} b/${name}`, 'index 11..22 100644', `--- a/${name}`, `+++ b/${name}`, ...lines];
}

function read(lines: readonly string[]) {
  const text = ['Why.', '---', ...lines].join('\n');
  const { patches } = parsePatches(mailOf(text));
  const files = patches.flatMap((patch) => patch.files).map((file) => [file.path, file.hunks.length]);
  const problems = patches.flatMap((patch) => patch.problems).map(({ kind, mailLine }) => [kind, mailLine]);
  return { files, problems };
}

describe('a damaged hunk', () => {
  test('that the mail cuts short is reported', () => {
    expect(read(git('x.c', ...good, '@@ -9,5 +9,5 @@', ' a', '-b'))).toEqual({
      files: [['x.c', 1]],
      problems: [['truncated-hunk', 11]],
    });
  });

  test('does not swallow the signature or the next file', () => {
    const cut = git('x.c', '@@ -9,5 +9,5 @@', ' a', '-b', '+c');
    expect(read([...cut, ...git('y.c', ...good), '-- ', '2.39.5'])).toEqual({
      files: [
        ['x.c', 0],
        ['y.c', 1],
      ],
      problems: [['truncated-hunk', 7]],
    });
    expect(read([...cut, '-- ', '2.39.5', ...git('y.c', ...good)]).files).toEqual([
      ['x.c', 0],
      ['y.c', 1],
    ]);
  });

  test('does not swallow the names of the next file where no "diff" line stands between', () => {
    const lines = [
      '--- a/x.c',
      '+++ b/x.c',
      ...good,
      '@@ -9,7 +9,7 @@',
      ' a',
      '-b',
      '+c',
      '--- a/y.c',
      '+++ b/y.c',
      ...good,
    ];
    expect(read(lines)).toEqual({
      files: [
        ['x.c', 1],
        ['y.c', 1],
      ],
      problems: [['truncated-hunk', 9]],
    });
  });

  test('that a mailer wrapped is reported where it is wrapped, and the next hunk is read', () => {
    const wrapped = ['@@ -9,3 +9,3 @@', ' a', '-	a_long_call_that_somebody_wrapped(one,', 'two);', '+b', ' c'];
    expect(read(git('x.c', ...wrapped, ...good))).toEqual({ files: [['x.c', 1]], problems: [['wrapped-line', 10]] });
  });

  test('whose counts lie is reported, on either side', () => {
    expect(read(git('x.c', '@@ -1,1 +1,9 @@', '-a', '-b', '+c', ...good))).toEqual({
      files: [['x.c', 1]],
      problems: [['hunk-count', 7]],
    });
    expect(read(git('x.c', '@@ -1,9 +1,1 @@', '+a', '+b', ...good)).problems).toEqual([['hunk-count', 7]]);
  });

  test('with more lines than it counts is kept, and the rest is reported', () => {
    expect(read(git('x.c', ...good, '+stray'))).toEqual({ files: [['x.c', 1]], problems: [['lines-after-hunk', 11]] });
  });

  test('with a header that is none is reported', () => {
    expect(read(git('x.c', '@@ -1,a +1 @@', ' a', ...good))).toEqual({
      files: [['x.c', 1]],
      problems: [['bad-hunk-header', 7]],
    });
    expect(read(git('x.c', '@@ -1111111111,1 +1,1 @@', ' a', ...good)).problems).toEqual([['bad-hunk-header', 7]]);
  });

  test('alone in a patch still makes the mail a patch, whose loss is told', () => {
    const text = ['Why.', '', ...git('x.c', '@@ -1,9 +1,9 @@', ' a')].join('\n');
    expect(parsePatches(mailOf(text)).patches).toMatchObject([
      { log: { lines: ['Why.'] }, files: [{ path: 'x.c', hunks: [] }], problems: [{ kind: 'truncated-hunk' }] },
    ]);
    expect(parsePatches(mailOf(text, { subject: 'Re: [PATCH] x' })).patches).toEqual([]);
  });

  test('of no file is reported and belongs to none', () => {
    const answer = mailOf(['Rather', '', ...good].join('\n'), { subject: 'Re: [PATCH] x' });
    expect(parsePatches(answer).patches).toEqual([]);
  });
});

test('a hunk header that a mailer wrapped is reported and costs no hunk', () => {
  const long = '@@ -1,2 +1,2 @@ static int toy_wait_for_the_hardware(struct toy *toy,';
  const [patch] = parsePatches(
    mailOf(['Why.', '---', ...git('x.c', long, 'unsigned int turns)', ...good.slice(1))].join('\n')),
  ).patches;
  expect(patch?.problems).toMatchObject([{ kind: 'wrapped-header', mailLine: 8 }]);
  expect(patch?.files[0]?.hunks[0]).toMatchObject({
    oldCount: 2,
    section: expect.stringContaining('turns)') as string,
  });
  expect(patch?.files[0]?.hunks[0]?.lines[0]).toMatchObject({ text: 'same', mailLine: 9, oldNumber: 1 });
});

test('an unquoted diff in an answer that does not close is told', () => {
  const text = ['> Why?', '', ...git('x.c', '@@ -1,3 +1,3 @@', ' a', '-b', 'wrapped')].join('\n');
  const parsed = parsePatches(mailOf(text, { subject: 'Re: [PATCH] x' }));
  expect(parsed).toEqual({ patches: [], problems: [{ kind: 'wrapped-line', mailLine: 10, text: 'wrapped' }] });
});

test('a first file that is damaged in a mail without "---" does not become text', () => {
  const text = ['Why.', '', ...git('x.c', '@@ -1,3 +1,3 @@', ' a', '-b', 'wrapped', '+c'), ...git('y.c', ...good)].join(
    '\n',
  );
  const [patch] = parsePatches(mailOf(text, { subject: 'Re: [PATCH] x' })).patches;
  expect(patch?.files.map((file) => file.path)).toEqual(['x.c', 'y.c']);
  expect(patch?.problems).toMatchObject([{ kind: 'wrapped-line', mailLine: 10 }]);
  expect(patch?.log.lines).toEqual(['Why.']);
});

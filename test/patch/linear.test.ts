import { describe, expect, test } from 'vitest';
import { assembleSeries, headOf, parsePatches, parseSubject } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

/** CPU time in milliseconds: other processes on the machine do not count in it. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1e3;
}

/** Eight times the text may take eight times as long, not sixty-four; below a fifth of a second nothing can be told. */
function expectLinear(make: (size: number) => string): void {
  const read = (text: string): unknown => parsePatches(mailOf(text));
  read(make(1000));
  const [small, large] = [make(40_000), make(320_000)];
  const once = cpuOf(() => read(small));
  expect(cpuOf(() => read(large))).toBeLessThan(Math.max(200, once) * 24);
}

describe('the time to read a patch grows with its length and no faster', () => {
  test.each<[string, (size: number) => string]>([
    ['diff a/a/a/...', (size) => `diff ${'a/'.repeat(size / 2)}`],
    ['diff --git a/a/a/...', (size) => `diff --git ${'a/'.repeat(size / 2)}\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b`],
    ['diff --git with blanks', (size) => `diff --git ${'a b/'.repeat(size / 4)}`],
    ['@@ -1111...', (size) => `x\n@@ -${'1'.repeat(size)}`],
    [
      '@@ -1,1 +1,1 @@ with a long section',
      (size) => `--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@ ${'@ '.repeat(size / 2)}\n-a\n+b`,
    ],
    ['headers of git', (size) => 'diff --git a/x b/x\n'.repeat(size / 19)],
    ['extended headers', (size) => `diff --git a/x b/x\n${'old mode 100644\n'.repeat(size / 16)}`],
    ['names without hunks', (size) => '--- a/x\n+++ b/x\n'.repeat(size / 16)],
    ['hunks that do not close', (size) => '--- a/x\n+++ b/x\n@@ -1,99999 +1,99999 @@\n a\n'.repeat(size / 45)],
    [
      'one long hunk that does not close',
      (size) => `--- a/x\n+++ b/x\n@@ -1,9999999 +1,9999999 @@\n${' a\n'.repeat(size / 3)}`,
    ],
    ['Index lines', (size) => 'Index: x\n'.repeat(size / 9)],
    ['heads of mails', (size) => '\nFrom: a\nSubject: [PATCH] b\n'.repeat(size / 28)],
    ['fields without an end', (size) => '\nFrom: a\nX: b\n'.repeat(size / 14)],
    ['separators', (size) => 'From 0 Mon Sep 17 00:00:00 2001\n'.repeat(size / 32)],
    ['scissors', (size) => '-- >8 --\n'.repeat(size / 9)],
    ['one line of scissors', (size) => '>8 '.repeat(size / 3)],
    ['trailers', (size) => `${'Cc: a@example.org\n'.repeat(size / 18)}---\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b`],
    ['paragraphs', (size) => `${'Cc: a\n\n'.repeat(size / 7)}---\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b`],
    [
      'a long line in a hunk',
      (size) => `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${'\\ '.repeat(size / 2)}\n+${' '.repeat(size)}x`,
    ],
    ['binary data', (size) => `diff --git a/x b/x\nGIT binary patch\n${'literal 9\nzabcdefgh\n\n'.repeat(size / 21)}`],
    ['an in-body From', (size) => `From: ${'<a@'.repeat(size / 3)}\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b`],
    ['encoded words', (size) => `Subject: ${'=?utf-8?q?='.repeat(size / 11)}\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b`],
  ])('%s', (_, make) => expectLinear(make));

  test('a subject of brackets', () => {
    const [small, large] = [20_000, 160_000].map((size) => '[PATCH v2] ['.repeat(size / 12));
    const once = cpuOf(() => parseSubject(small ?? ''));
    expect(cpuOf(() => parseSubject(large ?? ''))).toBeLessThan(Math.max(200, once) * 24);
  });
});

test('thousands of mails are assembled in time that grows with their number', () => {
  const heads = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const subject = `[PATCH v${(at % 5) + 1} ${(at % 10) + 1}/10] toy: the same title`;
      const date = new Date(Date.UTC(2021, 0, 1) + at * 60e3).toISOString();
      const head = headOf(
        mailOf('', { id: `<${at}@example.org>`, subject, date, references: [`<${at - 1}@example.org>`] }),
        [],
      );
      if (head === undefined) throw new Error('no head');
      return head;
    });
  const [small, large] = [heads(1000), heads(8000)];
  const once = cpuOf(() => assembleSeries(small));
  expect(cpuOf(() => assembleSeries(large))).toBeLessThan(Math.max(200, once) * 24);
});

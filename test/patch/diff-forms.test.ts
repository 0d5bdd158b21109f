import { describe, expect, test } from 'vitest';
import { parsePatches, type PatchFile } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

const hunk = ['@@ -1,2 +1,2 @@', ' same', '-old', '+new'];

function filesOf(...lines: string[]): readonly PatchFile[] {
  const text = ['Why.', '', 'Signed-off-by: Ada <ada@example.org>', '---', ...lines, '-- ', '2.39.5', ''].join('\n');
  return parsePatches(mailOf(text)).patches.flatMap((patch) => patch.files);
}

describe('a diff by git', () => {
  test('may rename a file and change it', () => {
    const files = filesOf(
      'diff --git a/drivers/old.c b/drivers/new.c',
      'similarity index 90%',
      'rename from drivers/old.c',
      'rename to drivers/new.c',
      'index 1111111..2222222 100644',
      '--- a/drivers/old.c',
      '+++ b/drivers/new.c',
      ...hunk,
    );
    expect(files).toMatchObject([
      { path: 'drivers/new.c', oldPath: 'drivers/old.c', status: 'renamed', added: 1, removed: 1 },
    ]);
  });

  test('may copy a file, change a mode, and add and delete empty files, without a hunk', () => {
    const files = filesOf(
      'diff --git a/a.c b/b.c',
      'similarity index 100%',
      'copy from a.c',
      'copy to b.c',
      'diff --git a/run.sh b/run.sh',
      'old mode 100644',
      'new mode 100755',
      'diff --git a/empty b/empty',
      'new file mode 100644',
      'index 0000000..e69de29',
      'diff --git a/gone b/gone',
      'deleted file mode 100644',
      'index e69de29..0000000',
    );
    expect(files.map(({ path, status, hunks }) => [path, status, hunks.length])).toEqual([
      ['b.c', 'copied', 0],
      ['run.sh', 'mode', 0],
      ['empty', 'added', 0],
      ['gone', 'deleted', 0],
    ]);
    expect(files[1]).toMatchObject({ oldMode: '100644', newMode: '100755' });
  });

  test('may be binary, with data and without, and text follows it', () => {
    const files = filesOf(
      'diff --git a/logo.png b/logo.png',
      'new file mode 100644',
      'index 000000..111111',
      'GIT binary patch',
      'literal 24',
      'fcmdr*kN^Mx00030|Nj6000000000O0RR91000C4',
      '',
      'literal 0',
      'HcmV?d00001',
      '',
      'diff --git a/fw.bin b/fw.bin',
      'index 111..222 100644',
      'Binary files a/fw.bin and b/fw.bin differ',
      'diff --git a/x.c b/x.c',
      '--- a/x.c',
      '+++ b/x.c',
      ...hunk,
    );
    expect(files.map(({ path, status, binary, added }) => [path, status, binary, added])).toEqual([
      ['logo.png', 'added', true, 0],
      ['fw.bin', 'modified', true, 0],
      ['x.c', 'modified', false, 1],
    ]);
  });

  test('may move a submodule', () => {
    const files = filesOf(
      'diff --git a/dtc b/dtc',
      'index 1111111..2222222 160000',
      '--- a/dtc',
      '+++ b/dtc',
      '@@ -1 +1 @@',
      '-Subproject commit 1111111111111111111111111111111111111111',
      '+Subproject commit 2222222222222222222222222222222222222222',
    );
    expect(files).toMatchObject([{ path: 'dtc', newMode: '160000', added: 1, removed: 1 }]);
  });

  test.each([
    [
      'quoted names',
      'diff --git "a/sp ace \\"q\\".c" "b/sp ace \\"q\\".c"',
      '--- "a/sp ace \\"q\\".c"',
      '+++ "b/sp ace \\"q\\".c"',
      'sp ace "q".c',
    ],
    [
      'octal names',
      'diff --git "a/\\303\\244.c" "b/\\303\\244.c"',
      '--- "a/\\303\\244.c"',
      '+++ "b/\\303\\244.c"',
      'ä.c',
    ],
    [
      'names with blanks',
      'diff --git a/b c/d b/e.c b/b c/d b/e.c',
      '--- a/b c/d b/e.c\t',
      '+++ b/b c/d b/e.c\t',
      'b c/d b/e.c',
    ],
    ['no prefix', 'diff --git drivers/a/x.c drivers/a/x.c', '--- drivers/a/x.c', '+++ drivers/a/x.c', 'drivers/a/x.c'],
    ['no prefix under a/', 'diff --git a/x.c a/x.c', '--- a/x.c', '+++ a/x.c', 'a/x.c'],
    ['mnemonic prefixes', 'diff --git i/x/y.c w/x/y.c', '--- i/x/y.c', '+++ w/x/y.c', 'x/y.c'],
    ['prefixes by hand', 'diff --git old/x/y.c new/x/y.c', '--- old/x/y.c', '+++ new/x/y.c', 'x/y.c'],
  ])('has %s', (_, first, minus, plus, path) => {
    expect(filesOf(first, 'index 11..22 100644', minus, plus, ...hunk)).toMatchObject([
      { path, status: 'modified', added: 1 },
    ]);
  });

  test('keeps a missing newline at the end with its line', () => {
    const [file] = filesOf(
      'diff --git a/x.c b/x.c',
      '--- a/x.c',
      '+++ b/x.c',
      '@@ -1 +1 @@',
      '-old',
      '\\ No newline at end of file',
      '+new',
      '\\ Kein Zeilenumbruch am Dateiende.',
    );
    expect(file?.hunks[0]?.lines).toMatchObject([
      { kind: 'removed', text: 'old', noNewline: true },
      { kind: 'added', text: 'new', noNewline: true },
    ]);
  });

  test('keeps the carriage returns of a file that has them', () => {
    const [file] = filesOf(
      'diff --git a/x.c b/x.c',
      '--- a/x.c',
      '+++ b/x.c',
      '@@ -1,2 +1,2 @@',
      ' same\r',
      '-old\r',
      '+new\r',
    );
    expect(file?.hunks[0]?.lines.map((line) => line.text)).toEqual(['same\r', 'old\r', 'new\r']);
  });

  test('has context lines whose blank was eaten', () => {
    const [file] = filesOf(
      'diff --git a/x.c b/x.c',
      '--- a/x.c',
      '+++ b/x.c',
      '@@ -1,3 +1,3 @@',
      ' a',
      '',
      '-old',
      '+new',
    );
    expect(file?.hunks[0]?.lines[1]).toMatchObject({ kind: 'context', text: '', oldNumber: 2, newNumber: 2 });
  });

  test('has lines that look like headers inside a hunk', () => {
    const [file, ...more] = filesOf(
      'diff --git a/x.sql b/x.sql',
      '--- a/x.sql',
      '+++ b/x.sql',
      '@@ -1,2 +1,2 @@',
      '--- a/old comment',
      '+++ b/new comment',
      ' -- ',
    );
    expect(more).toEqual([]);
    expect(file?.hunks[0]?.lines.map((line) => line.text)).toEqual(['-- a/old comment', '++ b/new comment', '-- ']);
  });

  test('that is combined is reported, the next one is read', () => {
    const text = [
      'Why.',
      '---',
      'diff --cc x.c',
      'index 11,22..33',
      '--- a/x.c',
      '+++ b/x.c',
      '@@@ -1,1 -1,1 +1,1 @@@',
      '- a',
      ' -b',
      '++c',
      'diff --git a/y.c b/y.c',
      '--- a/y.c',
      '+++ b/y.c',
      ...hunk,
    ].join('\n');
    const [patch] = parsePatches(mailOf(text)).patches;
    expect(patch?.files.map((file) => file.path)).toEqual(['y.c']);
    expect(patch?.problems).toEqual([{ kind: 'combined-diff', mailLine: 3, text: 'diff --cc x.c' }]);
  });
});

describe('a diff without git', () => {
  test.each([
    [
      'GNU',
      [
        '--- linux-5.4.orig/drivers/x.c\t2020-01-02 03:04:05.000000000 +0100',
        '+++ linux-5.4/drivers/x.c\t2020-01-02 03:04:06.000000000 +0100',
      ],
    ],
    [
      'GNU with blanks for tabs',
      ['--- linux.orig/drivers/x.c 2020-01-02 03:04:05.0 +0100', '+++ linux/drivers/x.c 2020-01-02 03:04:06.0 +0100'],
    ],
    ['a backup', ['--- ./drivers/x.c.orig', '+++ ./drivers/x.c']],
    ['quilt', ['Index: linux/drivers/x.c', '='.repeat(67), '--- linux.orig/drivers/x.c', '+++ linux/drivers/x.c']],
    [
      'svn',
      ['Index: drivers/x.c', '='.repeat(67), '--- drivers/x.c\t(revision 12)', '+++ drivers/x.c\t(working copy)'],
    ],
    ['diff -u', ['diff -u a/drivers/x.c b/drivers/x.c', '--- a/drivers/x.c', '+++ b/drivers/x.c']],
  ])('%s is read', (_, head) => {
    expect(filesOf(...head, ...hunk)).toMatchObject([
      { path: 'drivers/x.c', status: 'modified', added: 1, removed: 1 },
    ]);
  });

  test('adds and deletes', () => {
    const files = filesOf(
      '--- /dev/null',
      '+++ linux/drivers/new.c\t2020-01-02 03:04:06.000000000 +0100',
      '@@ -0,0 +1 @@',
      '+new',
      '--- linux.orig/drivers/gone.c\t2020-01-02 03:04:05.000000000 +0100',
      '+++ linux/drivers/gone.c\t1970-01-01 01:00:00.000000000 +0100',
      '@@ -1 +0,0 @@',
      '-old',
    );
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ['drivers/new.c', 'added'],
      ['drivers/gone.c', 'deleted'],
    ]);
  });

  test.each([
    [
      'CVS head',
      ['Index: x.c', '='.repeat(67), 'RCS file: /cvs/x.c,v', 'retrieving revision 1.2', 'diff -u -p -r1.2 x.c'],
    ],
    ['wrapped diff line', ['diff --git a/drivers/x.c', 'b/drivers/x.c', 'index 56c21b50..0d468ab 100644']],
  ])('has no line of its %s in the log', (_, head) => {
    const text = ['Why.', '', ...head, '--- a/drivers/x.c', '+++ b/drivers/x.c', ...hunk].join('\n');
    const [patch] = parsePatches(mailOf(text)).patches;
    expect(patch?.log.lines).toEqual(['Why.']);
    expect(patch?.notes.lines).toEqual([]);
    expect(patch?.files.map((file) => file.path)).toEqual(['drivers/x.c']);
  });

  test('needs no separator: the log ends where the header begins', () => {
    const text = ['Why.', '', 'Index: linux/x.c', '='.repeat(67), '--- linux.orig/x.c', '+++ linux/x.c', ...hunk].join(
      '\n',
    );
    const [patch] = parsePatches(mailOf(text)).patches;
    expect(patch?.log.lines).toEqual(['Why.']);
    expect(patch?.files[0]?.mailLine).toBe(3);
  });
});

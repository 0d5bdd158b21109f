import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSources, type OpenOptions } from '../../src/shell/source/index.js';

const hasGit = spawnSync('git', ['--version']).status === 0;

const mail = (subject: string): string => `From: ann@example.org\nSubject: ${subject}\n\nHello.\n`;
const entry = (subject: string): string => `From ann@example.org Thu Jan  1 00:00:00 1970\n${mail(subject)}\n`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-source-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Seen = { subjects: string[]; problems: string[]; commits: (string | undefined)[] };

async function read(paths: readonly string[], options: Partial<OpenOptions> = {}): Promise<Seen> {
  const seen: Seen = { subjects: [], problems: [], commits: [] };
  const onProblem = (problem: { code: string; exit: number }): void =>
    void seen.problems.push(`${problem.code} ${problem.exit}`);
  for await (const { bytes, source } of openSources(paths, { onProblem, ...options })) {
    seen.subjects.push(/^Subject: (.*)$/m.exec(Buffer.from(bytes).toString())?.[1] ?? '');
    seen.commits.push(source.commit);
  }
  return seen;
}

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function git(...args: string[]): void {
  const config = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', folder, ...config, ...args], { stdio: 'ignore' });
}

describe('sources', () => {
  test('are an mbox, plain and gzipped, a mail, standard input', async () => {
    const paths = [
      put('a.mbox', entry('1') + entry('2')),
      put('b.mbox.gz', gzipSync(entry('3') + entry('4'))),
      put('c.eml', mail('5')),
      '-',
    ];
    const seen = await read(paths, { stdin: Readable.from([Buffer.from(mail('6'))]) });
    expect(seen).toMatchObject({ subjects: ['1', '2', '3', '4', '5', '6'], problems: [] });
  });

  test('of a directory come sorted by name, those of a Maildir by delivery', async () => {
    put('b/2.eml', mail('2'));
    put('b/10.eml', mail('10'));
    put('a/cur/200.x:2,S', mail('m2'));
    put('a/new/100.x', mail('m1'));
    mkdirSync(join(folder, 'a/tmp'));
    expect((await read([folder])).subjects).toEqual(['m1', 'm2', '10', '2']);
  });

  test.each([
    ['nothing', ''],
    ['a PDF', '%PDF-1.4\n%\u00e2\n1 0 obj\n'],
    ['C', '// SPDX-License-Identifier: GPL-2.0\n#include <linux/delay.h>\nint a;\n'],
    ['random bytes', Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919) % 251)],
  ])('that hold %s are no mail, and the others are still done', async (_, content) => {
    expect(await read([put('x', content), put('c.eml', mail('5'))])).toMatchObject({
      subjects: ['5'],
      problems: ['not-mail 2'],
    });
  });

  test('that cannot be read are a failure of the outside world', async () => {
    expect(await read([join(folder, 'none'), put('c.eml', mail('5'))])).toMatchObject({
      subjects: ['5'],
      problems: ['unreadable 3'],
    });
  });

  test('cut short by a damaged gzip give what came before', async () => {
    const whole = gzipSync(Array.from({ length: 3000 }, (_, i) => entry(`${i} ${Math.sin(i)}`)).join(''));
    const seen = await read([put('a.mbox.gz', whole.subarray(0, whole.length - 2000))]);
    expect(seen.subjects.length).toBeGreaterThan(100);
    expect(seen.problems).toEqual(['unreadable 3']);
  });

  test.skipIf(!hasGit)('of a git range are its commits, whatever the configuration says [needs git]', async () => {
    git('init', '-q');
    put('a.c', 'int a;\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    put('a.c', 'int b;\n');
    git('commit', '-qam', 'foo: second');
    git('config', 'format.attach', 'true');
    git('config', 'format.subjectPrefix', 'OTHER');
    const seen = await read([], { ranges: ['HEAD~1..'], repository: folder });
    expect(seen).toMatchObject({
      subjects: ['[PATCH] foo: second'],
      problems: [],
      commits: [expect.stringMatching(/^[0-9a-f]{40}$/)],
    });
    expect(await read([], { ranges: ['nowhere..'], repository: folder })).toMatchObject({ problems: ['git-range 2'] });
    expect(await read([], { ranges: ['--output=x'], repository: folder })).toMatchObject({ problems: ['git-range 2'] });
  });

  test.skipIf(!hasGit)('of a v1 public-inbox are the mails of its commits, oldest first [needs git]', async () => {
    fillInbox(
      'work',
      [
        [`${'3'.padEnd(2, 'f')}/${'1'.repeat(38)}`, '1'],
        [`${'0'.padEnd(2, 'f')}/${'2'.repeat(38)}`, '2'],
        ['ssoma.index', 'no mail'],
      ],
      join(folder, 'v1.git'),
    );
    const seen = await read([join(folder, 'v1.git')]);
    expect(seen).toMatchObject({ subjects: ['1', '2'], problems: [] });
    expect(new Set(seen.commits).size).toBe(2);
  });

  test.skipIf(!hasGit)('of a v2 public-inbox are those of its epochs by number [needs git]', async () => {
    for (const epoch of [2, 10]) {
      const files = [['m', `${epoch} first`] as const, ['d', 'taken back'] as const];
      fillInbox(`work${epoch}`, files, join(folder, `inbox/git/${epoch}.git`));
    }
    expect(await read([join(folder, 'inbox')])).toMatchObject({
      subjects: ['2 first', '10 first'],
      problems: [],
    });
  });

  test.skipIf(!hasGit)('that are a repository without mail say so [needs git]', async () => {
    fillInbox('work', [['a.c', 'int a;']], join(folder, 'no-inbox.git'));
    expect(await read([join(folder, 'no-inbox.git')])).toMatchObject({ subjects: [], problems: ['not-mail 2'] });
  });

  test('have the mails of an attached mbox behind the mail that carries it', async () => {
    const attached = Buffer.from(entry('2') + entry('3')).toString('base64');
    const carrier = [
      'From: ann@example.org',
      'Subject: 1',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/mbox; name="thread.mbox"',
      'Content-Transfer-Encoding: base64',
      '',
      ...(attached.match(/.{1,76}/g) ?? []),
      '--b--',
      '',
    ].join('\n');
    const numbers: (number | undefined)[] = [];
    const paths = [put('a.eml', carrier), put('b.eml', mail('4'))];
    for await (const { source } of openSources(paths, { onProblem: fail })) numbers.push(source.attached);
    expect((await read(paths)).subjects).toEqual(['1', '2', '3', '4']);
    expect(numbers).toEqual([undefined, 1, 1, undefined]);
  });

  test('tell how many of all bytes are read, inflated or not', async () => {
    const paths = [put('a.mbox', entry('1') + entry('2')), put('b.mbox.gz', gzipSync(entry('3')))];
    const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const told: (readonly [number, number | undefined])[] = [];
    await read(paths, { onProgress: (done, total) => void told.push([done, total]) });
    expect(told.at(-1)).toEqual([size, size]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((left, right) => left - right));
  });

  test('of unknown size leave the total out', async () => {
    const told: (number | undefined)[] = [];
    const stdin = Readable.from([Buffer.from(mail('1'))]);
    await read([put('a.eml', mail('2')), '-'], { stdin, onProgress: (_, total) => void told.push(total) });
    expect(told).toEqual([undefined, undefined]);
  });
});

function fail(problem: Error): never {
  throw problem;
}

/** A repository in which each file is a commit; a second one replaces what was there, as public-inbox v2 does. */
function fillInbox(name: string, files: readonly (readonly [string, string])[], store: string): void {
  mkdirSync(join(store, '..'), { recursive: true });
  git('init', '-q', `--separate-git-dir=${store}`, join(folder, name));
  for (const [path, subject] of files) {
    put(join(name, path), mail(subject));
    git('-C', join(folder, name), 'add', '.');
    git('-C', join(folder, name), 'commit', '-qm', subject);
  }
}

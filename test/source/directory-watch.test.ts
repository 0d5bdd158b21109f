import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  inboxReader,
  maildirReader,
  watchDirectory,
  type DirectoryEvent,
  type DirectoryMail,
  type DirectoryReader,
} from '../../src/shell/source/index.js';
import { waitFor } from '../support/servers/process-group.js';

const hasGit = spawnSync('git', ['--version']).status === 0;
const mail = (subject: string): string => `From: ann@example.org\nSubject: ${subject}\n\nHello.\n`;

let folder = '';
const open: Watching[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-watch-'));
});
afterEach(async () => {
  for (const watching of open.splice(0)) await watching.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What stays when the process ends: the mails that were kept, and the cursor of the last. */
type Kept = { mails: DirectoryMail[]; cursor: string | undefined };
type Watching = { readonly events: DirectoryEvent[]; readonly ended: Promise<unknown>; stop(): Promise<void> };

function watch(
  reader: DirectoryReader,
  kept: Kept,
  more: { sweepEvery?: number; dieAfter?: number; patient?: boolean } = {},
): Watching {
  const events: DirectoryEvent[] = [];
  const end = new AbortController();
  let count = 0;
  const keeper = {
    cursor: () => Promise.resolve(kept.cursor),
    keep: (one: DirectoryMail): Promise<void> => {
      if (++count > (more.dieAfter ?? Infinity)) throw new Error('killed');
      kept.mails.push(one);
      kept.cursor = one.cursor;
      return Promise.resolve();
    },
    move: (cursor: string): Promise<void> => {
      kept.cursor = cursor;
      return Promise.resolve();
    },
  };
  const settings = { reader, path: folder, sweepEvery: 60_000, sizeLimit: 100_000, pause: { first: 10, longest: 50 } };
  const done = watchDirectory({ ...settings, ...more }, keeper, (event) => void events.push(event), end.signal);
  const ended = done.catch((error: unknown) => error);
  const watching = {
    events,
    ended,
    async stop() {
      end.abort();
      await ended;
    },
  };
  open.push(watching);
  return watching;
}

const subjects = ({ mails }: Kept): string[] =>
  mails.map(({ bytes }) => /^Subject: (.*)$/m.exec(Buffer.from(bytes).toString())?.[1] ?? '');
const swept = (w: Watching, times = 1): Promise<void> =>
  waitFor('it was swept', () => w.events.filter((event) => event.kind === 'swept').length >= times);
const got = (kept: Kept, count: number): Promise<void> =>
  waitFor(`${count} mails`, () => kept.mails.length >= count, { limit: 60_000 });

describe('a Maildir as a source', () => {
  const put = (box: 'new' | 'cur', name: string, text: string): void => {
    for (const made of ['new', 'cur', 'tmp']) mkdirSync(join(folder, made), { recursive: true });
    writeFileSync(join(folder, 'tmp', name), text);
    renameSync(join(folder, 'tmp', name), join(folder, box, name));
  };

  test('begins at the newest mail, sees a new one by itself, and takes one that was read elsewhere for the same', async () => {
    put('new', '1.a', mail('old'));
    const kept: Kept = { mails: [], cursor: undefined };
    const w = watch(maildirReader(folder), kept);
    await swept(w);
    put('new', '2.b', mail('one'));
    await got(kept, 1);
    renameSync(join(folder, 'new', '2.b'), join(folder, 'cur', '2.b:2,S'));
    put('cur', '3.c:2,', mail('two'));
    await got(kept, 2);
    expect(subjects(kept)).toEqual(['one', 'two']);
    expect(w.events.map((event) => event.kind).slice(0, 3)).toEqual(['first-start', 'connected', 'swept']);
  });

  test('that is not there yet is waited for by one that is patient', async () => {
    const gone = join(folder, 'not-yet');
    const w = watch(maildirReader(gone), { mails: [], cursor: undefined }, { patient: true });
    await waitFor('it has tried', () => w.events.some(({ kind }) => kind === 'disconnected'));
    for (const made of ['new', 'cur', 'tmp']) mkdirSync(join(gone, made), { recursive: true });
    await swept(w);
  });

  test('is found anew by the sweep where the file system announces nothing', async () => {
    put('new', '1.a', mail('old'));
    const kept: Kept = { mails: [], cursor: undefined };
    const silent = { ...maildirReader(folder), folders: () => [] };
    await swept(watch(silent, kept, { sweepEvery: 50 }));
    put('new', '2.b', mail('one'));
    await got(kept, 1);
    expect(subjects(kept)).toEqual(['one']);
  });

  test('loses no mail to an end in the middle: what came meanwhile is read, in order of its coming', async () => {
    put('new', '1.a', mail('old'));
    const kept: Kept = { mails: [], cursor: undefined };
    const first = watch(maildirReader(folder), kept);
    await swept(first);
    await first.stop();
    for (const n of [3, 4, 5]) put('new', `${n}.x`, mail(`m${n}`));
    expect(String(await watch(maildirReader(folder), kept, { dieAfter: 1 }).ended)).toContain('killed');
    await swept(watch(maildirReader(folder), kept));
    // The first may come twice, and the old one too: the store knows a mail by its Message-ID.
    expect([...new Set(subjects(kept))].filter((subject) => subject !== 'old')).toEqual(['m3', 'm4', 'm5']);
  });

  test('gives of a mail over the size limit the beginning only', async () => {
    put('new', '1.a', mail('old'));
    const kept: Kept = { mails: [], cursor: undefined };
    await swept(watch(maildirReader(folder), kept));
    put('new', '2.b', mail('big') + 'text\n'.repeat(40_000));
    await got(kept, 1);
    expect([kept.mails[0]?.truncated, kept.mails[0]?.bytes.length]).toEqual([true, 65_536]);
  });

  test('that is not there ends the start with its reason; one that goes away later is waited for', async () => {
    const nowhere = watch(maildirReader(join(folder, 'none')), { mails: [], cursor: undefined });
    expect(await nowhere.ended).toMatchObject({ code: 'unreadable', exit: 3 });
    put('new', '1.a', mail('old'));
    const kept: Kept = { mails: [], cursor: undefined };
    const w = watch(maildirReader(folder), kept, { sweepEvery: 20 });
    await swept(w);
    renameSync(join(folder, 'new'), join(folder, 'away'));
    await waitFor('the loss is noticed', () => w.events.at(-1)?.kind === 'disconnected');
    renameSync(join(folder, 'away'), join(folder, 'new'));
    put('new', '2.b', mail('back'));
    await got(kept, 1);
    expect(subjects(kept)).toEqual(['back']);
  });
});

describe.skipIf(!hasGit)('a public-inbox folder as a source [needs git]', () => {
  const git = (repo: string, input: string, ...args: string[]): string => {
    const config = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    return execFileSync('git', ['-C', repo, ...config, ...args], { input, encoding: 'utf8' }).trim();
  };
  const epoch = (n: number): string => {
    const repo = join(folder, 'git', `${n}.git`);
    mkdirSync(repo, { recursive: true });
    git(repo, '', 'init', '-q', '--bare', '-b', 'master');
    return repo;
  };
  /** One commit with the mail as its file `m`, as public-inbox v2 writes it. */
  const post = (repo: string, subject: string, anew = false): void => {
    const blob = git(repo, mail(subject), 'hash-object', '-w', '--stdin');
    const tree = git(repo, `100644 blob ${blob}\tm\n`, 'mktree');
    const parent = anew ? [] : git(repo, '', 'for-each-ref', '--format=%(objectname)', 'refs/heads/master').split('\n');
    const parents = parent.filter((id) => id !== '').flatMap((id) => ['-p', id]);
    const commit = git(repo, subject, 'commit-tree', tree, ...parents);
    git(repo, '', 'update-ref', 'refs/heads/master', commit);
  };

  test('begins at the newest mail, reads what is fetched, goes on into the next epoch, and again after an end', async () => {
    const zero = epoch(0);
    post(zero, 'old');
    const kept: Kept = { mails: [], cursor: undefined };
    const first = watch(inboxReader(folder), kept, { sweepEvery: 200 });
    await swept(first);
    post(zero, 'one');
    post(zero, 'two');
    await got(kept, 2);
    const one = epoch(1);
    post(one, 'three');
    await got(kept, 3);
    await first.stop();
    post(one, 'four');
    post(one, 'five');
    expect(String(await watch(inboxReader(folder), kept, { dieAfter: 1 }).ended)).toContain('killed');
    await swept(watch(inboxReader(folder), kept));
    expect([...new Set(subjects(kept))]).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  test('whose history was written anew is read from there; an empty one has nothing', async () => {
    const zero = epoch(0);
    const kept: Kept = { mails: [], cursor: undefined };
    const w = watch(inboxReader(folder), kept, { sweepEvery: 200 });
    await swept(w);
    expect(kept.mails).toEqual([]);
    post(zero, 'one');
    await got(kept, 1);
    post(zero, 'other', true);
    await got(kept, 2);
    expect(subjects(kept)).toEqual(['one', 'other']);
    await w.stop();
  });

  test('that is none ends the start with its reason', async () => {
    const w = watch(inboxReader(folder), { mails: [], cursor: undefined });
    expect(await w.ended).toMatchObject({ code: 'unreadable' });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  watchMailbox,
  type FetchedMail,
  type ImapAccount,
  type MailboxCursor,
  type MailboxKeeper,
  type MailboxWatch,
  type WatchEvent,
} from '../../src/shell/source/index.js';
import { draftsTransport } from '../../src/shell/transport/index.js';
import { hasDovecot, makeCertificate, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { temporaryFolder, waitFor } from '../support/servers/process-group.js';

type Watching = {
  readonly subjects: () => string[];
  readonly mails: FetchedMail[];
  readonly events: WatchEvent[];
  readonly cursor: () => MailboxCursor | undefined;
  stop(): Promise<void>;
};

describe.skipIf(!hasDovecot)('IMAP [needs dovecot]', () => {
  const folder = temporaryFolder('imap');
  let imap: Dovecot;
  let user = 0;
  const open: Watching[] = [];

  beforeAll(async () => {
    imap = await startDovecot(
      folder.path,
      Array.from({ length: 20 }, (_, i) => `bot${i}`),
    );
  });
  afterEach(async () => {
    for (const watching of open.splice(0)) await watching.stop();
  });
  afterAll(async () => {
    await imap.stop();
    folder.remove();
  });

  function account(changes: Partial<ImapAccount> = {}): ImapAccount {
    const name = `bot${user}`;
    return {
      host: '127.0.0.1',
      port: imap.port,
      tls: 'none',
      user: name,
      proof: () => Promise.resolve({ pass: `secret-of-${name}` }),
      silence: 2000,
      ...changes,
    };
  }

  function watch(changes: Partial<MailboxWatch> = {}, from?: MailboxCursor): Watching {
    let cursor = from;
    const mails: FetchedMail[] = [];
    const events: WatchEvent[] = [];
    const end = new AbortController();
    const keeper: MailboxKeeper = {
      cursor: () => Promise.resolve(cursor),
      keep: (more, next) => {
        mails.push(...more);
        cursor = next;
        return Promise.resolve();
      },
    };
    const settings: MailboxWatch = {
      account: account(),
      mailbox: 'INBOX',
      keyword: '$Reveille',
      sweepEvery: 1000,
      sizeLimit: 100_000,
      batchBytes: 200_000,
      pause: { first: 20, longest: 200 },
      ...changes,
    };
    const done = watchMailbox(settings, keeper, (event) => void events.push(event), end.signal);
    done.catch(() => undefined);
    const watching: Watching = {
      mails,
      events,
      subjects: () => mails.map(subjectOf),
      cursor: () => cursor,
      async stop() {
        end.abort();
        await done.catch(() => undefined);
      },
    };
    open.push(watching);
    return watching;
  }

  const idling = (w: Watching): Promise<void> =>
    waitFor('the mailbox was swept', () => w.events.at(-1)?.kind === 'swept', { log: imap.log });
  const got = (w: Watching, n: number, limit = 180_000): Promise<void> =>
    waitFor(`${n} mails`, () => w.mails.length >= n, { limit, log: imap.log });

  test('a first start begins at the newest mail, and a new one is seen by IDLE', async () => {
    user++;
    await imap.deliver(`bot${user}`, mail('old'));
    const w = watch({ sweepEvery: 60_000 });
    await idling(w);
    const began = Date.now();
    await imap.deliver(`bot${user}`, mail('new'));
    await got(w, 1);
    console.log(`a new mail was fetched ${Date.now() - began} ms after its delivery began`);
    expect(w.subjects()).toEqual(['new']);
    expect(w.events.map((e) => e.kind)).toContain('first-start');
    await waitFor('the keyword is set', () => flags().includes('$Reveille'));
    expect(flags()).not.toContain('\\Seen');
  });

  const flags = (): string => imap.admin('fetch', '-u', `bot${user}`, 'flags', 'mailbox', 'INBOX', 'subject', 'new');

  test('a server that stops, is killed, or freezes costs no mail and reads none twice', async () => {
    user++;
    const w = watch();
    await idling(w);
    const deliver = (subject: string): Promise<void> => imap.deliver(`bot${user}`, mail(subject));
    const faults: [string, () => Promise<void>, () => Promise<void>][] = [
      ['stopped', () => imap.stop(), () => imap.start()],
      ['killed', () => imap.kill(), () => imap.start()],
    ];
    for (const [name, down, up] of faults) {
      await deliver(`before it was ${name}`);
      await down();
      await waitFor('the loss is noticed', () => w.events.at(-1)?.kind === 'disconnected');
      await up();
      const began = Date.now();
      await deliver(`after it was ${name}`);
      await waitFor('the mail is there', () => w.subjects().includes(`after it was ${name}`), { log: imap.log });
      console.log(`server ${name}: back in the mailbox and mail read ${Date.now() - began} ms after its start`);
    }
    const froze = Date.now();
    const seen = w.events.length;
    imap.freeze();
    await waitFor('the freeze is noticed', () => w.events.slice(seen).some((e) => e.kind === 'disconnected'), {
      limit: 180_000,
    });
    console.log(`server frozen: noticed after ${Date.now() - froze} ms with 2000 ms of silence allowed`);
    imap.thaw();
    const thawed = Date.now();
    await deliver('after it was frozen');
    await waitFor('the mail is there', () => w.subjects().includes('after it was frozen'));
    console.log(`server frozen: mail read ${Date.now() - thawed} ms after it thawed`);
    expect(w.subjects()).toEqual([
      'before it was stopped',
      'after it was stopped',
      'before it was killed',
      'after it was killed',
      'after it was frozen',
    ]);
  });

  test('a mailbox that is made anew is read from its beginning', async () => {
    user++;
    const box = `Lists/box${user}`;
    imap.admin('mailbox', 'create', '-u', `bot${user}`, box);
    const w = watch({ mailbox: box });
    await idling(w);
    const save = (to: string, subject: string): void => {
      const path = join(folder.path, 'mail.eml');
      writeFileSync(path, mail(subject));
      imap.admin('save', '-u', `bot${user}`, '-m', to, path);
    };
    save(box, 'first');
    await got(w, 1);
    // Two sessions at the files of one name can break Dovecot's index: the old one is gone first, the new mailbox comes whole.
    const fresh = `${box}-new`;
    imap.admin('mailbox', 'create', '-u', `bot${user}`, fresh);
    save(fresh, 'second');
    imap.admin('mailbox', 'delete', '-u', `bot${user}`, box);
    await waitFor('the mailbox is missed', () =>
      w.events.some((event) => event.kind === 'disconnected' && event.trouble === 'no-mailbox'),
    );
    imap.admin('mailbox', 'rename', '-u', `bot${user}`, fresh, box);
    await got(w, 2);
    expect(w.subjects()).toEqual(['first', 'second']);
    expect(w.events.map((e) => e.kind)).toContain('uidvalidity-changed');
  });

  test('mails over the size limit are fetched in part, and expunged ones are passed over', async () => {
    user++;
    await imap.deliver(`bot${user}`, mail('gone'), mail('big', 300_000), mail('small'));
    const uidValidity = /uidvalidity=(\d+)/.exec(
      imap.admin('mailbox', 'status', '-u', `bot${user}`, 'uidvalidity', 'INBOX'),
    );
    imap.admin('expunge', '-u', `bot${user}`, 'mailbox', 'INBOX', 'subject', 'gone');
    const w = watch({}, { uidValidity: uidValidity?.[1] ?? '', lastUid: 0 });
    await got(w, 2);
    expect(w.subjects()).toEqual(['big', 'small']);
    expect(w.mails.map((m) => [m.truncated, m.bytes.length < 70_000])).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(w.cursor()?.lastUid).toBe(3);
  });

  test('thousands of waiting mails are read in batches of bounded size', async () => {
    user++;
    const count = process.env.REVEILLE_LONG === '1' ? 20_000 : 4000;
    fillMaildir(imap, `bot${user}`, count);
    const status = (): string => imap.admin('mailbox', 'status', '-u', `bot${user}`, 'uidvalidity messages', 'INBOX');
    const uidValidity = /uidvalidity=(\d+)/.exec(status())?.[1] ?? '';
    let kept = 0;
    let most = 0;
    const end = new AbortController();
    let cursor: MailboxCursor = { uidValidity, lastUid: 0 };
    const began = Date.now();
    const keeper: MailboxKeeper = {
      cursor: () => Promise.resolve(cursor),
      keep: (mails, next) => {
        kept += mails.length;
        most = Math.max(
          most,
          mails.reduce((sum, m) => sum + m.bytes.length, 0),
        );
        cursor = next;
        return Promise.resolve();
      },
    };
    const settings = { account: account(), mailbox: 'INBOX', sweepEvery: 1000, sizeLimit: 1e6, batchBytes: 500_000 };
    const done = watchMailbox({ ...settings, pause: { first: 20, longest: 200 } }, keeper, () => undefined, end.signal);
    await waitFor(`${count} mails`, () => kept >= count, { limit: 300_000 });
    console.log(`${count} waiting mails read in ${Date.now() - began} ms, at most ${most} bytes at a time`);
    end.abort();
    await done;
    expect(kept).toBe(count);
    expect(most).toBeLessThan(500_001);
  });

  test.each([
    ['a wrong password', { proof: () => Promise.resolve({ pass: 'wrong' }) }, 'INBOX', 'refused'],
    ['an unknown mailbox', {}, 'Nowhere', 'no-mailbox'],
  ] as const)('%s ends the first start with its reason', async (_, changes, mailbox, trouble) => {
    user++;
    await expect(firstStart(account(changes), mailbox)).rejects.toMatchObject({ trouble, lasting: true });
  });

  test('a certificate that nobody vouches for is refused, and trusted when it is named', async () => {
    user++;
    const tls = { port: imap.tlsPort, tls: 'implicit', host: 'localhost' } as const;
    const certificates = readFileSync(imap.certificate, 'utf8');
    makeCertificate(join(folder.path, 'other.pem'), join(folder.path, 'other.key'), 'elsewhere.example.org');
    const other = readFileSync(join(folder.path, 'other.pem'), 'utf8');
    await expect(firstStart(account(tls))).rejects.toMatchObject({ trouble: 'certificate' });
    await expect(firstStart(account({ ...tls, certificates: other }))).rejects.toMatchObject({
      trouble: 'certificate',
    });
    await expect(firstStart(account({ ...tls, port: imap.port }))).rejects.toMatchObject({ trouble: 'no-tls' });
    const w = watch({ account: account({ ...tls, certificates }) });
    await idling(w);
    const upgraded = watch({ account: account({ tls: 'starttls', host: 'localhost', certificates }) });
    await idling(upgraded);
  });

  function firstStart(to: ImapAccount, mailbox = 'INBOX'): Promise<void> {
    const keeper = { cursor: () => Promise.resolve(undefined), keep: () => Promise.resolve() };
    const settings = { account: to, mailbox, sweepEvery: 1000, sizeLimit: 1e6, batchBytes: 1e6 };
    return watchMailbox(
      { ...settings, pause: { first: 20, longest: 200 } },
      keeper,
      () => undefined,
      AbortSignal.timeout(120_000),
    );
  }

  test('a draft is put into the folder once, with its threading headers, however often it is tried', async () => {
    user++;
    const drafts = draftsTransport(account(), 'Drafts');
    const bytes = Buffer.from(mail('Re: draft', 10, 'In-Reply-To: <parent@example.org>\n'));
    const one = { messageId: '<Re: draft@x>', envelope: { from: 'bot@bot.test', to: ['list@lists.test'] }, bytes };
    expect(await drafts.send(one, yes)).toMatchObject({ kind: 'refused', retry: 'never' });
    const good = { ...one, messageId: '<id-Re--draft@example.org>' };
    await drafts.check();
    expect(await drafts.send(good, yes)).toMatchObject({ kind: 'sent' });
    expect(await drafts.send(good, yes)).toMatchObject({ kind: 'sent' });
    const there = imap.admin('fetch', '-u', `bot${user}`, 'hdr.in-reply-to flags', 'mailbox', 'Drafts', 'all');
    expect(there.match(/<parent@example\.org>/g)?.length).toBe(1);
    expect(there).toContain('\\Draft');
  });
});

const yes = (): Promise<boolean> => Promise.resolve(true);

function mail(subject: string, size = 10, more = ''): string {
  const id = `<id-${subject.replace(/[^a-z]/gi, '-')}@example.org>`;
  return `From: Dev <dev@example.org>\nTo: list@lists.test\nSubject: ${subject}\nMessage-ID: ${id}\n${more}\n${'text\n'.repeat(size / 5)}`;
}

function subjectOf(mail: FetchedMail): string {
  return /^Subject: ([^\r\n]*)/m.exec(Buffer.from(mail.bytes).toString())?.[1] ?? '';
}

/** Many mails at once, as files: delivering them one by one would take minutes. */
function fillMaildir(imap: Dovecot, user: string, count: number): void {
  imap.admin('mailbox', 'status', '-u', user, 'messages', 'INBOX');
  const into = join(imap.mailFolder(user), 'new');
  for (let i = 0; i < count; i++) {
    writeFileSync(join(into, `1700000000.M${String(i).padStart(6, '0')}P1.host`), mail(`waiting ${i}`, 5000), {
      mode: 0o666,
    });
  }
}

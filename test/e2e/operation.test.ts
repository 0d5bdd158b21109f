import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listQueue } from '../../src/shell/store/index.js';
import { approveLists, makeDaemon, runToEnd, type Daemon } from '../support/servers/daemon-process.js';
import { hasDovecot, makeCertificate, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { fieldOf } from '../support/servers/mailbox.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { freePort, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { startSmtpSink, type SmtpSink } from '../support/servers/smtp-sink.js';

const listId = (channel: string): string => `${channel}.lists.test`;
const headerOf = (channel: string): string => `List-Id: <${listId(channel)}>\n`;

describe.skipIf(!hasDovecot)('operating the daemon [needs dovecot]', () => {
  const folder = temporaryFolder('operation');
  let imap: Dovecot;
  let sink: SmtpSink;
  let count = 0;

  beforeAll(async () => {
    imap = await startDovecot(folder.path, ['bot', 'drafts', 'token']);
    sink = await startSmtpSink({ password: 'smtp-secret-of-bot', accessToken: 'smtp-token-of-bot' });
  });
  afterAll(async () => {
    await sink.close();
    await imap.stop();
    folder.remove();
  });

  async function make(
    user: string,
    channels: readonly string[],
    more: Partial<Parameters<typeof makeDaemon>[1]> = {},
  ): Promise<Daemon> {
    const entry = (channel: string): string =>
      `{address: ${channel}@lists.test, channel: ${channel}, settle: 0 s, caps: {hour: 99, day: 99, author: 99}}`;
    return makeDaemon(join(folder.path, `daemon${++count}`), {
      imapPort: imap.port,
      smtpPort: sink.port,
      healthPort: await freePort(),
      user,
      lists: Object.fromEntries(channels.map((channel) => [listId(channel), entry(channel)])),
      smtpPassword: 'smtp-secret-of-bot',
      ...more,
    });
  }

  const sentFrom = async (daemon: Daemon, id: string): Promise<boolean> => {
    const store = await daemon.open();
    try {
      const rows = await store.read((db) => listQueue(db));
      return rows.some((row) => row.parent === `<${id}@example.org>` && row.state === 'sent');
    } finally {
      await store.close();
    }
  };

  test('each channel takes its way: to the author alone, to the operator alone, into the drafts', async () => {
    const channels = ['author', 'operator', 'drafts'];
    const daemon = await make('drafts', channels);
    await approveLists(daemon, channels.map(listId));
    await daemon.start();
    try {
      for (const channel of channels) {
        const to = [`${channel}@lists.test`, 'someone@example.org'];
        await imap.deliver('drafts', patchMail({ id: `${channel}-1`, to, name: channel, more: headerOf(channel) }));
        await waitFor(`the reply on ${channel} is out`, () => sentFrom(daemon, `${channel}-1`), {
          log: join(daemon.folder, 'daemon.log'),
        });
      }
      expect(sink.taken.map(({ to }) => to)).toEqual([['dev@example.org'], ['operator@bot.test']]);
      const [author = '', operator = ''] = sink.taken.map(({ bytes }) => bytes.toString().replaceAll('\r\n', '\n'));
      expect([fieldOf(author, 'To'), fieldOf(author, 'Cc')]).toEqual(['Dev Eloper <dev@example.org>', undefined]);
      expect(fieldOf(operator, 'In-Reply-To')).toBe('<operator-1@example.org>');
      const fields = 'hdr.in-reply-to hdr.references hdr.to hdr.cc flags';
      const draft = imap.admin('fetch', '-u', 'drafts', fields, 'mailbox', 'Drafts', 'all');
      expect(draft.match(/hdr\.in-reply-to: <drafts-1@example\.org>/g)?.length).toBe(1);
      expect(draft).toContain('hdr.references: <drafts-1@example.org>');
      expect(draft).toContain('hdr.cc: drafts@lists.test');
      expect(draft).toContain('\\Draft');
      expect(sink.tried()).toBe(2);
    } finally {
      await daemon.stop();
    }
  });

  test('an OAuth2 token is had from a command for each connection, by IMAP and by SMTP; a wrong one is told', async () => {
    const token = join(folder.path, 'token');
    const daemon = await make('token', ['list'], { tokenFile: token });
    await approveLists(daemon, [listId('list')]);
    const stop = await imap.introspect({ user: 'token', token: 'smtp-token-of-bot' });
    writeFileSync(token, 'a-wrong-token\n');
    const wrong = await runToEnd('daemon', '--config', daemon.config);
    expect(wrong.text).toContain('refuses the user "token" with this password or token');
    expect(wrong.status).toBe(3);
    expect(wrong.text).not.toContain('a-wrong-token');
    const before = sink.taken.length;
    writeFileSync(token, 'smtp-token-of-bot\n');
    await daemon.start();
    try {
      await imap.deliver(
        'token',
        patchMail({ id: 'token-1', to: ['list@lists.test'], name: 'token', more: headerOf('list') }),
      );
      await waitFor('the reply is out', () => sentFrom(daemon, 'token-1'), { log: join(daemon.folder, 'daemon.log') });
      expect(sink.taken.length).toBe(before + 1);
      expect(daemon.logText()).not.toContain('smtp-token-of-bot');
    } finally {
      await daemon.stop();
      await stop();
    }
  });

  type Trouble = {
    readonly name: string;
    readonly spoil: (daemon: Daemon) => void;
    readonly status: 2 | 3;
    readonly what: string;
    readonly mend: string;
    /** The daemon itself goes on: what it has to send waits. */
    readonly doctorOnly?: true;
  };

  const edit = (path: string, change: (text: string) => string): void =>
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  const settings =
    (change: (text: string) => string) =>
    (daemon: Daemon): void =>
      edit(daemon.config, change);
  const policy =
    (text: string) =>
    (daemon: Daemon): void =>
      edit(join(daemon.folder, 'policy.yaml'), (old) => old + text);

  const troubles: readonly Trouble[] = [
    {
      name: 'a wrong password',
      spoil: (daemon) => writeFileSync(join(daemon.folder, 'password'), 'not-the-password\n'),
      status: 3,
      what: 'refuses the user "bot" with this password or token',
      mend: 'Check `user`, and what `password` or `accessToken` give',
    },
    {
      name: 'a password file that is not there',
      spoil: settings((text) =>
        text.replace(/password: \{file: .*\/password\}/, 'password: {file: /nowhere/password}'),
      ),
      status: 2,
      what: 'the file /nowhere/password gives nothing (ENOENT)',
      mend: 'Check that the file is readable',
    },
    {
      name: 'a certificate that nobody vouches for',
      spoil: settings((text) =>
        text.replace(`port: ${imap.port}\n  tls: none`, `port: ${imap.tlsPort}\n  tls: implicit`),
      ),
      status: 3,
      what: 'the certificate of 127.0.0.1:',
      mend: 'name the CA file of a private server in `certificates`',
    },
    {
      name: 'a certificate for another host',
      spoil: (daemon) => {
        const other = join(daemon.folder, 'other.pem');
        makeCertificate(other, join(daemon.folder, 'other.key'), 'elsewhere.example.org');
        const tls = `port: ${imap.tlsPort}\n  tls: implicit\n  certificates: ${other}`;
        settings((text) => text.replace(`port: ${imap.port}\n  tls: none`, tls))(daemon);
      },
      status: 3,
      what: 'is not trusted',
      mend: 'Check the host name',
    },
    {
      name: 'an unknown mailbox',
      spoil: settings((text) => text.replace('mailboxes: [INBOX]', 'mailboxes: [Nowhere]')),
      status: 3,
      what: 'there is no mailbox "Nowhere"',
      mend: 'Check its name and the hierarchy separator',
    },
    {
      name: 'a store that cannot be written',
      // A file in the place of its folder: not even root can write below it.
      spoil: settings((text) => text.replace('sqlite:store.db', 'sqlite:secret/store.db')),
      status: 3,
      what: '/secret',
      mend: 'Check the URL, the rights on the file',
    },
    {
      name: 'a policy with a key that it may not have',
      spoil: policy('embrago: 1 h\n'),
      status: 2,
      what: 'policy.yaml:6: unknown key "embrago"',
      mend: 'Mend the line that is named',
    },
    {
      name: 'a policy that is not YAML',
      spoil: policy('lists: {: [}\n'),
      status: 2,
      what: 'policy.yaml:6: ',
      mend: 'Mend the line that is named',
    },
    {
      name: 'settings with a key that they may not have',
      spoil: settings((text) => text.replace('killFile: stop', 'kilFile: stop')),
      status: 2,
      what: 'settings.yaml:4: unknown key "kilFile"; did you mean "killFile"?',
      mend: 'Mend the line that is named',
    },
    {
      name: 'another machine without TLS',
      spoil: settings((text) => text.replace('host: 127.0.0.1', 'host: imap.example.org')),
      status: 2,
      what: '`none` is for loopback only',
      mend: 'Mend the line that is named',
    },
    {
      name: 'a wrong password of the SMTP server',
      spoil: (daemon) => writeFileSync(join(daemon.folder, 'smtp-password'), 'not-the-password\n'),
      status: 3,
      what: 'refuses the user "bot" with this password or token',
      mend: 'Check `user`, and what `password` or `accessToken` give',
      doctorOnly: true,
    },
  ];

  test('doctor finds nothing wrong where nothing is, and sends nothing', async () => {
    const tried = sink.tried();
    const daemon = await make('bot', ['list']);
    const { status, text } = await runToEnd('doctor', '--config', daemon.config);
    expect(text).not.toContain('wrong');
    expect(status).toBe(0);
    expect(text).toContain('ok     smtp 127.0.0.1: logged in');
    expect(sink.tried()).toBe(tried);
  });

  test.each(troubles.map((trouble) => [trouble.name, trouble] as const))(
    '%s is told with its place and how to mend it, by doctor and daemon, and no mail goes out',
    async (_, { spoil, status, what, mend, doctorOnly }) => {
      const tried = sink.tried();
      const daemon = await make('bot', ['list']);
      await approveLists(daemon, [listId('list')]);
      spoil(daemon);
      const commands = doctorOnly === true ? ['doctor'] : ['doctor', 'daemon'];
      const ends = await Promise.all(commands.map((command) => runToEnd(command, '--config', daemon.config)));
      for (const end of ends) {
        const text = end.text.replace(/\s+/g, ' ');
        expect(text).toContain(what);
        expect(text).toContain(mend);
        expect(end.status).toBe(status);
        for (const secret of ['secret-of-bot', 'not-the-password', 'an instance secret']) {
          expect(text).not.toContain(secret);
        }
        expect(end.text).not.toContain('    at ');
      }
      expect(sink.tried()).toBe(tried);
    },
  );

  test('at the lowest level of the log no password and no text of a mail stands in it, whatever goes wrong', async () => {
    const daemon = await make('bot', ['list']);
    await approveLists(daemon, [listId('list')]);
    const log = join(daemon.folder, 'daemon.log');
    await daemon.start();
    try {
      sink.fail({ at: 'mail', reply: 451 }, { at: 'mail', reply: 451 });
      const more = headerOf('list');
      await imap.deliver('bot', patchMail({ id: 'log-1', to: ['list@lists.test'], name: 'lepton', more }));
      await waitFor('the reply is refused', () => daemon.log().some((line) => line.event === 'send.refused'), { log });
      await imap.deliver('bot', `Subject: no header\n${more}\nthe words of a mail\n`);
      await imap.deliver('bot', patchMail({ id: 'log-2', to: ['list@lists.test'], name: 'muon', more }));
      await waitFor('the reply is out', () => sentFrom(daemon, 'log-2'), { log });
      await imap.stop();
      await waitFor('the loss is noticed', () => daemon.log().some((line) => line.event === 'source.disconnected'), {
        log,
      });
      await imap.start();
    } finally {
      await daemon.stop();
    }
    const text = daemon.logText();
    expect(daemon.log().length).toBeGreaterThan(5);
    for (const secret of ['secret-of-bot', 'an instance secret']) expect(text).not.toContain(secret);
    for (const words of ['status register', 'usleep_range', 'msleep', 'words of a mail', 'Predicted']) {
      expect(text).not.toContain(words);
    }
  });
});

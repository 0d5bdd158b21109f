import { afterEach, describe, expect, test } from 'vitest';
import { SmtpTransport, type OutgoingMail } from '../../src/shell/transport/index.js';
import { startSmtpSink, type Fault, type SmtpSink } from '../support/servers/smtp-sink.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const handle of open.splice(0).reverse()) await handle.close();
});

const yes = (): Promise<boolean> => Promise.resolve(true);

let count = 0;
function mail(...to: string[]): OutgoingMail {
  const messageId = `<reply-${++count}@bot.example.org>`;
  const text = `From: Bot <bot@example.org>\nTo: list@example.org\nSubject: Re: naïve\nMessage-ID: ${messageId}\n\n.dot\nüber\n${'x'.repeat(200)}\nFrom here\n`;
  const envelope = { from: 'bot@example.org', to: to.length === 0 ? ['list@example.org'] : to };
  return { messageId, envelope, bytes: Buffer.from(text) };
}

async function meet(...faults: Fault[]): Promise<{ sink: SmtpSink; smtp: SmtpTransport }> {
  const sink = await startSmtpSink();
  sink.fail(...faults);
  const smtp = connectTo(sink.port);
  open.push(sink, smtp);
  return { sink, smtp };
}

function connectTo(port: number, patience = 20_000): SmtpTransport {
  return new SmtpTransport({ host: '127.0.0.1', port, tls: 'none', patience, idle: 10_000 });
}

describe('SMTP', () => {
  test('the bytes on the wire are the bytes of the row, over one connection', async () => {
    const { sink, smtp } = await meet();
    const mails = [mail(), mail('one@example.org', 'two@example.org')];
    for (const one of mails) expect(await smtp.send(one, yes)).toEqual({ kind: 'sent', refused: [] });
    expect(sink.taken.map(({ bytes }) => bytes.toString().replaceAll('\r\n', '\n'))).toEqual(
      mails.map(({ bytes }) => Buffer.from(bytes).toString()),
    );
    expect(sink.taken.map(({ to }) => to)).toEqual([['list@example.org'], ['one@example.org', 'two@example.org']]);
  });

  test.each([
    ['a 4xx to MAIL FROM', { at: 'mail', reply: 451 }, 'later'],
    ['a 5xx to MAIL FROM', { at: 'mail', reply: 550 }, 'never'],
    ['a 4xx to every recipient', { at: 'rcpt', reply: 450 }, 'later'],
    ['a 5xx to every recipient', { at: 'rcpt', reply: 550 }, 'never'],
    ['a 4xx after the final dot', { at: 'dot', reply: 452 }, 'later'],
    ['a 5xx after the final dot', { at: 'dot', reply: 554 }, 'never'],
  ] as const)('%s is a refusal that says whether to try again', async (_, fault, retry) => {
    const { sink, smtp } = await meet(fault);
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'refused', retry });
    expect(sink.taken).toEqual([]);
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'sent' });
  });

  test('a drop before the server asked for the mail is certain not to have sent it', async () => {
    const { sink, smtp } = await meet({ at: 'mail', drop: true });
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'refused', retry: 'later' });
    expect(sink.taken).toEqual([]);
  });

  test.each([
    ['dropped, kept by the server', { at: 'dot', drop: 'kept' }, 1],
    ['dropped, lost by the server', { at: 'dot', drop: 'lost' }, 0],
    ['silent, kept by the server', { at: 'dot', hang: 'kept' }, 1],
    ['silent, lost by the server', { at: 'dot', hang: 'lost' }, 0],
  ] as const)('a connection %s after the final dot is ambiguous', async (_, fault, kept) => {
    const { sink, smtp } = await meet(fault);
    if ('hang' in fault) {
      const hasty = connectTo(sink.port, 1500);
      open.push(hasty);
      expect(await hasty.send(mail(), yes)).toMatchObject({ kind: 'ambiguous' });
    } else {
      expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'ambiguous' });
    }
    expect(sink.taken.length).toBe(kept);
  });

  test('a kept connection that died unseen is opened anew, and the mail leaves once', async () => {
    const { sink, smtp } = await meet();
    await smtp.send(mail(), yes);
    const again = await restart(sink);
    open.push(again);
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'sent' });
    expect(again.taken.length).toBe(1);
  });

  test('leave is asked for when the server waits for the mail, and never before', async () => {
    const { sink, smtp } = await meet(
      { at: 'mail', drop: true },
      { at: 'mail', reply: 451 },
      { at: 'rcpt', reply: 550 },
    );
    let asked = 0;
    const count = (): Promise<boolean> => Promise.resolve(++asked > 0);
    for (let i = 0; i < 3; i++) await smtp.send(mail(), count);
    expect(asked).toBe(0);
    expect(await smtp.send(mail(), count)).toMatchObject({ kind: 'sent' });
    expect([asked, sink.taken.length]).toEqual([1, 1]);
  });

  test.each([
    ['no leave', () => Promise.resolve(false), { kind: 'withdrawn' }],
    ['a store that fails to give it', () => Promise.reject(new Error('gone')), { kind: 'refused', retry: 'later' }],
  ])('with %s nothing reaches the server, and the next mail leaves', async (_, leave, result) => {
    const { sink, smtp } = await meet();
    expect(await smtp.send(mail(), leave)).toMatchObject(result);
    expect(sink.taken).toEqual([]);
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'sent' });
    expect(sink.taken.length).toBe(1);
  });

  async function restart(sink: SmtpSink): Promise<SmtpSink> {
    await sink.close();
    return startSmtpSink({ port: sink.port });
  }

  test('recipients that were refused are named, each with whether to try again', async () => {
    const { sink, smtp } = await meet(
      { at: 'rcpt', reply: 450, only: 'late@example.org' },
      { at: 'rcpt', reply: 550, only: 'gone@example.org' },
    );
    const first = await smtp.send(mail('ok@example.org', 'late@example.org'), yes);
    const second = await smtp.send(mail('ok@example.org', 'gone@example.org'), yes);
    expect(first).toMatchObject({ kind: 'sent', refused: [{ address: 'late@example.org', retry: 'later' }] });
    expect(second).toMatchObject({ kind: 'sent', refused: [{ address: 'gone@example.org', retry: 'never' }] });
    expect(sink.taken.map(({ to }) => to)).toEqual([['ok@example.org'], ['ok@example.org']]);
  });

  test('a server that is not there is for later', async () => {
    const sink = await startSmtpSink();
    await sink.close();
    const smtp = connectTo(sink.port);
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'refused', retry: 'later' });
    await expect(smtp.check()).rejects.toMatchObject({ trouble: 'unreachable' });
  });

  test('a wrong password is about us: the mail stays for later', async () => {
    const sink = await startSmtpSink({ password: 'right' });
    const account = {
      host: '127.0.0.1',
      port: sink.port,
      tls: 'none',
      patience: 20_000,
      idle: 10_000,
      user: 'bot',
    } as const;
    const wrong = new SmtpTransport({ ...account, proof: () => Promise.resolve({ pass: 'wrong' }) });
    const right = new SmtpTransport({ ...account, proof: () => Promise.resolve({ pass: 'right' }) });
    open.push(sink, wrong, right);
    await expect(wrong.check()).rejects.toMatchObject({ trouble: 'refused' });
    expect(await wrong.send(mail(), yes)).toMatchObject({ kind: 'refused', retry: 'later' });
    expect(await right.send(mail(), yes)).toMatchObject({ kind: 'sent' });
  });

  test('TLS that the server does not have is asked for and missed', async () => {
    const { sink } = await meet();
    const smtp = new SmtpTransport({
      host: '127.0.0.1',
      port: sink.port,
      tls: 'starttls',
      patience: 20_000,
      idle: 100,
    });
    await expect(smtp.check()).rejects.toMatchObject({ trouble: 'no-tls' });
    expect(await smtp.send(mail(), yes)).toMatchObject({ kind: 'refused', retry: 'later' });
    expect(sink.taken).toEqual([]);
  });

  test.each([
    ['a recipient with a second one inside', ['a@example.org>\r\nRCPT TO:<evil@example.net']],
    ['a recipient with a name', ['Someone <a@example.org>']],
    ['nobody', []],
  ])('%s is never sent', async (_, to) => {
    const { sink, smtp } = await meet();
    const one = { ...mail(), envelope: { from: 'bot@example.org', to } };
    expect(await smtp.send(one, yes)).toMatchObject({ kind: 'refused', retry: 'never' });
    expect(sink.tried()).toBe(0);
  });

  test('bytes that do not carry the Message-ID of their row are never sent', async () => {
    const { sink, smtp } = await meet();
    expect(await smtp.send({ ...mail(), messageId: '<other@example.org>' }, yes)).toMatchObject({ retry: 'never' });
    expect(sink.tried()).toBe(0);
  });
});

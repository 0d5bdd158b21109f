/** An SMTP server that keeps what it gets and misbehaves as told, so that every failure of delivery can be met at will. */
import type { Socket } from 'node:net';
import { freePort } from './process-group.js';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/**
 * One misbehaviour: by the moment and what happens. `kept` after the final dot means that the server has taken the mail
 * although it never says so; `lost` that it has not.
 */
export type Fault =
  | { readonly at: 'mail' | 'rcpt' | 'dot'; readonly reply: number }
  | { readonly at: 'rcpt'; readonly reply: number; readonly only: string }
  | { readonly at: 'mail' | 'data'; readonly drop: true }
  | { readonly at: 'dot'; readonly drop: 'kept' | 'lost' }
  | { readonly at: 'dot'; readonly hang: 'kept' | 'lost' };

export type Taken = {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Buffer;
  readonly at: number;
};

export type SmtpSink = {
  readonly port: number;
  readonly taken: readonly Taken[];
  /** Connections and mails tried so far, refused ones too. */
  readonly tried: () => number;
  /** The faults meet the next mails one by one; then all is well again. */
  fail(...faults: readonly Fault[]): void;
  /** Holds for every mail until taken back with undefined. */
  failAlways(fault: Fault | undefined): void;
  close(): Promise<void>;
};

/** Starts the sink; `forward` gets every mail that it has taken, as a list's server would hand it on. */
export async function startSmtpSink(
  options: {
    readonly port?: number;
    readonly forward?: (mail: Taken) => Promise<void>;
    readonly password?: string;
    readonly accessToken?: string;
  } = {},
): Promise<SmtpSink> {
  const taken: Taken[] = [];
  const queue: Fault[] = [];
  const current = new Map<string, Fault | undefined>();
  const sockets = new Map<number, Socket>();
  let always: Fault | undefined;
  let tried = 0;
  const faultOf = (session: SMTPServerSession): Fault | undefined => current.get(session.id);
  const drop = (session: SMTPServerSession): void => void sockets.get(session.remotePort)?.destroy();

  const server = new SMTPServer({
    authOptional: options.password === undefined,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    disabledCommands: options.password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      const isToken = options.accessToken !== undefined && auth.accessToken === options.accessToken;
      const isPassword = options.password !== undefined && auth.password === options.password;
      if (isToken || isPassword) done(null, { user: auth.username });
      else done(new Error('no such user or password'));
    },
    onMailFrom(_address, session, done) {
      tried++;
      const fault = always ?? queue.shift();
      current.set(session.id, fault);
      if (fault?.at !== 'mail') return done();
      if ('drop' in fault) return drop(session);
      done(refusal(fault.reply));
    },
    onRcptTo({ address }, session, done) {
      const fault = faultOf(session);
      if (fault?.at !== 'rcpt') return done();
      if ('only' in fault && fault.only !== address) return done();
      done(refusal(fault.reply));
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        (fault) => answer(fault, session, done),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort;
    if (port === undefined) return;
    sockets.set(port, socket);
    socket.once('close', () => sockets.delete(port));
    socket.on('error', () => undefined);
  });
  server.on('error', () => undefined);

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Fault | undefined> {
    const fault = faultOf(session);
    if (fault?.at === 'data') drop(session);
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    if (fault?.at === 'data') return fault;
    const refused = fault?.at === 'dot' && 'reply' in fault;
    const lost =
      fault?.at === 'dot' && (('drop' in fault && fault.drop === 'lost') || ('hang' in fault && fault.hang === 'lost'));
    if (refused || lost) return fault;
    const { mailFrom, rcptTo } = session.envelope;
    const mail: Taken = {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      bytes: Buffer.concat(parts),
      at: Date.now(),
    };
    taken.push(mail);
    await options.forward?.(mail);
    return fault;
  }

  function answer(fault: Fault | undefined, session: SMTPServerSession, done: (error?: Error | null) => void): void {
    if (fault?.at === 'data') return;
    if (fault?.at !== 'dot') return done();
    if ('hang' in fault) return;
    if ('drop' in fault) return drop(session);
    done(refusal(fault.reply));
  }

  const port = options.port ?? (await freePort());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    taken,
    tried: () => tried,
    fail: (...faults) => void queue.push(...faults),
    failAlways: (fault) => void (always = fault),
    async close() {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function refusal(code: number): Error {
  return Object.assign(new Error('refused by the test'), { responseCode: code });
}

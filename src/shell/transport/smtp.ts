import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import XOAuth2 from 'nodemailer/lib/xoauth2';
import { Readable } from 'node:stream';
import { Failure } from '../config/index.js';
import { findUnsendable } from './outgoing-guard.js';
import type { Leave, OutgoingMail, RefusedRecipient, SendResult, Transport } from './send-result.js';

export type SmtpAccount = {
  readonly host: string;
  readonly port: number;
  /** `none` is for loopback only. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly certificates?: string;
  readonly user?: string;
  /** Asked for at every connection; absent for a server that knows us by address. */
  readonly proof?: () => Promise<{ readonly pass: string } | { readonly accessToken: string }>;
  /** Name to greet with. */
  readonly name?: string;
  /** How long the server may stay silent, in milliseconds. RFC 5321 section 4.5.3.2 asks for minutes after the final dot. */
  readonly patience: number;
  /** An unused connection is closed after this many milliseconds. */
  readonly idle: number;
};

export type SmtpTrouble = 'refused' | 'certificate' | 'no-tls' | 'unreachable';

/** A failure before any mail was on its way, sorted by what a person can do about it. */
export class SmtpError extends Error {
  readonly trouble: SmtpTrouble;

  constructor(trouble: SmtpTrouble, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'SmtpError';
    this.trouble = trouble;
  }
}

/**
 * SMTP over one connection that is kept while it is in use; mails go one after the other, byte for byte. The connection is
 * driven directly, not through sendMail(): only so can it be told whether the server had asked for the mail when a
 * connection broke, which is the difference between trying again and never again.
 */
export class SmtpTransport implements Transport {
  readonly #account: SmtpAccount;
  #connection: SMTPConnection | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(account: SmtpAccount) {
    this.#account = account;
  }

  send(mail: OutgoingMail, leave: Leave): Promise<SendResult> {
    return this.#inTurn(() => this.#sendNow(mail, leave));
  }

  check(): Promise<void> {
    return this.#inTurn(async () => {
      this.#drop();
      await this.#open();
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(() => Promise.resolve(this.#drop()));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #sendNow(mail: OutgoingMail, leave: Leave): Promise<SendResult> {
    const unsendable = findUnsendable(mail);
    if (unsendable !== undefined) return { kind: 'refused', retry: 'never', why: unsendable };
    clearTimeout(this.#idleTimer);
    const reused = this.#connection !== undefined;
    const result = await this.#attempt(mail, leave);
    // A kept connection may have died unseen; that says nothing about the server.
    if (reused && result.kind === 'refused' && result.lost === true) return strip(await this.#attempt(mail, leave));
    return strip(result);
  }

  async #attempt(mail: OutgoingMail, leave: Leave): Promise<SendResult & { lost?: true }> {
    let connection: SMTPConnection;
    try {
      connection = this.#connection ?? (await this.#open());
    } catch (error) {
      if (!(error instanceof SmtpError)) throw error;
      return { kind: 'refused', retry: 'later', why: error.message };
    }
    const { result, usable } = await transfer(connection, mail, leave);
    if (!usable) this.#drop();
    else this.#idleTimer = setTimeout(() => this.#drop(), this.#account.idle).unref();
    return result;
  }

  async #open(): Promise<SMTPConnection> {
    const account = this.#account;
    const connection = new SMTPConnection({
      host: account.host,
      port: account.port,
      secure: account.tls === 'implicit',
      requireTLS: account.tls === 'starttls',
      ignoreTLS: account.tls === 'none',
      ...(account.certificates === undefined ? {} : { tls: { ca: account.certificates } }),
      ...(account.name === undefined ? {} : { name: account.name }),
      connectionTimeout: account.patience,
      greetingTimeout: account.patience,
      dnsTimeout: account.patience,
      socketTimeout: account.patience,
      logger: false,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.once('end', () => reject(new Error('the server closed the connection')));
        connection.connect((error) => (error ? reject(error) : resolve()));
      });
      connection.on('error', () => undefined); // told to the callback of the send that it breaks, too
      await logIn(connection, account);
    } catch (error) {
      connection.close();
      throw error instanceof Failure ? error : sortSmtpError(error, account);
    }
    connection.once('end', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    this.#connection = connection;
    return connection;
  }

  #drop(): void {
    clearTimeout(this.#idleTimer);
    this.#connection?.close();
    this.#connection = undefined;
  }
}

function strip(result: SendResult & { lost?: true }): SendResult {
  const { lost, ...plain } = result;
  return plain;
}

async function logIn(connection: SMTPConnection, account: SmtpAccount): Promise<void> {
  const { user, proof } = account;
  if (user === undefined || proof === undefined) return;
  const given = await proof();
  const auth =
    'pass' in given
      ? { user, credentials: { user, pass: given.pass } }
      : { type: 'OAUTH2', user, oauth2: new XOAuth2({ user, accessToken: given.accessToken }) };
  await new Promise<void>((resolve, reject) => {
    connection.login(auth, (error) => (error ? reject(error) : resolve()));
  });
}

type Transfer = { readonly result: SendResult & { lost?: true }; readonly usable: boolean };

/** One mail over an open connection. `left` is true from the moment the server has asked for the bytes and there was leave. */
async function transfer(connection: SMTPConnection, mail: OutgoingMail, leave: Leave): Promise<Transfer> {
  let asked = false;
  let left = false;
  let withdrawn = false;
  const body = new Readable({
    read() {
      if (asked) return;
      asked = true;
      leave().then(
        (may) => {
          if (!may) {
            withdrawn = true;
            body.destroy(new Error('no leave'));
            return;
          }
          left = true;
          body.push(Buffer.from(mail.bytes));
          body.push(null);
        },
        // The store does not answer: without a note of it nothing leaves. A DATA that breaks off is no mail (RFC 5321, 4.1.1.4).
        (error: unknown) => void body.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  const envelope = {
    from: mail.envelope.from,
    to: [...mail.envelope.to],
    size: mail.bytes.length,
    use8BitMime: mail.bytes.some((byte) => byte > 0x7f),
  };
  return new Promise((resolve) => {
    body.once('error', (error) => {
      const refused: SendResult = { kind: 'refused', retry: 'later', why: whyOf(error) };
      resolve({ result: withdrawn ? { kind: 'withdrawn' } : refused, usable: false });
    });
    connection.send(envelope, body, (error, info) => {
      body.destroy();
      if (error) resolve(failedTransfer(error, left));
      else resolve({ result: { kind: 'sent', refused: refusedOf(info) }, usable: true });
    });
  });
}

type SmtpFailure = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  rejectedErrors?: readonly (Error & { responseCode?: number; recipient?: string })[];
};

function failedTransfer(error: SmtpFailure, left: boolean): Transfer {
  const why = whyOf(error);
  const code = error.responseCode ?? 0;
  const aboutMail = ['MAIL FROM', 'RCPT TO', 'DATA'].includes(error.command ?? '') && code >= 400;
  if (aboutMail) {
    const codes = [code, ...(error.rejectedErrors ?? []).map((one) => one.responseCode ?? 0)];
    const later = codes.some((one) => one < 500) || isAboutLogin(code);
    return { result: { kind: 'refused', retry: later ? 'later' : 'never', why }, usable: false };
  }
  // Without a server's word these are ours: an address, or a size over what the server has announced.
  if (error.code === 'EENVELOPE' || (error.code === 'EMESSAGE' && !left)) {
    return { result: { kind: 'refused', retry: 'never', why }, usable: false };
  }
  if (left) return { result: { kind: 'ambiguous', why }, usable: false };
  return { result: { kind: 'refused', retry: 'later', why, lost: true }, usable: false };
}

/** 530, 534, 535, 538 are about us, not about the mail (RFC 4954 section 6): the settings will be mended, the mail stays. */
function isAboutLogin(code: number): boolean {
  return code === 530 || code === 534 || code === 535 || code === 538;
}

function refusedOf(info: SMTPConnectionSendInfo | undefined): RefusedRecipient[] {
  const errors = (info?.rejectedErrors ?? []) as NonNullable<SmtpFailure['rejectedErrors']>;
  return (info?.rejected ?? []).map((address) => {
    const error = errors.find((one) => one.recipient === address);
    const passing = (error?.responseCode ?? 500) < 500;
    return { address, retry: passing ? 'later' : 'never', why: error === undefined ? 'refused' : whyOf(error) };
  });
}

/** The server's words on one line, cut: it may quote anything. */
function whyOf(error: SmtpFailure): string {
  return `${error.code ?? 'error'}: ${error.message}`.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 300);
}

/** A failure to connect or to log in, sorted. */
export function sortSmtpError(error: unknown, account: SmtpAccount): SmtpError {
  if (error instanceof SmtpError) return error;
  const failure = (error instanceof Error ? error : new Error(String(error))) as SmtpFailure & { cause?: unknown };
  const where = `${account.host}:${account.port}`;
  const text = whyOf(failure);
  const options = { cause: error };
  if (failure.code === 'EAUTH') {
    const passing = (failure.responseCode ?? 500) < 500;
    if (passing) return new SmtpError('unreachable', `${where} cannot check passwords now`, options);
    return new SmtpError(
      'refused',
      `${where} refuses the user "${account.user ?? ''}" with this password or token`,
      options,
    );
  }
  if (/certificate|self-signed|altnames/i.test(text)) {
    return new SmtpError('certificate', `the certificate of ${where} is not trusted (${text})`, options);
  }
  if (failure.code === 'ETLS' || /wrong version number|STARTTLS/i.test(text)) {
    return new SmtpError('no-tls', `${where} does not speak TLS in the way the settings say (${text})`, options);
  }
  return new SmtpError('unreachable', `no connection to ${where}: ${text}`, options);
}

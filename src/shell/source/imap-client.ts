import { ImapFlow, type ImapFlowOptions } from 'imapflow';

/** What proves who we are: a password, or an OAuth2 token; asked for anew at every connection, since tokens expire. */
export type Proof = { readonly pass: string } | { readonly accessToken: string };

export type ImapAccount = {
  readonly host: string;
  readonly port: number;
  /** `none` sends the password in the clear and is for loopback only. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  /** Certificates to trust beside the system's, as PEM. */
  readonly certificates?: string;
  readonly user: string;
  readonly proof: () => Promise<Proof>;
  /** A connection that says nothing for this long, in milliseconds, is taken for dead. */
  readonly silence: number;
};

/** Why the mailbox cannot be used. `refused`, `certificate`, `no-tls` and `no-mailbox` last until somebody mends them. */
export type ImapTrouble = 'refused' | 'certificate' | 'no-tls' | 'no-mailbox' | 'unreachable' | 'lost';

/** A failure of the IMAP side, sorted by what a person can do about it. */
export class ImapError extends Error {
  readonly trouble: ImapTrouble;
  /** Trying again without a change by a person is no use. */
  readonly lasting: boolean;

  constructor(trouble: ImapTrouble, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'ImapError';
    this.trouble = trouble;
    this.lasting = trouble !== 'unreachable' && trouble !== 'lost';
  }
}

/** Connects and logs in. An ImapFlow object lives for one connection: there is a new one for every try. */
export async function openClient(account: ImapAccount): Promise<ImapFlow> {
  const proof = await account.proof();
  const options: ImapFlowOptions = {
    host: account.host,
    port: account.port,
    secure: account.tls === 'implicit',
    // Unset would mean: TLS if the server happens to offer it.
    ...(account.tls === 'implicit' ? {} : { doSTARTTLS: account.tls === 'starttls' }),
    auth: { user: account.user, ...proof },
    ...(account.certificates === undefined ? {} : { tls: { ca: account.certificates } }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: Math.max(account.silence, 1000),
    greetingTimeout: Math.max(account.silence, 1000),
    socketTimeout: account.silence,
  };
  const client = new ImapFlow(options);
  // Without a listener a time-out would be an uncaught exception; what matters arrives by 'close' and by rejections.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw sortError(error, account);
  }
  return client;
}

/** Ends a connection politely, or at once when the server does not answer. */
export async function closeClient(client: ImapFlow): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 1000).unref());
  if (client.usable) await Promise.race([client.logout().catch(() => undefined), patience]);
  client.close();
}

/** Opens a mailbox; says which one is missing. */
export async function openMailbox(client: ImapFlow, path: string): Promise<{ uidValidity: string; uidNext: number }> {
  try {
    const box = await client.mailboxOpen(path);
    return { uidValidity: String(box.uidValidity), uidNext: box.uidNext };
  } catch (error) {
    if (propertyOf(error, 'mailboxMissing') === true) {
      throw new ImapError('no-mailbox', `there is no mailbox "${path}"`, { cause: error });
    }
    throw new ImapError('lost', `cannot open "${path}": ${textOf(error)}`, { cause: error });
  }
}

/** An imapflow or socket error as an ImapError; one that is sorted already stays as it is. */
export function sortError(error: unknown, account: Pick<ImapAccount, 'host' | 'port' | 'user'>): ImapError {
  if (error instanceof ImapError) return error;
  const where = `${account.host}:${account.port}`;
  const code = String(propertyOf(error, 'code') ?? '');
  const cause = { cause: error };
  if (propertyOf(error, 'authenticationFailed') === true) {
    const said = String(propertyOf(error, 'serverResponseCode') ?? '');
    const passing = said === 'UNAVAILABLE' || said === 'INUSE';
    if (passing) return new ImapError('unreachable', `${where} cannot check passwords now (${said})`, cause);
    return new ImapError('refused', `${where} refuses the user "${account.user}" with this password or token`, cause);
  }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY/.test(code)) {
    return new ImapError('certificate', `the certificate of ${where} is not trusted (${code})`, cause);
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || propertyOf(error, 'tlsFailed') === true) {
    return new ImapError('no-tls', `${where} does not speak TLS in the way the settings say`, cause);
  }
  return new ImapError('unreachable', `no connection to ${where}: ${code === '' ? textOf(error) : code}`, cause);
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

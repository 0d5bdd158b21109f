/** A private Dovecot 2.3 on loopback: IMAP, IMAPS, and LMTP for delivery. Everything stands in one folder. */
import { createTransport } from 'nodemailer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  freePort,
  hasProgram,
  isListening,
  isRoot,
  runOnce,
  startGroup,
  waitFor,
  type Group,
} from './process-group.js';

const binary = '/usr/sbin/dovecot';

/** Version 2.4 has another configuration syntax; Debian 12 has 2.3. */
export const hasDovecot = hasProgram(binary) && hasProgram('openssl') && /^2\.3\./.test(runOnce(binary, ['--version']));

export type Dovecot = {
  readonly port: number;
  readonly tlsPort: number;
  readonly lmtpPort: number;
  /** The self-signed certificate, for `localhost` and 127.0.0.1. */
  readonly certificate: string;
  readonly log: string;
  start(): Promise<void>;
  /** SIGTERM to the whole group: children with a client would live on else. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Delivers by LMTP, as a mail server does. */
  deliver(user: string, ...mails: readonly (string | Buffer)[]): Promise<void>;
  /** `doveadm` with this server's configuration. */
  admin(...args: readonly string[]): string;
  readonly mailFolder: (user: string) => string;
  /** Answers the server's questions about OAuth2 tokens: this one is the user's, all others are nobody's. Gives its end. */
  introspect(known: { readonly user: string; readonly token: string }): Promise<() => Promise<void>>;
};

/** Writes the configuration and starts the server. Each user's password is `secret-of-<user>`. */
export async function startDovecot(folder: string, users: readonly string[]): Promise<Dovecot> {
  const base = join(folder, 'dovecot');
  const [port, tlsPort, lmtpPort, tokenPort] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const certificate = join(base, 'cert.pem');
  const log = join(base, 'dovecot.log');
  const config = join(base, 'dovecot.conf');
  for (const name of ['', 'run', 'mail', 'state']) mkdirSync(join(base, name), { recursive: true, mode: 0o755 });
  const owner = isRoot ? 'nobody' : runOnce('id', ['-un']).trim();
  const group = runOnce('id', ['-gn', owner]).trim();
  if (isRoot) runOnce('chown', ['-R', `${owner}:${group}`, join(base, 'mail')]);
  makeCertificate(certificate, join(base, 'key.pem'));
  writeFileSync(join(base, 'users'), users.map((user) => `${user}:{PLAIN}secret-of-${user}\n`).join(''));
  writeFileSync(join(base, 'oauth2.conf'), tokenQuestions(tokenPort));
  writeFileSync(config, configuration({ base, log, certificate, port, tlsPort, lmtpPort, owner, group }));
  let running: Group | undefined;
  const server: Dovecot = {
    port,
    tlsPort,
    lmtpPort,
    certificate,
    log,
    async start() {
      running = startGroup(binary, ['-F', '-c', config], { log });
      await waitFor('Dovecot listens', async () => (await isListening(port)) && (await isListening(lmtpPort)), { log });
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async kill() {
      running?.signal('SIGKILL');
      await running?.stop();
      running = undefined;
    },
    freeze: () => void running?.signal('SIGSTOP'),
    thaw: () => void running?.signal('SIGCONT'),
    async deliver(user, ...mails) {
      const lmtp = createTransport({ host: '127.0.0.1', port: lmtpPort, lmtp: true, ignoreTLS: true, pool: true });
      for (const raw of mails) {
        await lmtp.sendMail({ raw, envelope: { from: 'sender@example.org', to: [`${user}@bot.test`] } });
      }
      lmtp.close();
    },
    admin: (...args) => runOnce('doveadm', ['-c', config, ...args]),
    mailFolder: (user) => join(base, 'mail', user),
    introspect: (known) => answerTokens(tokenPort, known),
  };
  await server.start();
  return server;
}

/** RFC 7662: the server posts the token, and learns whether it is good and whose. */
function tokenQuestions(port: number): string {
  return `introspection_url = http://127.0.0.1:${port}/
introspection_mode = post
username_attribute = username
active_attribute = active
active_value = true
`;
}

async function answerTokens(
  port: number,
  known: { readonly user: string; readonly token: string },
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => void (body += part.toString()));
    request.on('end', () => {
      const active = new URLSearchParams(body).get('token') === known.token;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(active ? { active, username: known.user } : { active }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** A self-signed certificate for `localhost`, or for another name to see it refused. */
export function makeCertificate(certificate: string, key: string, name = 'localhost'): void {
  const names = name === 'localhost' ? 'DNS:localhost,IP:127.0.0.1' : `DNS:${name}`;
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '30'];
  runOnce('openssl', [...args, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`]);
}

type Layout = {
  readonly base: string;
  readonly log: string;
  readonly certificate: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly lmtpPort: number;
  readonly owner: string;
  readonly group: string;
};

function configuration(o: Layout): string {
  const login = isRoot ? 'dovenull' : o.owner;
  const internal = isRoot ? 'dovecot' : o.owner;
  const uid = runOnce('id', ['-u', o.owner]).trim();
  const gid = runOnce('id', ['-g', o.owner]).trim();
  return `base_dir = ${o.base}/run
state_dir = ${o.base}/state
instance_name = reveille-test-${o.port}
log_path = ${o.log}
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <${o.certificate}
ssl_key = <${o.base}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
auth_failure_delay = 0
shutdown_clients = yes
default_login_user = ${login}
default_internal_user = ${internal}
default_internal_group = ${runOnce('id', ['-gn', internal]).trim()}
mail_location = maildir:${o.base}/mail/%n
mail_uid = ${uid}
mail_gid = ${gid}
mail_fsync = never
first_valid_uid = 0
first_valid_gid = 0
mail_max_userip_connections = 200
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${o.base}/oauth2.conf
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = scheme=PLAIN username_format=%n ${o.base}/users
}
userdb {
  driver = static
  # Without the last word deliveries ask the passdbs, of which one wants a token.
  args = uid=${uid} gid=${gid} home=${o.base}/mail/%n allow_all_users=yes
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Drafts {
    auto = subscribe
    special_use = \\Drafts
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${o.port}
  }
  inet_listener imaps {
    port = ${o.tlsPort}
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${o.lmtpPort}
  }
}
service anvil {
  chroot =
  # Without this a wrong password makes later logins from the same address wait.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`;
}

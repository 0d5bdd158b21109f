/** A private Dovecot 2.3 on loopback: IMAP, IMAPS, and LMTP for delivery. Everything stands in one folder. */
import { createTransport } from 'nodemailer';
import { mkdirSync, writeFileSync } from 'node:fs';
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
};

/** Writes the configuration and starts the server. Each user's password is `secret-of-<user>`. */
export async function startDovecot(folder: string, users: readonly string[]): Promise<Dovecot> {
  const base = join(folder, 'dovecot');
  const [port, tlsPort, lmtpPort] = [await freePort(), await freePort(), await freePort()];
  const certificate = join(base, 'cert.pem');
  const log = join(base, 'dovecot.log');
  const config = join(base, 'dovecot.conf');
  for (const name of ['', 'run', 'mail', 'state']) mkdirSync(join(base, name), { recursive: true, mode: 0o755 });
  const owner = isRoot ? 'nobody' : runOnce('id', ['-un']).trim();
  const group = runOnce('id', ['-gn', owner]).trim();
  if (isRoot) runOnce('chown', ['-R', `${owner}:${group}`, join(base, 'mail')]);
  makeCertificate(certificate, join(base, 'key.pem'));
  writeFileSync(join(base, 'users'), users.map((user) => `${user}:{PLAIN}secret-of-${user}\n`).join(''));
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
  };
  await server.start();
  return server;
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
auth_mechanisms = plain login
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
  driver = passwd-file
  args = scheme=PLAIN username_format=%n ${o.base}/users
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${o.base}/mail/%n
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

/** A private Postfix 3 with mlmmj lists on loopback: `<list>@lists.test` are lists, `<user>@bot.test` goes to an LMTP port. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
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

const daemons = '/usr/lib/postfix/sbin';

/** Postfix must be started by root: its processes change their user. */
export const hasMailList =
  isRoot && existsSync(join(daemons, 'master')) && hasProgram('postfix') && hasProgram('/usr/bin/mlmmj-receive');

export type MailServer = {
  readonly port: number;
  readonly log: string;
  /** Subscribes an address to a list at once, without confirmation. */
  subscribe(list: string, address: string): void;
  /** The raw mails that a list has kept, oldest first. */
  readonly archive: (list: string) => string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Writes configuration and lists, and starts the server. */
export async function startMailServer(
  folder: string,
  options: { readonly lmtpPort: number; readonly lists: readonly string[] },
): Promise<MailServer> {
  const base = join(folder, 'postfix');
  const port = await freePort();
  const log = join(base, 'postfix.log');
  for (const name of ['', 'conf', 'queue', 'data', 'spool']) {
    mkdirSync(join(base, name), { recursive: true, mode: 0o755 });
  }
  runOnce('chown', ['postfix', join(base, 'data')]);
  writeFileSync(join(base, 'conf', 'main.cf'), mainConfig(base));
  writeFileSync(join(base, 'conf', 'master.cf'), masterConfig(base, port));
  const routes = options.lists.map((list) => `/^${list}(\\+[^@]*)?@lists\\.test$/   mlmmj:${list}\n`);
  const transport = [...routes, `/@bot\\.test$/   lmtp:inet:127.0.0.1:${options.lmtpPort}\n`].join('');
  writeFileSync(join(base, 'conf', 'transport'), transport);
  for (const list of options.lists) makeList(join(base, 'spool', list), list, port);
  runOnce('postfix', ['-c', join(base, 'conf'), 'check']);
  let running: Group | undefined;
  const server: MailServer = {
    port,
    log,
    subscribe: (list, address) =>
      void runOnce('/usr/bin/mlmmj-sub', ['-L', join(base, 'spool', list), '-a', address, '-s', '-f', '-q']),
    archive: (list) => join(base, 'spool', list, 'archive'),
    async start() {
      running = startGroup(join(daemons, 'master'), ['-c', join(base, 'conf'), '-d'], { log });
      await waitFor('Postfix listens', () => isListening(port), { log });
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
  };
  await server.start();
  return server;
}

function makeList(folder: string, list: string, port: number): void {
  const folders = 'incoming queue/discarded archive text subconf unsubconf bounce control moderation';
  for (const name of `${folders} subscribers.d digesters.d requeue nomailsubs.d`.split(' ')) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('index', '0\n');
  write('control/listaddress', `${list}@lists.test\n`);
  write('control/owner', 'owner@bot.test\n');
  write('control/relayhost', '127.0.0.1\n');
  write('control/smtpport', `${port}\n`);
  write(
    'control/customheaders',
    `List-Id: <${list}.lists.test>\nList-Post: <mailto:${list}@lists.test>\nPrecedence: bulk\nX-Mailing-List: ${list}@lists.test\n`,
  );
  const texts = ['/usr/share/mlmmj/text.skel/en', '/usr/share/doc/mlmmj/text.skel/en'].find((path) => existsSync(path));
  if (texts !== undefined) cpSync(texts, join(folder, 'text'), { recursive: true });
  runOnce('chown', ['-R', 'nobody', folder]);
}

function mainConfig(base: string): string {
  return `compatibility_level = 3.6
queue_directory = ${base}/queue
data_directory = ${base}/data
command_directory = /usr/sbin
daemon_directory = ${daemons}
mail_owner = postfix
setgid_group = postdrop
maillog_file_prefixes = ${base}
maillog_file = ${base}/postfix.log
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = lists.test
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtpd_client_connection_rate_limit = 0
disable_dns_lookups = yes
smtp_host_lookup = native
smtputf8_enable = no
biff = no
recipient_delimiter = +
transport_maps = regexp:${base}/conf/transport
relay_domains = lists.test, bot.test
default_transport = error:5.1.2 no such test domain
mlmmj_destination_recipient_limit = 1
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
in_flow_delay = 0
`;
}

function masterConfig(base: string, port: number): string {
  return `127.0.0.1:${port} inet n - n - - smtpd
pickup    unix  n - n 60 1 pickup
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 300 1 qmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
verify    unix  - - n - 1 verify
flush     unix  n - n 1000? 0 flush
proxymap  unix  - - n - - proxymap
smtp      unix  - - n - - smtp
relay     unix  - - n - - smtp
showq     unix  n - n - - showq
error     unix  - - n - - error
retry     unix  - - n - - error
discard   unix  - - n - - discard
lmtp      unix  - - n - - lmtp
anvil     unix  - - n - 1 anvil
scache    unix  - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
mlmmj     unix  - n n - - pipe flags=ORhu user=nobody argv=/usr/bin/mlmmj-receive -F -L ${base}/spool/\${nexthop}
`;
}

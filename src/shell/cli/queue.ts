import { Command, Option } from 'commander';
import { Failure, loadSettings, storeUrl } from '../config/index.js';
import {
  approve,
  findQueued,
  listQueue,
  openStore,
  readMutes,
  readSpoken,
  reject,
  removeMute,
  type OutboxState,
  type Queued,
  type Store,
} from '../store/index.js';

const waiting: readonly OutboxState[] = ['held', 'due', 'sending', 'uncertain'];
type Where = { readonly config?: string; readonly store?: string; readonly format: 'text' | 'json' };

/** `reveille queue`: what waits for the operator, and what he says to it. */
export function queueCommand(): Command {
  const queue = new Command('queue').description('Shows the replies that wait, and approves or rejects them.');
  withStoreOptions(queue.command('list'))
    .description('Lists the replies that wait for approval, for their turn, or for an answer to whether they left.')
    .option('--all', 'also those sent, failed and cancelled')
    .action((options: Where & { all?: true }) => withStore(options, (store) => list(store, options)));
  withStoreOptions(queue.command('show <id>'))
    .description('Shows one reply as it will leave, byte for byte.')
    .action((id: string, options: Where) => withStore(options, (store) => show(store, options, numberOf(id))));
  withStoreOptions(queue.command('approve <ids...>'))
    .description('Lets held replies go; a parked one goes out again with the same bytes.')
    .action((ids: string[], options: Where) =>
      withStore(options, (store) => decide(store, ids, (tx, id) => approve(tx, id, Date.now()))),
    );
  withStoreOptions(queue.command('reject <ids...>'))
    .description('Sees to it that replies never leave; what they said is not brought up again.')
    .option('--why <words>', 'why, for the record', 'rejected')
    .action((ids: string[], options: Where & { why: string }) =>
      withStore(options, (store) => decide(store, ids, (tx, id) => reject(tx, id, options.why))),
    );
  withStoreOptions(queue.command('mutes'))
    .description('Lists who and what is muted, by whom and why.')
    .action((options: Where) => withStore(options, (store) => mutes(store, options)));
  withStoreOptions(queue.command('unmute <scope> <key>'))
    .description('Ends a mute (scope: author, series, list, rule, finding), after a look at why it was asked for.')
    .action((scope: string, key: string, options: Where) => withStore(options, (store) => unmute(store, scope, key)));
  return queue;
}

function withStoreOptions(command: Command): Command {
  return command
    .option('--config <file>', 'settings of the daemon')
    .option('--store <url>', 'the store itself: sqlite:PATH or postgres://...')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'));
}

async function withStore(where: Where, work: (store: Store) => Promise<void>): Promise<void> {
  const url =
    where.store ??
    (where.config === undefined ? undefined : await storeUrl(await loadSettings(where.config), process.env));
  if (url === undefined) throw new Failure('usage', 'say where the queue is: --config FILE or --store URL');
  const store = await openStore(url, { now: Date.now() });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function numberOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new Failure('usage', `"${id}" is no number of a reply`);
  return Number(id);
}

async function list(store: Store, options: Where & { all?: true }): Promise<void> {
  const queue = await store.read((db) => listQueue(db, options.all === true ? undefined : waiting));
  if (options.format === 'json') return write(`${JSON.stringify(queue.map(jsonOf), null, 2)}\n`);
  if (queue.length === 0) return write('Nothing waits.\n');
  for (const reply of queue) {
    const until = new Date(reply.expiresAt).toISOString().slice(0, 16).replace('T', ' ');
    const why = reply.heldBy ?? reply.why;
    write(
      `${reply.id}\t${reply.state}${why === '' ? '' : ` (${why})`}\t${reply.home}\tto ${reply.envelope.to.join(', ')}\tuntil ${until} UTC\n\t${subjectOf(reply)}\n`,
    );
  }
}

async function show(store: Store, options: Where, id: number): Promise<void> {
  const reply = await store.read((db) => findQueued(db, id));
  if (reply === undefined) throw new Failure('queue-unknown', `there is no reply ${id}`);
  const spoken = await store.read((db) => readSpoken(db, id));
  if (options.format === 'json') {
    return write(
      `${JSON.stringify({ ...jsonOf(reply), rules: spoken.map(({ rule }) => rule), bytes: textOf(reply) }, null, 2)}\n`,
    );
  }
  const why = reply.heldBy ?? reply.why;
  write(
    `reply ${reply.id}: ${reply.state}${why === '' ? '' : ` (${why})`}, channel ${reply.channel}, tries ${reply.attempts}\n`,
  );
  write(
    `answers ${reply.parent}\nenvelope ${reply.envelope.from} -> ${reply.envelope.to.join(', ')}\nrules ${spoken.map(({ rule }) => rule).join(', ')}\n\n`,
  );
  write(textOf(reply));
}

async function decide(
  store: Store,
  ids: readonly string[],
  work: (tx: Parameters<typeof approve>[0], id: number) => Promise<Queued>,
): Promise<void> {
  for (const id of ids.map(numberOf)) {
    const reply = await store.write((tx) => work(tx, id));
    write(`reply ${id} is ${reply.state}\n`);
  }
}

async function mutes(store: Store, options: Where): Promise<void> {
  const all = await store.read((db) => readMutes(db));
  if (options.format === 'json') return write(`${JSON.stringify(all, null, 2)}\n`);
  if (all.length === 0) return write('Nothing is muted.\n');
  for (const { scope, key, by, why, at } of all)
    write(`${scope}\t${plain(key)}\tby ${plain(by)} on ${new Date(at).toISOString().slice(0, 10)}\t${plain(why)}\n`);
}

async function unmute(store: Store, scope: string, key: string): Promise<void> {
  const scopes = ['author', 'series', 'list', 'rule', 'finding'] as const;
  const known = scopes.find((one) => one === scope);
  if (known === undefined) throw new Failure('usage', `a mute is of ${scopes.join(', ')}`);
  const gone = await store.write((tx) => removeMute(tx, { scope: known, key }));
  if (!gone) throw new Failure('queue-unknown', `no ${scope} "${key}" is muted`);
  write(`${scope} ${key} is heard again\n`);
}

function jsonOf(reply: Queued): Record<string, unknown> {
  const { bytes: _, ...rest } = reply;
  return { ...rest, subject: subjectOf(reply) };
}

function textOf(reply: Queued): string {
  return new TextDecoder().decode(reply.bytes).replace(/\r\n/g, '\n');
}

function subjectOf(reply: Queued): string {
  const found = /^Subject: ([^\n]*(?:\n[ \t][^\n]*)*)/m.exec(textOf(reply).split('\n\n')[0] ?? '');
  return plain((found?.[1] ?? '').replace(/\n\s+/g, ' '));
}

/** Strangers' words on a terminal: control characters would drive it. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

function write(text: string): void {
  process.stdout.write(text);
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listQueue, openStore, readDecisions, type Queued, type Store } from '../../src/shell/store/index.js';
import { hasPostgres, startPostgres, type Cluster } from '../support/postgres.js';
import { hasDovecot, startDovecot, type Dovecot } from '../support/servers/dovecot.js';
import { fieldOf, repliesIn } from '../support/servers/mailbox.js';
import { patchMail } from '../support/servers/patch-mail.js';
import { pause, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { startSmtpSink, type SmtpSink } from '../support/servers/smtp-sink.js';
import { firstAfter, holderOf, startWorker, type Worker } from '../support/servers/workers.js';

const seconds = process.env.REVEILLE_LONG === '1' ? 120 : 20;
const posts = seconds * 3;
// One author in two posts is the same one; his cap and the list's are both too small for what comes.
const caps = { hour: seconds * 1.5, author: seconds * 0.4 };
const silence = 5000;
const leastKills = 6;

const busy = 'busy.lists.test';
const calm = 'calm.lists.test';

describe.skipIf(!hasDovecot || !hasPostgres)('workers on one PostgreSQL [needs dovecot, postgresql]', () => {
  const folder = temporaryFolder('workers');
  let cluster: Cluster;
  let imap: Dovecot;
  let sink: SmtpSink;
  let store: Store;
  let listeners: Worker[] = [];
  let workers: Worker[] = [];

  beforeAll(async () => {
    cluster = await startPostgres();
    const url = await cluster.fresh();
    imap = await startDovecot(folder.path, ['bot', 'reader']);
    sink = await startSmtpSink({
      forward: async ({ to, bytes }) => {
        const list = to.includes('busy@lists.test') ? busy : calm;
        const copy = Buffer.from(`List-Id: <${list}>\r\n${bytes.toString('latin1')}`, 'latin1');
        await imap.deliver('bot', copy);
        await imap.deliver('reader', copy);
      },
    });
    store = await openStore(url, { now: Date.now() });
    await store.write(async (tx) => {
      await tx
        .insertInto('approvals')
        .values([busy, calm].map((list) => ({ list, count: 20 })))
        .execute();
    });
    const options = {
      imapPort: imap.port,
      smtpPort: sink.port,
      store: url,
      more: `takeOver: ${silence / 1000} s\n`,
      lists: {
        [busy]: `{address: busy@lists.test, channel: list, settle: 0 s, caps: {hour: ${caps.hour}, day: 9999, author: ${caps.author}}}`,
        [calm]: '{address: calm@lists.test, channel: list, settle: 0 s, caps: {hour: 99, day: 99, author: 99}}',
      },
    };
    for (const name of ['l1', 'l2']) listeners.push(await startWorker(folder.path, name, ['listener'], options));
    workers = [...listeners];
    for (const name of ['w1', 'w2', 'w3'])
      workers.push(await startWorker(folder.path, name, ['reviewer', 'sender', 'digest'], options));
    await allUp();
    // A first start begins at the newest mail: before that nothing may be posted.
    await waitFor('the mailbox was opened', () => firstAfter(listeners, 0, isConnected) !== undefined, {
      limit: 180_000,
    });
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    listeners = [];
    await sink.close();
    await imap.stop();
    await store.close();
    await cluster.stop();
    folder.remove();
  });

  const isConnected = (line: { readonly event: string }): boolean => line.event === 'source.connected';
  const allUp = async (): Promise<void> => {
    for (const worker of workers)
      await waitFor(`${worker.name} is up`, () => worker.isUp(), { limit: 180_000, log: worker.logFile });
  };

  /** The listener that reads, if the other one stands by. */
  const heir = (): Worker | undefined => {
    const holder = holderOf(listeners, 'imap:');
    const isStandingBy = listeners.some(
      (one) => one !== holder && one.isUp() && one.lastEvent('turn.') === 'turn.awaited',
    );
    return holder?.isUp() === true && holder.lastEvent('turn.') === 'turn.taken' && isStandingBy ? holder : undefined;
  };

  /** Asks the store, also while it is away. */
  async function look<T>(work: (at: Store) => Promise<T>): Promise<T> {
    let found: { value: T } | undefined;
    await waitFor('the store answers', async () => {
      found = await work(store).then(
        (value) => ({ value }),
        () => undefined,
      );
      return found !== undefined;
    });
    if (found === undefined) throw new Error('no answer');
    return found.value;
  }
  const queue = (): Promise<Queued[]> => look((at) => at.read((db) => listQueue(db)));
  const copies = (row: Queued): number =>
    repliesIn(imap, 'reader').filter((mail) => fieldOf(mail, 'Message-ID') === row.messageId).length;
  const onWire = (row: Queued): number => sink.taken.filter((mail) => mail.bytes.includes(row.messageId)).length;

  async function post(id: string, list: string, from: string): Promise<void> {
    const to = [`${list.split('.')[0]}@lists.test`];
    const name = id.replaceAll('-', '');
    await imap.deliver('bot', patchMail({ id, to, name, from, more: `List-Id: <${list}>\n` }));
  }

  test(
    `${seconds} s of kills at random and a restart of PostgreSQL: none lost, none twice, no cap exceeded`,
    { timeout: seconds * 10_000 + 600_000 },
    async () => {
      const began = Date.now();
      const posted = new Map<string, number>();
      const kills: { readonly worker: Worker; readonly at: number; readonly held: boolean }[] = [];
      const outages: { readonly from: number; readonly until: number }[] = [];
      const isOver = (): boolean => Date.now() - began > seconds * 1000;
      const posting = async (): Promise<void> => {
        for (let n = 0; n < posts; n++) {
          const from = n % 2 === 0 ? 'dev@example.org' : `dev${n % 20}@example.org`;
          const id = `load-${n}`;
          await post(id, busy, from);
          posted.set(`<${id}@example.org>`, Date.now());
          if (!isOver()) await pause((Math.random() * 2000 * seconds) / posts);
        }
      };
      // One in eight meets anybody, also one that is just starting; the others one that works while another could: else all of them
      // would be starting all the time on a slow machine, and nothing would be under way.
      const killing = async (): Promise<void> => {
        while (!isOver() || kills.length < leastKills) {
          await pause(200 + Math.random() * 600);
          const holder = heir();
          const working = workers.slice(listeners.length).filter((worker) => worker.isUp());
          const victims = [...(holder === undefined ? [] : [holder]), ...(working.length > 1 ? working : [])];
          const among = Math.random() < 1 / 8 ? workers : victims;
          const worker = among[Math.floor(Math.random() * among.length)];
          const at = Date.now();
          if (worker?.kill() === true) kills.push({ worker, at, held: worker === holder });
        }
      };
      const restarting = async (): Promise<void> => {
        for (const how of seconds > 20 ? (['INT', 'QUIT'] as const) : (['QUIT'] as const)) {
          await pause(seconds * 400);
          const from = Date.now();
          await cluster.restart(how);
          outages.push({ from, until: Date.now() });
        }
      };
      await Promise.all([posting(), killing(), restarting()]);
      await allUp();
      const isSettled = async (): Promise<boolean> => {
        const [rows, due, decided] = [
          await queue(),
          await look((at) => at.read((db) => db.selectFrom('due').selectAll().execute())),
          await look((at) => at.read((db) => readDecisions(db))),
        ];
        const now = Date.now();
        const known = new Set([...decided, ...due.filter((row) => Number(row.due_at) > now)].map(({ mail }) => mail));
        const mine = rows.filter((row) => posted.has(row.parent));
        return (
          [...posted.keys()].every((id) => known.has(id)) &&
          mine.every((row) => row.state !== 'due' || row.notBefore > now) &&
          // What is on its way arrives; what the wire has seen comes back and is known as sent.
          mine.every((row) => (row.state === 'sent' ? copies(row) > 0 : onWire(row) === 0))
        );
      };
      await waitFor('all that was posted is answered, parked, silent or waiting for its hour', isSettled, {
        limit: 400_000,
        every: 500,
        log: workers[2]?.logFile ?? '',
      });
      const rows = (await queue()).filter((row) => posted.has(row.parent));
      const ofState = (...states: string[]): Queued[] => rows.filter((row) => states.includes(row.state));
      const left = ofState('sent', 'sending', 'uncertain');
      const twice = rows.filter((row) => onWire(row) > 1 || copies(row) > 1).length;
      const lost = ofState('sent').filter((row) => copies(row) === 0).length;
      const busiest = Math.max(...[...countBy(left, (row) => row.author).values()]);
      const reasons = countBy(
        (await look((at) => at.read((db) => readDecisions(db)))).filter(({ mail }) => posted.has(mail)),
        ({ reason }) => reason,
      );
      const delays = ofState('sent').map((row) => (row.sentAt ?? 0) - (posted.get(row.parent) ?? 0));
      const isQuiet = (at: number): boolean => outages.every(({ from, until }) => at < from - 5000 || at > until);
      const takeOvers = kills
        .filter(({ held, at }) => held && isQuiet(at))
        .flatMap(({ at }) => {
          const taken = firstAfter(listeners, at, (line) => line.event === 'turn.taken');
          const reading = firstAfter(listeners, at, isConnected);
          return taken === undefined || reading === undefined ? [] : [{ taken: taken - at, reading: reading - at }];
        });
      const restarts = outages.map(({ from, until }) => {
        const after = (event: string): string =>
          String((firstAfter(workers, until, (line) => line.event === event) ?? until) - until);
        return `away ${until - from} ms, then a mailbox taken ${after('turn.taken')}, mail kept ${after('mail.kept')}, judged ${after('review.decided')}, sent ${after('send.done')} ms after its return`;
      });
      const exits = workers.flatMap((worker) => worker.exits);
      console.log(
        [
          `${posts} patches, ${kills.length} kills, ${rows.length} replies: ${ofState('sent').length} sent, ${left.length - ofState('sent').length} parked; ${twice} twice, ${lost} lost`,
          `caps ${caps.hour} an hour: ${left.length}; ${caps.author} an author: ${busiest}; decisions ${[...reasons].map(([reason, n]) => `${reason} ${n}`).join(', ')}`,
          `mailbox taken over after kill -9: ${spread(takeOvers.map(({ taken }) => taken))}; reading again: ${spread(takeOvers.map(({ reading }) => reading))}`,
          `post to answer under kills: ${spread(delays)}`,
          ...restarts.map((text) => `PostgreSQL restarted: ${text}`),
          `processes that ended by themselves while the store was away: ${exits.length}`,
        ].join('\n'),
      );
      expect(twice).toBe(0);
      expect(lost).toBe(0);
      expect(new Set(rows.map((row) => row.parent)).size).toBe(rows.length);
      // The reviewers fill the hour, and not one more; the others wait or are told nothing.
      expect(rows.length).toBe(caps.hour);
      expect(busiest).toBeLessThanOrEqual(caps.author);
      expect(sink.taken.length).toBeLessThanOrEqual(caps.hour);
      expect(reasons.get('cap-author')).toBeGreaterThan(0);
      // A worker that cannot reach its store when it starts says so and is started again.
      expect(exits.filter((status) => status !== 3)).toEqual([]);
    },
  );

  test('a listener that is frozen loses its mailbox to the other, and comes back as the one that waits', async () => {
    let found: Worker | undefined;
    await waitFor('one listens and the other stands by', () => (found = heir()) !== undefined, { limit: 180_000 });
    const frozen = found;
    if (frozen === undefined) throw new Error('nobody listens');
    const at = Date.now();
    frozen.signal('SIGSTOP');
    await post('calm-1', calm, 'cara@example.org');
    const isSent = async (id: string): Promise<boolean> =>
      (await queue()).some((row) => row.parent === `<${id}@example.org>` && row.state === 'sent');
    await waitFor('the other has read it', () => isSent('calm-1'), { limit: 180_000, log: frozen.logFile });
    const others = listeners.filter((one) => one !== frozen);
    const taken = (firstAfter(others, at, (line) => line.event === 'turn.taken') ?? at) - at;
    console.log(`mailbox of a frozen listener, ${silence} ms of silence allowed: taken over after ${taken} ms`);
    expect(taken).toBeGreaterThan(0);
    const thawed = Date.now();
    frozen.signal('SIGCONT');
    for (const event of ['turn.lost', 'turn.awaited'])
      await waitFor(
        `${event} is noted`,
        () => firstAfter([frozen], thawed, (line) => line.event === event) !== undefined,
        {
          limit: 180_000,
          log: frozen.logFile,
        },
      );
    expect((await frozen.daemon.get('/readyz')).status).toBe(200);
    await post('calm-2', calm, 'carl@example.org');
    await waitFor('the next is answered', () => isSent('calm-2'), { limit: 180_000, log: frozen.logFile });
    const rows = (await queue()).filter((row) => row.parent.startsWith('<calm-'));
    expect(rows.map(onWire)).toEqual([1, 1]);
  });
});

function countBy<T>(all: readonly T[], key: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return counts;
}

function spread(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[0]} to ${sorted.at(-1)} ms, median ${sorted[Math.floor(sorted.length / 2)]} (${sorted.length})`;
}

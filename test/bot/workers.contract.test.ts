import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { decideDue, decideOne, openLog, runDaemon, sendDue, whileMine } from '../../src/shell/bot/index.js';
import { Failure } from '../../src/shell/config/index.js';
import {
  findNextDue,
  listQueue,
  openStore,
  openTurns,
  readDecisions,
  soleTurns,
  type Turns,
} from '../../src/shell/store/index.js';
import { mailText, patchBody, patchText } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { hasPostgres, startPostgres, type Cluster } from '../support/postgres.js';
import { makeDaemon } from '../support/servers/daemon-process.js';
import { freePort, pause, temporaryFolder, waitFor } from '../support/servers/process-group.js';
import { World } from '../support/world.js';

const log = openLog('error');

describe.skipIf(!hasPostgres)('processes that share a PostgreSQL store [needs postgresql]', () => {
  let cluster: Cluster;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
    await cluster.stop();
  });

  async function join(url: string, first?: World): Promise<{ world: World; turns: Turns }> {
    const world = first ?? (await World.open({ url, lists: [] }));
    const turns = await openTurns(url, { silence: 60_000, onRing: () => undefined, onLoss: () => undefined });
    open.push(world, turns);
    return { world, turns };
  }

  test.each(['INT', 'QUIT'] as const)(
    'a store that goes away (%s) while a worker starts ends it with words',
    async (how) => {
      const url = await cluster.fresh();
      await (await openStore(url, { now: Date.now() })).close();
      const folder = temporaryFolder('starting');
      const { config } = makeDaemon(folder.path, {
        store: url,
        smtpPort: await freePort(),
        healthPort: await freePort(),
        lists: { 'calm.lists.test': '{address: calm@lists.test, channel: list}' },
      });
      const other = new pg.Client({ connectionString: url });
      other.on('error', () => undefined);
      await other.connect();
      await other.query('begin');
      await other.query('lock table meta');
      const signal = new AbortController();
      const ended = runDaemon(config, signal.signal, { isWorker: true, log }).then(
        () => 'nothing went wrong',
        (error: unknown) => error,
      );
      const waiting = `select 1 from pg_locks where relation = 'meta'::regclass and not granted`;
      await waitFor('it waits for the table', async () => (await other.query(waiting)).rowCount === 1, {
        limit: 60_000,
      });
      await cluster.restart(how);
      const error = await ended;
      expect(error).toBeInstanceOf(Failure);
      expect(error).toMatchObject({ code: 'store-unreachable', exit: 3 });
      folder.remove();
    },
  );

  test('three judge every posting once, three send every reply once, and the caps hold over all of them', async () => {
    const url = await cluster.fresh();
    const roomy = { hour: 1000, day: 1000, author: 1000 };
    const lists = [listPolicy({ caps: roomy })];
    const first = await World.open({ url, lists, policy: policyOf(lists, { caps: roomy }) });
    const workers = [await join(url, first), await join(url), await join(url)];
    const patches = 30;
    for (let n = 0; n < patches; n++) {
      const series = n % 3 === 0 ? { total: 2 } : undefined;
      const from = `Dev ${n} <dev${n}@example.org>`;
      const subject = series === undefined ? `[PATCH] drv${n}: sleep less` : `[PATCH 1/2] drv${n}: sleep less`;
      await first.mail(patchText({ id: `p${n}`, from, subject, body: patchBody(`drivers/d/${n}.c`), date: first.now }));
      if (series === undefined) continue;
      const second = { id: `p${n}b`, from, subject: `[PATCH 2/2] drv${n}: sleep less there`, parents: [`p${n}`] };
      await first.mail(patchText({ ...second, body: patchBody(`drivers/e/${n}.c`), date: first.now }));
    }
    for (const { world } of workers) {
      world.now = first.now + 21 * 60_000;
      world.policy = first.policy;
    }
    const judged = workers.map(async ({ world, turns }) => {
      for (;;) {
        world.outcomes.push(...(await decideDue(world.store, { ...world.deps(), turns }, world.now)));
        if ((await world.store.read((db) => findNextDue(db))) === undefined) return;
        await pause(5);
      }
    });
    await Promise.all(judged);
    const outcomes = workers.flatMap(({ world }) => world.outcomes);
    expect(outcomes.filter(({ kind }) => kind === 'spoken')).toHaveLength(patches);
    const mails = outcomes.flatMap((outcome) => outcome.mails);
    expect(new Set(mails).size).toBe(mails.length);
    expect(await first.store.read((db) => readDecisions(db))).toHaveLength(patches + patches / 3);
    const shares = workers.map(({ world }) => world.outcomes.length);

    // What was written may leave slower than it was decided: the caps are asked again at the last door.
    const tight = policyOf([listPolicy({ caps: { ...roomy, hour: 7 } })], { caps: roomy });
    const leaving: string[] = [];
    const sent = workers.map(async ({ world, turns }) => {
      world.policy = tight;
      const send = async (
        reply: { messageId: string },
        leave: () => Promise<boolean>,
      ): Promise<{ kind: 'sent' | 'withdrawn' }> => {
        await pause(2);
        if (!(await leave())) return { kind: 'withdrawn' };
        leaving.push(reply.messageId);
        return { kind: 'sent' };
      };
      return sendDue(world.store, { ...world.sendDeps(), send, turns }, () => world.now);
    });
    const tried = (await Promise.all(sent)).flat();
    expect(leaving).toHaveLength(7);
    expect(new Set(leaving).size).toBe(7);
    // No two had the same reply in hand at one time.
    expect(tried.filter(({ outcome }) => outcome.kind === 'withdrawn').length).toBeLessThanOrEqual(workers.length);
    expect(await first.store.read((db) => listQueue(db, ['due']))).toHaveLength(patches - 7);
    console.log(`${patches} postings over three reviewers: ${shares.join(', ')}`);
  });

  test('one at a time does what only one may do; the next begins when it ends', async () => {
    const url = await cluster.fresh();
    const workers = [await join(url, await World.open({ url })), await join(url)];
    let inside = 0;
    let most = 0;
    const done: number[] = [];
    const end = new AbortController();
    const running = workers.map(({ turns }, index) => {
      const mine = { turns, key: 'digest', log, signal: end.signal };
      return whileMine(mine, async () => {
        most = Math.max(most, ++inside);
        await pause(20);
        inside--;
        done.push(index);
        // The turn goes to another when this one's process closes its connection.
        if (done.length === 1) await turns.close();
      });
    });
    await waitFor('both have worked', () => new Set(done).size === 2);
    end.abort();
    await Promise.all(running);
    expect(most).toBe(1);
  });
});

test('where nobody can say who has a posting in hand, no other is tried', async () => {
  const w = await World.open({ lists: [listPolicy({ settle: 0 })] });
  for (const id of ['a', 'b', 'c']) {
    const body = patchBody(`drivers/wake/${id}.c`);
    await w.mail(mailText({ id, subject: `[PATCH] wake: ${id}`, body, date: w.now, from: `${id}@example.org` }));
  }
  const asked: string[] = [];
  const take = (key: string): Promise<undefined> => Promise.resolve(void asked.push(key));
  const down: Turns = { ...soleTurns(() => undefined), take, areGiven: () => false };
  expect(await decideOne(w.store, { ...w.deps(), turns: down }, w.now)).toBeUndefined();
  expect(asked).toHaveLength(1);
  const others: Turns = { ...down, areGiven: () => true };
  expect(await decideOne(w.store, { ...w.deps(), turns: others }, w.now)).toBeUndefined();
  expect(asked).toHaveLength(4);
  await w.close();
});

describe('a review made ahead of the transaction', () => {
  test('is taken as it is when nothing has come, and made again when the series has grown', async () => {
    const w = await World.open({ lists: [listPolicy({ settle: 0 })] });
    const post = (id: string, subject: string, parents: readonly string[] = []): Promise<unknown> => {
      const body = patchBody(`drivers/wake/${id}.c`);
      return w.mail(mailText({ id, subject, body, parents, date: w.now, from: `${id.slice(0, 1)}@example.org` }));
    };
    const turns = soleTurns(() => undefined);
    const judge = async (
      meanwhile: () => Promise<unknown>,
    ): Promise<{ outcome: Awaited<ReturnType<typeof decideOne>>; reviews: number }> => {
      let reviews = 0;
      const deps = w.deps();
      const review: typeof deps.review = async (...given) => {
        const made = await deps.review(...given);
        if (++reviews === 1) await meanwhile();
        return made;
      };
      return { outcome: await decideOne(w.store, { ...deps, review, turns }, w.now), reviews };
    };
    await post('a', '[PATCH] wake: a');
    expect(await judge(() => Promise.resolve())).toMatchObject({ outcome: { kind: 'spoken' }, reviews: 1 });
    await post('b', '[PATCH 1/2] wake: b');
    w.now += 21 * 60_000;
    const grown = await judge(() => post('b2', '[PATCH 2/2] wake: b2', ['b']));
    expect(grown).toMatchObject({
      outcome: { kind: 'spoken', mails: ['<b@example.org>', '<b2@example.org>'] },
      reviews: 2,
    });
    await w.close();
  });
});

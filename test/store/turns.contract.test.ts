import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, openTurns, soleTurns, type Turn, type Turns } from '../../src/shell/store/index.js';
import { hasPostgres, startPostgres, type Cluster } from '../support/postgres.js';
import { freePort, waitFor } from '../support/servers/process-group.js';

const open: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of open.splice(0)) await close();
});

type Asked = { readonly turns: Turns; readonly rings: () => number; readonly losses: readonly string[] };

async function ask(url: string, silence = 60_000): Promise<Asked> {
  let rings = 0;
  const losses: string[] = [];
  const turns = await openTurns(url, {
    silence,
    onRing: () => void rings++,
    onLoss: (detail) => void losses.push(detail),
  });
  open.push(() => turns.close());
  return { turns, rings: () => rings, losses };
}

async function taken({ turns }: Asked, key: string): Promise<Turn> {
  let turn: Turn | undefined;
  await waitFor(`the turn ${key}`, async () => (turn = await turns.take(key)) !== undefined);
  if (turn === undefined) throw new Error('no turn');
  return turn;
}

describe('turns of a process that is alone', () => {
  test('are given one at a time, and again when they are released', async () => {
    let rings = 0;
    const turns = soleTurns(() => void rings++);
    const turn = await turns.take('box');
    expect(turn).toBeDefined();
    expect(await turns.take('box')).toBeUndefined();
    expect(await turns.take('other')).toBeDefined();
    await turn?.release();
    expect(await turns.take('box')).toBeDefined();
    turns.ring();
    expect(rings).toBe(1);
  });
});

describe.skipIf(!hasPostgres)('turns on PostgreSQL [needs postgresql]', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(async () => {
    for (const close of open.splice(0)) await close();
    await cluster.stop();
  });

  test('one process has a turn, another gets it once it is released or its holder is closed', async () => {
    const url = await cluster.fresh();
    const [a, b] = [await ask(url), await ask(url)];
    const first = await a.turns.take('box');
    expect(first).toBeDefined();
    expect([await b.turns.take('box'), await a.turns.take('box')]).toEqual([undefined, undefined]);
    expect(await b.turns.take('other box')).toBeDefined();
    await first?.release();
    const second = await b.turns.take('box');
    expect(second).toBeDefined();
    expect(await a.turns.take('box')).toBeUndefined();
    await b.turns.close();
    const third = await taken(a, 'box');
    expect(third.lost.aborted).toBe(false);
  });

  test('a ring wakes every process', async () => {
    const url = await cluster.fresh();
    const [a, b] = [await ask(url), await ask(url)];
    const before = b.rings();
    a.turns.ring();
    await waitFor('it rings', () => b.rings() > before);
  });

  test('a connection that ends takes its turns with it, and the process comes back for new ones', async () => {
    const url = await cluster.fresh();
    const [a, b] = [await ask(url), await ask(url)];
    const turn = await taken(a, 'box');
    await endSessions(url);
    await waitFor('the loss is known', () => turn.lost.aborted);
    await turn.release();
    await taken(a, 'another');
    await taken(b, 'a third');
    expect(a.losses.length).toBeGreaterThan(0);
  });

  test.each(['INT', 'QUIT'] as const)(
    'a restart of the server (%s) takes the turns, and one gets each anew',
    async (how) => {
      const url = await cluster.fresh();
      const asked = [await ask(url), await ask(url)];
      const turn = await taken(asked[0] ?? (await ask(url)), 'box');
      await cluster.restart(how);
      await waitFor('the loss is known', () => turn.lost.aborted);
      const got: Turn[] = [];
      await waitFor('one has it again', async () => {
        for (const { turns } of asked) {
          const mine = await turns.take('box');
          if (mine !== undefined) got.push(mine);
        }
        return got.length > 0;
      });
      expect(got.filter(({ lost }) => !lost.aborted)).toHaveLength(1);
    },
  );

  test('a holder that is cut off knows it before the server gives its turn away', async () => {
    const url = await cluster.fresh();
    const wire = await startWire(url);
    open.push(() => wire.close());
    const far = await ask(wire.url, 2000);
    const near = await ask(url);
    const turn = await taken(far, 'box');
    wire.cut();
    const began = Date.now();
    let knownAt: number | undefined;
    turn.lost.addEventListener('abort', () => (knownAt = Date.now()));
    const other = await taken(near, 'box');
    const took = Date.now() - began;
    expect(knownAt).toBeDefined();
    expect(other.lost.aborted).toBe(false);
    console.log(
      `cut off with 2000 ms of silence allowed: known after ${(knownAt ?? 0) - began} ms, taken over after ${took} ms`,
    );
    wire.mend();
    await taken(far, 'something else');
  });

  test('a close while it comes back ends it, though the server answers in that moment', async () => {
    const url = await cluster.fresh();
    const gate = await startGate(url);
    open.push(() => gate.close());
    const { turns, losses } = await ask(gate.url);
    gate.hold();
    await endSessions(url);
    await waitFor('it comes back', () => gate.held() > 0);
    expect(losses).toHaveLength(1);
    expect([turns.areGiven(), await turns.take('box')]).toEqual([false, undefined]);
    const closed = turns.close();
    gate.open();
    await closed;
  });

  test('a transaction of a frozen process is rolled back, and the others go on', async () => {
    const url = await cluster.fresh();
    const [frozen, other] = [
      await openStore(url, { now: 0, silence: 1000 }),
      await openStore(url, { now: 0, silence: 60_000 }),
    ];
    let thaw = (): void => undefined;
    let isIn = false;
    const stuck = frozen.write(async (tx) => {
      await tx.insertInto('meta').values({ key: 'frozen', value: '' }).execute();
      isIn = true;
      await new Promise<void>((resolve) => (thaw = resolve));
      await tx.insertInto('meta').values({ key: 'thawed', value: '' }).execute();
    });
    stuck.catch(() => undefined);
    await waitFor('it has the writers’ lock', () => isIn);
    await other.write((tx) => tx.insertInto('meta').values({ key: 'other', value: '' }).execute());
    thaw();
    await expect(stuck).rejects.toThrow();
    const keys = await other.read((db) => db.selectFrom('meta').select('key').execute());
    expect(keys.map(({ key }) => key)).toEqual(['other']);
    await frozen.write((tx) => tx.insertInto('meta').values({ key: 'again', value: '' }).execute());
    await frozen.close();
    await other.close();
  });

  async function endSessions(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'reveille turns'`,
    );
    await client.end();
  }
});

/** A way to the server that lets new connections wait in front of it. */
async function startGate(
  url: string,
): Promise<{ url: string; hold(): void; held(): number; open(): void; close(): Promise<void> }> {
  const target = new URL(url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let waiting: (() => void)[] | undefined;
  const server: Server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => undefined);
    const pass = (): void => {
      const far = connect(Number(target.port), target.hostname);
      far.on('error', () => undefined);
      near.pipe(far).pipe(near);
    };
    if (waiting === undefined) pass();
    else waiting.push(pass);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const gated = new URL(url);
  gated.port = String(port);
  return {
    url: gated.href,
    hold: () => void (waiting = []),
    held: () => waiting?.length ?? 0,
    open: () => {
      for (const pass of waiting ?? []) pass();
      waiting = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A way to the server that can go dead without a word, as a network does: what is sent is swallowed, and nothing is closed. */
async function startWire(url: string): Promise<{ url: string; cut(): void; mend(): void; close(): Promise<void> }> {
  const target = new URL(url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let dead = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      let isCut = false;
      from.on('data', (bytes) => {
        isCut ||= dead;
        if (!isCut) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut && !dead) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const wired = new URL(url);
  wired.port = String(port);
  return {
    url: wired.href,
    cut: () => void (dead = true),
    mend: () => void (dead = false),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNextDue, listQueue, openStore, readDecisions, type Queued } from '../../src/shell/store/index.js';
import { postgresKind, sqliteKind } from '../support/stores.js';

const kills = Number(process.env.REVEILLE_KILLS ?? (process.env.REVEILLE_LONG === '1' ? 200 : 20));
const root = join(import.meta.dirname, '..', '..');
const bundles = join(root, 'node_modules', '.reveille-crash');
const child = join(bundles, 'crash-child.mjs');

/** One file that starts fast: many processes are started, and killed. */
async function bundleChild(): Promise<void> {
  const entry = join(root, 'test', 'support', 'crash-child.ts');
  const rollupOptions = { output: { entryFileNames: 'crash-child.mjs' } };
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    build: { ssr: entry, outDir: bundles, minify: false, rollupOptions },
  });
}

function live(url: string, world: string, limit: number): { signal: string | null; statements: number; error: string } {
  const done = spawnSync(process.execPath, [child, url, world, String(limit)], { encoding: 'utf8' });
  return { signal: done.signal, statements: Number(done.stdout.trim()), error: done.stderr };
}

type End = {
  mails: unknown;
  queue: readonly Queued[];
  decisions: unknown;
  nextDue: unknown;
  sound: unknown;
  claims: unknown;
};

async function endOf(url: string): Promise<End> {
  const store = await openStore(url, { now: 0 });
  try {
    return await store.read(async (db) => ({
      mails: await db.selectFrom('mails').select(['id', 'arrived']).orderBy('id').execute(),
      queue: await listQueue(db),
      decisions: (await readDecisions(db)).map(({ mail, posting, reason, at }) => ({ mail, posting, reason, at })),
      nextDue: await findNextDue(db),
      // By the reply's own id: a number that a rolled-back transaction drew is not given again.
      claims: await db
        .selectFrom('claims')
        .innerJoin('outbox', 'outbox.id', 'claims.outbox')
        .select(['claims.message_id', 'outbox.message_id as by'])
        .orderBy('claims.message_id')
        .execute(),
      sound:
        store.dialect === 'sqlite'
          ? (await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)).rows[0]?.integrity_check
          : 'ok',
    }));
  } finally {
    await store.close();
  }
}

function worldOf(path: string): string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

const bare = (queue: readonly Queued[]): unknown =>
  queue.map(({ messageId, posting, bytes, envelope }) => ({
    messageId,
    posting,
    envelope,
    bytes: Buffer.from(bytes).toString(),
  }));

for (const kind of [sqliteKind(), postgresKind()]) {
  describe.skipIf(kind.missing)(`a daemon killed by SIGKILL, on ${kind.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'reveille-crash-'));
    beforeAll(async () => {
      await bundleChild();
      await kind.start();
    });
    afterAll(async () => {
      await kind.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test(
      `at any of ${kills} points of its transactions loses nothing, claims nothing twice and sends nothing twice`,
      { timeout: kills * 60_000 },
      async () => {
        const calmUrl = await kind.url();
        const calmWorld = join(folder, 'calm');
        const calm = live(calmUrl, calmWorld, 0);
        expect(calm.error).toBe('');
        const wanted = await endOf(calmUrl);
        expect(wanted.queue.map((q) => q.state)).toEqual(['sent', 'sent', 'sent', 'sent']);
        expect(worldOf(calmWorld)).toHaveLength(4);
        let killed = 0;
        for (let i = 0; i < kills; i++) {
          const limit = 1 + Math.floor((i * (calm.statements - 1)) / kills);
          const url = await kind.url();
          const world = join(folder, `w${i}`);
          if (live(url, world, limit).signal === 'SIGKILL') killed++;
          const after = live(url, world, 0);
          expect(after.error, `killed after statement ${limit}`).toBe('');
          const end = await endOf(url);
          expect(end.sound).toBe('ok');
          expect(
            { mails: end.mails, decisions: end.decisions, nextDue: end.nextDue, claims: end.claims },
            `killed after statement ${limit}`,
          ).toEqual({
            mails: wanted.mails,
            decisions: wanted.decisions,
            nextDue: undefined,
            claims: wanted.claims,
          });
          expect(bare(end.queue)).toEqual(bare(wanted.queue));
          const sent = worldOf(world);
          expect(new Set(sent).size, 'nothing is sent twice').toBe(sent.length);
          const parked = end.queue.filter((q) => q.state !== 'sent');
          expect(parked.every((q) => q.state === 'uncertain')).toBe(true);
          expect(sent.length + parked.length).toBeGreaterThanOrEqual(4);
        }
        expect(killed).toBe(kills);
      },
    );
  });
}

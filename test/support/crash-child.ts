/**
 * A daemon's life in a process of its own, killed by itself with SIGKILL after a given number of statements. Arguments: store
 * URL, file that stands for the world (one Message-ID a line), number of statements (0: live on). Prints the number it ran.
 */
import { appendFileSync } from 'node:fs';
import { hours, minutes } from '../../src/core/review/index.js';
import { arrive, decideDue, sendDue } from '../../src/shell/bot/index.js';
import { openStore, readCursor } from '../../src/shell/store/index.js';
import { mailText, patchBody, patchText } from './mails.js';
import { listPolicy, policyOf } from './policies.js';
import { readMail, worldDeps } from './world.js';

const [url = '', world = '', limit = '0'] = process.argv.slice(2);
const start = Date.UTC(2026, 0, 5, 9);
let statements = 0;

function count(): void {
  if (++statements === Number(limit)) process.kill(process.pid, 'SIGKILL');
}

const policy = policyOf([listPolicy()]);
const mails = [
  patchText({ id: 'a' }),
  patchText({
    id: 'b',
    from: 'Bea <bea@example.org>',
    subject: '[PATCH 1/2] wake: one',
    body: patchBody('drivers/b/1.c'),
  }),
  patchText({
    id: 'b2',
    from: 'Bea <bea@example.org>',
    subject: '[PATCH 2/2] wake: two',
    body: patchBody('drivers/b/2.c'),
    parents: ['b'],
  }),
  patchText({ id: 'c', from: 'Cleo <cleo@example.org>', subject: '[PATCH] wake: idle', body: 'no diff at all' }),
  mailText({
    id: 'r',
    from: 'Bob <bob@example.org>',
    subject: 'Re: [PATCH] wake: sleep less in reset',
    body: 'Hm.\n',
    parents: ['a'],
  }),
  patchText({
    id: 'a2',
    subject: '[PATCH v2] wake: sleep less in reset',
    body: patchBody('drivers/wake/wake.c', 'msleep(100);', 'udelay(9);'),
  }),
  patchText({ id: 'd', from: 'Dan <dan@example.org>', subject: '[PATCH] wake: dan', body: patchBody('drivers/d/d.c') }),
];

const store = await openStore(url, { now: start, log: (event) => (event.level === 'query' ? count() : undefined) });
await store.write(async (tx) => {
  await tx
    .insertInto('approvals')
    .values({ list: 'wake.lists.example.org', count: 20 })
    .onConflict((c) => c.doNothing())
    .execute();
});
const shared = { policy: () => policy, killed: () => false };
const done = Number((await store.read((db) => readCursor(db, 'box'))) ?? '0');

// One step is a fixed time on the clock, so that what is decided after a crash is decided as it would have been without.
for (let step = Math.max(1, done); step <= mails.length + 6; step++) {
  const now = start + step * minutes(7);
  const text = mails[step - 1];
  if (text !== undefined && step > done) {
    const raw = new TextEncoder().encode(text);
    await arrive(
      store,
      { read: readMail, policy: shared.policy },
      { raw, at: now, source: 'box', cursor: String(step) },
    );
  }
  await decideDue(store, { ...worldDeps, ...shared }, now);
  await sendDue(store, { ...shared, send: deliver }, () => now);
}
// A process that was killed while sending has left a row that only time can tell about.
await sendDue(store, { ...shared, send: deliver }, () => start + hours(5));
await store.close();
console.log(statements);

async function deliver(
  reply: { readonly messageId: string },
  leave: () => Promise<boolean>,
): Promise<{ kind: 'sent' | 'withdrawn' }> {
  if (!(await leave())) return { kind: 'withdrawn' };
  appendFileSync(world, `${reply.messageId}\n`);
  return { kind: 'sent' };
}

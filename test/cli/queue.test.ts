import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hours } from '../../src/core/review/index.js';
import { queueCommand } from '../../src/shell/cli/queue.js';
import { listQueue, openStore, writeMute, writeReply, type Store } from '../../src/shell/store/index.js';

let folder: string;
let store: Store;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-queue-'));
  url = `sqlite:${join(folder, 'store.db')}`;
  store = await openStore(url, { now: 0 });
  const now = Date.now();
  for (const [id, expires] of [
    ['a', now + hours(20)],
    ['b', now + hours(20)],
    ['late', now - 1],
  ] as const) {
    const mail = `<${id}@example.org>`;
    const row = {
      posting: mail,
      parent: mail,
      message_id: `<reply.${id}@bot.example.org>`,
      channel: 'list',
      home: 'wake.lists.example.org',
      lists: '["wake.lists.example.org"]',
      author: 'ada@example.org',
      live: 1,
      envelope: '{"from":"reveille@bot.example.org","to":["ada@example.org"]}',
      bytes: new TextEncoder().encode(`Subject: Re: [PATCH] ${id}\u001b[2J\nTo: ada@example.org\n\nbody of ${id}\n`),
      state: 'held',
      held_by: 'first-twenty',
      created_at: now,
      not_before: now,
      expires_at: expires,
      sending_at: null,
      sent_at: null,
      attempts: 0,
      why: '',
    };
    const points = [{ fingerprint: id, rule: 'budget-shrunk', causing: true }];
    await store.write((tx) =>
      writeReply(tx, { mails: [mail], posting: mail, at: now, reason: 'spoken' }, { row, points }),
    );
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function queue(...args: string[]): Promise<string> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  await queueCommand().parseAsync([...args, ...(args.includes('--config') ? [] : ['--store', url])], { from: 'user' });
  return out;
}

async function states(): Promise<string[]> {
  return (await store.read((db) => listQueue(db))).map((reply) => reply.state);
}

describe('reveille queue', () => {
  test('lists what waits, with no control characters of strangers', async () => {
    const out = await queue('list');
    expect(out).toContain('1\theld (first-twenty)\twake.lists.example.org\tto ada@example.org');
    expect(out).toContain('Re: [PATCH] a?[2J');
    expect(JSON.parse(await queue('list', '--format', 'json'))).toHaveLength(3);
  });

  test('shows one reply with its rules and its own words', async () => {
    const out = await queue('show', '2');
    expect(out).toContain('answers <b@example.org>');
    expect(out).toContain('rules budget-shrunk');
    expect(out).toContain('body of b');
  });

  test('approves, rejects, and says so where it is too late', async () => {
    expect(await queue('approve', '1')).toBe('reply 1 is due\n');
    expect(await queue('reject', '2', '--why', 'not useful')).toBe('reply 2 is cancelled\n');
    await expect(queue('approve', '3')).rejects.toMatchObject({ code: 'queue-state', exit: 2 });
    await expect(queue('approve', '9')).rejects.toMatchObject({ code: 'queue-unknown' });
    await expect(queue('approve', 'x')).rejects.toMatchObject({ code: 'usage' });
    expect(await states()).toEqual(['due', 'cancelled', 'held']);
    const approvals = await store.read((db) => db.selectFrom('approvals').selectAll().execute());
    expect(approvals).toMatchObject([{ list: 'wake.lists.example.org', count: 1 }]);
  });

  test('shows mutes and ends them', async () => {
    await store.write((tx) =>
      writeMute(tx, { scope: 'rule', key: 'budget-shrunk', at: 0, by: 'bob@example.org', why: 'twice' }),
    );
    expect(await queue('mutes')).toContain('rule\tbudget-shrunk\tby bob@example.org');
    expect(await queue('unmute', 'rule', 'budget-shrunk')).toContain('heard again');
    await expect(queue('unmute', 'rule', 'budget-shrunk')).rejects.toMatchObject({ code: 'queue-unknown' });
  });

  test("finds the store by the daemon's settings", async () => {
    const path = join(folder, 'settings.yaml');
    writeFileSync(path, 'store: sqlite:store.db\ninstance: { secret: { env: X }, domain: bot.example.org }\n');
    expect(await queue('list', '--config', path)).toContain('held');
  });
});

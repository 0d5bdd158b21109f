import { expect, test } from 'vitest';
import type { Mail } from '../../src/shell/cli/read-batch.js';
import { readInOrder } from '../../src/shell/cli/read-pool.js';

const worker = {
  url: new URL('../support/odd-worker.mjs', import.meta.url),
  batchLimit: 60_000,
  mailLimit: 60_000,
};

async function* mailsOf(texts: readonly string[]): AsyncGenerator<Mail> {
  for (const [at, text] of texts.entries()) {
    yield { bytes: Buffer.from(text), source: { path: `mail ${at}` } };
    await Promise.resolve();
  }
}

/** What the pool makes of the mails, each by its text; `-` where it was given up. */
async function readAll(texts: readonly string[], limits: Partial<typeof worker> = {}) {
  const stuck: string[] = [];
  const read: string[] = [];
  const onStuck = (mail: Mail): void => void stuck.push(mail.source.path);
  for await (const { kept } of readInOrder(mailsOf(texts), { jobs: 2, onStuck, worker: { ...worker, ...limits } })) {
    read.push(kept.id ?? '-');
  }
  return { read, stuck };
}

const plain = (count: number, from = 0): string[] => Array.from({ length: count }, (_, n) => `mail ${from + n}`);

test('mails come back in their order, whichever worker is done first', async () => {
  const texts = ['slow', ...plain(200), 'slow', ...plain(100, 200)];
  expect(await readAll(texts)).toEqual({ read: texts, stuck: [] });
});

test('a mail that never ends spoils only itself', async () => {
  const texts = [...plain(70), 'hang', ...plain(70, 70)];
  const { read, stuck } = await readAll(texts, { batchLimit: 5000, mailLimit: 5000 });
  expect(read).toEqual(texts.map((text) => (text === 'hang' ? '-' : text)));
  expect(stuck).toEqual(['mail 70']);
});

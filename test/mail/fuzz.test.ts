import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasShared, sharedFolder } from '../support/shared.js';
import type { FuzzResult } from './fuzz-worker.js';
import { mutate, random } from './mutate.js';

const long = process.env['REVEILLE_LONG'] === '1';
const rounds = long ? 200_000 : hasShared ? 2_000 : 500;

/** Mails of ours that touch every path of the reader; the corpus is added where it is. */
const ours = [
  'From: Ann <ann@example.org>\nTo: "B, C" <b@example.org>, d@example.org\nSubject: =?utf-8?q?[PATCH]_f=C3=B6o?=\nMessage-ID: <1@example.org>\nReferences: <a@b> <c@d>\n\nText.\n---\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n',
  'Subject: x\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; charset=koi8-r; format=flowed\nContent-Transfer-Encoding: quoted-printable\n\n=C1 \n--b\nContent-Type: text/x-patch; name="a.patch"\nContent-Transfer-Encoding: base64\n\nQEAgLTEgKzEgQEAKLWEKK2IK\n--b\nContent-Type: message/rfc822\n\nSubject: y\n\nz\n--b--\n',
  'Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>x</p>\n--b\nContent-Type: application/gzip; name=a.log.gz\nContent-Transfer-Encoding: base64\n\nH4sIAAAAAAAAA0tMBAAhNrX4AgAAAA==\n--b--\n',
].map((text) => Buffer.from(text));

function seeds(): readonly Buffer[] {
  if (!hasShared) return ours;
  const folder = join(sharedFolder, 'corpus', 'mail');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'));
  const step = Math.max(1, Math.floor(names.length / 300));
  return [
    ...ours,
    ...names
      .sort()
      .filter((_, index) => index % step === 0)
      .map((name) => readFileSync(join(folder, name))),
  ];
}

/** Sends mails to the worker one by one; ends it when one takes a minute, which only a hang does. */
async function readAll(count: number): Promise<readonly FuzzResult[]> {
  const worker = fork(join(import.meta.dirname, 'fuzz-worker.ts'), {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  const chance = random(20261130);
  const all = seeds();
  const results: FuzzResult[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const bytes = mutate(all, chance);
      results.push(await one(worker, index, bytes));
    }
  } finally {
    worker.kill();
  }
  return results;
}

function one(worker: ChildProcess, index: number, bytes: Uint8Array): Promise<FuzzResult> {
  return new Promise((resolve, reject) => {
    const hang = setTimeout(() => reject(new Error(`mail ${index} hangs`)), 60_000);
    worker.once('message', (result: FuzzResult) => {
      clearTimeout(hang);
      worker.removeListener('error', reject);
      resolve(result);
    });
    worker.once('error', reject);
    worker.send({ index, bytes });
  });
}

describe('damaged mails', () => {
  test(
    `${rounds} of them are read without a throw, in a second of CPU each, and nothing grows`,
    { timeout: long ? 3_600_000 : 300_000 },
    async () => {
      const results = await readAll(rounds);
      expect(results.filter(({ thrown }) => thrown !== undefined)).toEqual([]);
      expect(results.filter(({ cpu }) => cpu > 1000)).toEqual([]);
      const half = results.slice(rounds / 4, rounds / 2).map(({ heap }) => heap);
      const last = results.slice(-rounds / 4).map(({ heap }) => heap);
      expect(Math.min(...last)).toBeLessThan(Math.min(...half) + 64 * 1024 * 1024);
    },
  );
});

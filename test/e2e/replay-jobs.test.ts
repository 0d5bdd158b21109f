import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patchMail } from '../support/servers/patch-mail.js';

const program = join(import.meta.dirname, '..', '..', 'dist', 'shell', 'cli', 'main.js');
const list = 'drivers.lists.test';
const day = 86_400_000;

let folder = '';
let archive = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reveille-jobs-'));
  archive = join(folder, 'archive.mbox');
  writeFileSync(archive, mbox());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Patches, second versions and talk of 60 days, several batches of them, and not in the order in which they were written. */
function mbox(): string {
  const began = Date.UTC(2026, 0, 5, 9);
  const mails: string[] = [];
  for (let n = 0; n < 300; n++) {
    const date = new Date(began + (n * day) / 5);
    const more = `List-Id: <${list}>\n`;
    const given = { to: ['drivers@lists.test'], name: `drv${n % 45}`, more, from: `dev${n % 40}@example.org` };
    if (n % 5 === 0) mails.push(patchMail({ ...given, id: `p${n}`, date }));
    const talk = `List-Id: <${list}>\nFrom: Bob <bob@example.org>\nTo: drivers@lists.test\nSubject: Re: [PATCH] drv: poll\n`;
    const id = `Message-ID: <t${n}@example.org>\nIn-Reply-To: <p${n - (n % 5)}@example.org>\n`;
    mails.push(`${talk}${id}Date: ${new Date(date.getTime() + 3_600_000).toUTCString()}\n\n${'I see.\n'.repeat(n)}`);
  }
  const mixed = mails.map((mail, n) => ({ mail, at: (n * 7919) % mails.length })).sort((a, b) => a.at - b.at);
  return mixed.map(({ mail }) => `From dev@example.org Mon Jan  5 09:00:00 2026\n${mail}\n`).join('');
}

function replay(jobs: number): string {
  const args = [program, 'replay', archive, '--format', 'json', '--samples', '100', '--jobs', String(jobs)];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300_000 });
  expect(done.status).toBe(0);
  return done.stdout;
}

describe('a replay split over worker threads', () => {
  test('gives the dossier of the undivided one, byte for byte', () => {
    const whole = replay(0);
    expect((JSON.parse(whole) as { samples: unknown[] }).samples.length).toBeGreaterThan(5);
    for (const jobs of [1, 3]) expect(replay(jobs)).toBe(whole);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOverflow, findOverlaps, hasChromium, look, openBrowser } from '../support/browser.js';
import { mailText } from '../support/mails.js';
import { probeBody } from '../support/summary-world.js';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'dist', 'shell', 'cli', 'main.js');
const start = Date.UTC(2026, 0, 5, 9);
const hostile = '<script>alert(1)</script>';
const bytes = (text: string): string => `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`;

function reveille(...args: readonly string[]): string {
  const done = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(`reveille ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** A month of a list whose people put markup wherever a header takes text. */
function archive(): string {
  const mails = [0, 8, 15, 22].map((days, n) =>
    mailText({
      id: `${n}"'&amp;onload=alert(2)`,
      subject: bytes(`[PATCH] wake${n}: ${hostile} & "poll" more often`),
      from: `${bytes(`${hostile} Ada`)} <ada${n}@example.org>`,
      date: start + days * 86_400_000,
      body: probeBody(
        `usleep_range(${n + 1}000, 9000); /* </pre>${hostile} */`,
        `drivers/wake/a-rather-long-name-of-a-driver-${n}.c`,
      ),
    }),
  );
  return mails.map((mail) => `From mboxrd@z Thu Jan  1 00:00:00 1970\n${mail}\n`).join('');
}

function bootLog(shift: number): string {
  const names = ['quill_init', 'a_driver_with_quite_a_long_name_init', 'marl_init', 'nap_init'];
  const lines = names.flatMap((name, n) => {
    const at = (0.4 + n * 0.3 + shift).toFixed(6);
    const took = 120_000 * (n + 1);
    return [
      `[    ${at}] calling  ${name}+0x0/0x100 @ 1`,
      `[    ${(Number(at) + took / 1e6).toFixed(6)}] initcall ${name}+0x0/0x100 returned 0 after ${took} usecs`,
    ];
  });
  return [
    '[    0.000000] Linux version 6.6.1 (bot@example.org) #1 SMP',
    ...lines,
    '[    2.500000] Run /sbin/init as init process',
    '',
  ].join('\n');
}

describe.skipIf(!hasChromium)('pages in a browser [needs chromium]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-pages-'));
  const pages = new Map<string, string>();
  let browser: Browser;

  beforeAll(async () => {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const mbox = file('wake.mbox', archive());
    const logs = [0, 0.01, 0.2].map((shift, n) => file(`boot${n}.log`, bootLog(shift)));
    const numbers = (name: string, from: number): string =>
      file(name, Array.from({ length: 80 }, (_, n) => `${from + ((n * 37) % 23)} ms`).join('\n'));
    pages.set('summary', reveille('summary', mbox, '--since', '60d', '--activity', '--format', 'html'));
    pages.set('dossier', reveille('replay', mbox, '--format', 'html'));
    pages.set('review', reveille('review', mbox, '--all', '--format', 'html'));
    pages.set(
      'simulate',
      reveille(
        'simulate',
        '--before',
        'msleep(100)',
        '--after',
        'usleep_range(1000, 2000)',
        '--devices',
        '32',
        '--format',
        'html',
      ),
    );
    pages.set('boot', reveille('boot', ...logs.slice(0, 2), '--format', 'html'));
    pages.set(
      'measure',
      reveille('measure', '--before', numbers('a.txt', 200), '--after', numbers('b.txt', 140), '--format', 'html'),
    );
    browser = await openBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const name of ['summary', 'dossier', 'review', 'simulate', 'boot', 'measure']) {
    test(`the page of ${name} fits at 400 and 1400 pixels, light and dark, loads nothing and says nothing on the console`, async () => {
      const colours = new Set<string>();
      for (const width of [400, 1400]) {
        for (const scheme of ['light', 'dark'] as const) {
          const seen = await look(browser, pages.get(name) ?? '', { width, scheme });
          expect([name, width, scheme, ...seen.troubles]).toEqual([name, width, scheme]);
          expect(await findOverflow(seen.page)).toEqual([]);
          expect(await findOverlaps(seen.page)).toEqual([]);
          colours.add(await seen.page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
          await seen.close();
        }
      }
      expect(colours.size).toBe(2);
    });
  }

  test('markup in names, subjects, code and Message-IDs stays text', async () => {
    for (const name of ['summary', 'dossier', 'review']) {
      const seen = await look(browser, pages.get(name) ?? '', { width: 1400, scheme: 'light' });
      const own = name === 'dossier' ? 1 : 0;
      expect(await seen.page.evaluate<number>('document.scripts.length')).toBe(own);
      expect(await seen.page.evaluate<number>('document.images.length')).toBe(0);
      expect(await seen.page.evaluate<string>('document.body.textContent')).toContain(hostile);
      expect(seen.troubles).toEqual([]);
      await seen.close();
    }
  });

  test('the marks of a dossier are saved as JSON, offline, under the Message-IDs of what they are about', async () => {
    const seen = await look(browser, pages.get('dossier') ?? '', { width: 400, scheme: 'light' });
    await seen.page.check('input[name=reply-1][value=wrong]');
    await seen.page.fill('input[name=reply-1-why]', `not at boot ${hostile}`);
    await seen.page.fill('input[name=name]', 'Maria');
    expect(await seen.page.textContent('#count')).toMatch(/^1 of \d+ marked$/);
    const [download] = await Promise.all([seen.page.waitForEvent('download'), seen.page.click('#save')]);
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as { marks: unknown[] };
    expect(download.suggestedFilename()).toBe('reveille-marks.json');
    expect(saved).toMatchObject({
      schema: 'reveille.marks.v1',
      by: 'Maria',
      marks: [{ kind: 'reply', mark: 'wrong', why: `not at boot ${hostile}` }],
    });
    expect(JSON.stringify(saved.marks)).toContain('onload=alert(2)@example.org>');
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });
});

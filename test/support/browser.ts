/** Chromium without a window, driven over its own protocol; pages come from files, and nothing else may be loaded. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { hasProgram } from './servers/process-group.js';

const program = '/usr/bin/chromium';
export const hasChromium = hasProgram(program);

export type Looked = {
  readonly page: Page;
  /** What the console said, what scripts threw, and every address that was asked for beside the page itself. */
  readonly troubles: readonly string[];
  close(): Promise<void>;
};

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: 120_000,
  });
}

/** Opens a page of ours from a file, `width` pixels wide, light or dark. */
export async function look(
  browser: Browser,
  html: string,
  { width, scheme }: { readonly width: number; readonly scheme: 'light' | 'dark' },
): Promise<Looked> {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-page-'));
  const file = join(folder, 'page.html');
  writeFileSync(file, html);
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    acceptDownloads: true,
    offline: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const troubles: string[] = [];
  const own = pathToFileURL(file).href;
  page.on('console', (message) => void troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => void troubles.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== own && !request.url().startsWith('blob:')) troubles.push(`request: ${request.url()}`);
  });
  await page.goto(own, { waitUntil: 'load', timeout: 120_000 });
  return {
    page,
    troubles,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Elements that stick out of the page's width, except inside boxes that scroll; empty when nothing does. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(overflowScript);
}

/** Words of one picture that lie over each other; empty when none do. */
export function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(overlapScript);
}

// Run inside the page, whose types are not ours.
const overflowScript = `(() => {
  const wide = document.documentElement.clientWidth;
  const scrolls = (element) => {
    for (let here = element.parentElement; here !== null; here = here.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(here).overflowX)) return true;
    }
    return false;
  };
  const found = [];
  if (document.documentElement.scrollWidth > wide) found.push('the page is ' + document.documentElement.scrollWidth + ' wide');
  for (const element of document.querySelectorAll('body *')) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > wide + 1 || box.left < -1) && !scrolls(element))
      found.push(element.tagName + ' ' + (element.textContent || '').slice(0, 40));
  }
  return found;
})()`;

const overlapScript = `(() => {
  const found = [];
  for (const drawn of document.querySelectorAll('svg')) {
    const frame = drawn.getBoundingClientRect();
    const words = [...drawn.querySelectorAll('text')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    words.forEach((one, index) => {
      if (one.box.left < frame.left - 1 || one.box.right > frame.right + 1) found.push('cut: ' + one.text);
      for (const other of words.slice(index + 1)) {
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 1 && down > 4) found.push(one.text + ' over ' + other.text);
      }
    });
  }
  return found;
})()`;

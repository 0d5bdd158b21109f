import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

function run(command: string, args: readonly string[], cwd: string): { status: number; out: string; err: string } {
  const done = spawnSync(command, [...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status: done.status ?? -1, out: done.stdout, err: done.stderr };
}

/**
 * What `npm pack` makes, unpacked in a folder of its own beside nothing of ours but the packages that it asks for: those are
 * the ones of the lock file, so that no network is needed.
 */
describe('the package that npm makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-pack-'));
  const at = join(folder, 'node_modules', 'reveille');
  const program = join(at, 'dist', 'shell', 'cli', 'main.js');

  beforeAll(() => {
    const packed = run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], root);
    expect(packed.err).toBe('');
    mkdirSync(at, { recursive: true });
    run('tar', ['-xzf', join(folder, packed.out.trim()), '--strip-components=1', '-C', at], folder);
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; optional?: boolean }>;
    };
    for (const [path, { dev }] of Object.entries(lock.packages)) {
      const from = join(root, path);
      // Nested packages come with the ones that hold them.
      if (dev === true || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(from)) continue;
      cpSync(from, join(folder, path), { recursive: true });
    }
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds what a user needs and nothing of the workshop', () => {
    const names = readdirSync(at).sort();
    expect(names).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'config',
      'deploy',
      'dist',
      'docs',
      'examples',
      'package.json',
    ]);
    expect(existsSync(join(at, 'docs', 'reveille.1'))).toBe(true);
  });

  test('reviews, reads its catalogue and sums up in another folder', () => {
    const version = run(process.execPath, [program, '--version'], folder);
    expect([version.status, version.err]).toEqual([0, '']);
    const mbox = join(at, 'examples', 'quill.mbox');
    const review = run(process.execPath, [program, 'review', mbox], folder);
    expect([review.status, review.err.includes('Error')]).toEqual([0, false]);
    expect(review.out).toContain('verdict: worth a reply');
    const summary = run(process.execPath, [program, 'summary', mbox, '--since', '60d', '--format', 'json'], folder);
    expect(JSON.parse(summary.out)).toMatchObject({ schema: 'reveille.summary.v1' });
    const many = run(process.execPath, [program, 'review', at, '--all', '--format', 'ndjson', '--jobs', '2'], folder);
    expect(many.out.split('\n').length).toBeGreaterThan(5);
  });
});

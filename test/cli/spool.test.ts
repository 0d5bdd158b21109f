import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Spool } from '../../src/shell/cli/spool.js';

describe('the file between the two passes', () => {
  const before = process.env['TMPDIR'];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spool-test-'));
    process.env['TMPDIR'] = folder;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  test('gives back each value by its number, in any order, also while it grows', () => {
    const spool = new Spool<{ n: number; text: string }>();
    const bytes = (n: number): Uint8Array =>
      new TextEncoder().encode(JSON.stringify({ n, text: 'ä'.repeat(n % 7000) }));
    for (let n = 0; n < 500; n++) expect(spool.add(bytes(n))).toBe(n);
    expect(spool.get(499)).toEqual({ n: 499, text: 'ä'.repeat(499) });
    expect(spool.add(bytes(500))).toBe(500);
    expect([0, 250, 500].map((n) => spool.get(n).n)).toEqual([0, 250, 500]);
    expect(() => spool.get(501)).toThrow(RangeError);
    spool.close();
  });

  test('has no name from the start, so that a run that is killed leaves nothing behind', () => {
    const spool = new Spool<number>();
    spool.add(new TextEncoder().encode('1'));
    expect(spool.get(0)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
    spool.close();
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reviewFiles } from '../support/review-files.js';

// A case is a folder with mails (in.mbox), what is to be sent (reply.txt: all replies, or "silent: REASONS") and why.md.
// The case `examples` has the mails that the demo reviews.
const folder = import.meta.dirname;
const cases = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

function inputOf(name: string): string {
  return name === 'examples' ? join(folder, '..', '..', 'examples') : join(folder, name, 'in.mbox');
}

const update = process.env['UPDATE_GOLDEN'] === '1' && process.env['CI'] === undefined;

describe('golden replies', () => {
  test('there are cases, each with its why', () => {
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.filter((name) => !existsSync(join(folder, name, 'why.md')))).toEqual([]);
  });

  test.each(cases)('%s is answered word for word as agreed', async (name) => {
    const input = inputOf(name);
    const expected = join(folder, name, 'reply.txt');
    const said = await reviewFiles([input]);
    if (update) writeFileSync(expected, said);
    const wanted = existsSync(expected) ? readFileSync(expected, 'utf8') : '';
    if (said !== wanted) writeFileSync(`${expected}.actual`, said);
    expect(said).toBe(wanted);
  });

  test.each(cases)('%s is answered the same when it came with CRLF', async (name) => {
    const input = inputOf(name);
    expect(await reviewFiles([input], { crlf: true })).toBe(await reviewFiles([input]));
  });
});

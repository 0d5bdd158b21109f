import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { reviewToJson } from '../../src/core/report/index.js';
import { patchBody, patchText } from '../support/mails.js';
import { reviewEach } from '../support/review-files.js';
import { hasShared, sharedFolder } from '../support/shared.js';

const root = join(import.meta.dirname, '..', '..');

function validator(): (value: unknown) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(schema('estimate.json'));
  const validate = ajv.compile(schema('reveille.review.v1.json'));
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`));
}

function schema(name: string): object {
  return JSON.parse(readFileSync(join(root, 'config', 'schema', name), 'utf8')) as object;
}

async function violations(paths: readonly string[]): Promise<{ mails: number; wrong: string[] }> {
  const check = validator();
  const wrong: string[] = [];
  let mails = 0;
  for await (const { review, reply } of reviewEach(paths)) {
    mails++;
    const value: unknown = JSON.parse(JSON.stringify(reviewToJson(review, reply)));
    wrong.push(...check(value).map((error) => `${review.source.path}: ${error}`));
  }
  return { mails, wrong };
}

describe('the JSON contract reveille.review.v1', () => {
  test('every review of the examples keeps it', async () => {
    const { mails, wrong } = await violations([join(root, 'examples')]);
    expect(mails).toBe(7);
    expect(wrong).toEqual([]);
  });

  test('the schema refuses what is not in the contract', () => {
    expect(validator()({ schema: 'reveille.review.v1' })).not.toEqual([]);
  });

  test('a series of which one patch was sent again says which, and stands as a whole', async () => {
    const patch = (id: string, version: string, n: number, parents: string[]): string =>
      patchText({
        id,
        subject: `[PATCH ${version} ${n}/2] wake: part ${n}`,
        body: patchBody(`drivers/wake/part${n}.c`),
        date: Date.UTC(2026, 0, id === 'again' ? 8 : 5, 9, n),
        parents,
      });
    const folder = mkdtempSync(join(tmpdir(), 'reveille-partial-'));
    try {
      const mails = [patch('a1', 'v5', 1, []), patch('a2', 'v5', 2, ['a1']), patch('again', 'v5.1', 2, ['a2'])];
      const paths = mails.map((_, at) => join(folder, `${at}.eml`));
      for (const [at, text] of mails.entries()) writeFileSync(join(folder, `${at}.eml`), text);
      const series: unknown[] = [];
      for await (const { review, reply } of reviewEach(paths)) series.push(reviewToJson(review, reply)['series']);
      const again = '<again@example.org>';
      expect(series).toMatchObject([
        { version: 5, supersededBy: null, partlySupersededBy: again, partial: false },
        { version: 5, supersededBy: again, partlySupersededBy: again, partial: false },
        {
          version: 5.1,
          supersededBy: null,
          partlySupersededBy: null,
          partial: true,
          replaces: { id: '<a1@example.org>' },
        },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.skipIf(!hasShared)('every review of odd mail keeps it (no ../shared here)', async () => {
    const odd = join(sharedFolder, 'corpus', 'mail', 'odd');
    const { mails, wrong } = await violations(readdirSync(odd).map((name) => join(odd, name)));
    expect(mails).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summaryToText } from '../../src/core/report/index.js';
import { postgresKind, sqliteKind } from '../support/stores.js';
import { answer, summaryOf, withDays, type DayMail } from '../support/summary-world.js';

const mails: DayMail[] = [
  { id: 'v1', days: 0 },
  answer('v1-answer', 'v1', 0.5),
  { id: 'v2', days: 3, subject: '[PATCH v2] wake: poll more often in probe' },
];
const texts = new Map<string, string>();

for (const kind of [sqliteKind(), postgresKind()]) {
  describe.skipIf(kind.missing)(`the summary of a store: ${kind.name}`, () => {
    beforeAll(() => kind.start());
    afterAll(() => kind.stop());

    test('is the same on every kind of store, byte for byte', async () => {
      const text = await withDays(mails, async (store) => summaryToText(await summaryOf(store, { activity: true })), {
        url: await kind.url(),
      });
      expect(text).toContain('NOBODY HAS ANSWERED');
      expect(text).toContain('dry run');
      texts.set(kind.name, text);
      expect(new Set(texts.values()).size).toBe(1);
    });
  });
}

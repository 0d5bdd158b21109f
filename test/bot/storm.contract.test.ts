import { describe, expect, test } from 'vitest';
import { hours } from '../../src/core/review/index.js';
import { findNextDue, readDecisions } from '../../src/shell/store/index.js';
import { patchBody, patchText } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { World } from '../support/world.js';

describe('a storm', () => {
  test(
    'of 5,000 patches by 50 authors stays under every cap, and each patch gets its decision',
    { timeout: 600_000 },
    async () => {
      const caps = { hour: 2, day: 6, author: 1 };
      const lists = [listPolicy({ caps })];
      const world = await World.open({ lists, policy: policyOf(lists, { caps: { hour: 4, day: 12, author: 2 } }) });
      const sentAt: { at: number; author: string }[] = [];
      world.sending = (reply) => {
        sentAt.push({ at: world.now, author: reply.author });
        return { kind: 'sent' };
      };
      for (let n = 0; n < 5000; n++) {
        const from = `Dev ${n % 50} <dev${n % 50}@example.org>`;
        await world.mail(
          patchText({
            id: `p${n}`,
            from,
            subject: `[PATCH] drv${n}: sleep less`,
            body: patchBody(`drivers/d/${n}.c`),
            date: world.now,
          }),
        );
        if (n % 100 === 99) await world.pass(10);
      }
      for (let i = 0; i < 30; i++) await world.pass(60);
      for (const { at } of sentAt) {
        const day = sentAt.filter((one) => one.at > at - hours(24) && one.at <= at);
        expect(day.filter((one) => one.at > at - hours(1)).length).toBeLessThanOrEqual(caps.hour);
        expect(day.length).toBeLessThanOrEqual(caps.day);
        expect(new Set(day.map((one) => one.author)).size).toBe(day.length);
      }
      expect(sentAt.length).toBeGreaterThanOrEqual(caps.day);
      expect(await world.store.read((db) => findNextDue(db))).toBeUndefined();
      expect(await world.store.read((db) => readDecisions(db))).toHaveLength(5000);
      await world.close();
    },
  );
});

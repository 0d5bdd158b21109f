import { describe, expect, test } from 'vitest';
import type { ListPolicy } from '../../src/core/review/index.js';
import { digestPeriod, openLog, sendDueDigests, type DigestParts } from '../../src/shell/bot/index.js';
import { openKnowledge } from '../../src/shell/config/index.js';
import type { Store } from '../../src/shell/store/index.js';
import { findUnsendable, type OutgoingMail, type SendResult } from '../../src/shell/transport/index.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { summaryStart, withDays } from '../support/summary-world.js';

const day = 86_400_000;
const at = (text: string): number => Date.parse(text);
const iso = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** A transport that takes what it has leave for, as told. */
function taker(answers: SendResult[] = []): {
  mails: OutgoingMail[];
  transport: NonNullable<DigestParts['transport']>;
} {
  const mails: OutgoingMail[] = [];
  return {
    mails,
    transport: {
      async send(mail, leave) {
        if (!(await leave())) return { kind: 'withdrawn' };
        const answer = answers.shift() ?? { kind: 'sent', refused: [] };
        if (answer.kind === 'sent') mails.push(mail);
        return answer;
      },
      check: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  };
}

async function partsOf(store: Store, list: Partial<ListPolicy>, more: Partial<DigestParts>): Promise<DigestParts> {
  return {
    store,
    policy: () => policyOf([listPolicy({ channel: 'dry-run', digest: 'weekly', ...list })]),
    killed: () => false,
    transport: undefined,
    knowledge: await openKnowledge(),
    seed: 1,
    secret: 'a secret of the tests',
    domain: 'bot.example.org',
    log: openLog('error'),
    now: () => summaryStart + 7 * day,
    ...more,
  };
}

describe('the schedule of digests', () => {
  test('is of whole days, weeks from Monday and months in UTC, made at six', () => {
    const of = (every: 'daily' | 'weekly' | 'monthly', now: string): string[] => {
      const period = digestPeriod(every, at(now));
      return period === undefined ? [] : [iso(period.from), iso(period.until)];
    };
    expect(of('daily', '2026-03-01T06:00:00Z')).toEqual(['2026-02-28', '2026-03-01']);
    expect(of('daily', '2026-03-01T05:59:59Z')).toEqual(['2026-02-27', '2026-02-28']);
    expect(of('weekly', '2026-11-30T06:00:00Z')).toEqual(['2026-11-23', '2026-11-30']);
    expect(of('weekly', '2026-11-30T05:59:00Z')).toEqual(['2026-11-16', '2026-11-23']);
    expect(of('weekly', '2026-12-06T23:00:00Z')).toEqual(['2026-11-23', '2026-11-30']);
    expect(of('monthly', '2026-01-01T06:00:00Z')).toEqual(['2025-12-01', '2026-01-01']);
    expect(digestPeriod('none', summaryStart)).toBeUndefined();
  });
});

describe('a digest by the policy', () => {
  test('goes once to the maintainers, as text and HTML, marked as made by a machine', async () => {
    await withDays([{ id: 'a', days: 0 }], async (store) => {
      const { mails, transport } = taker();
      const parts = await partsOf(store, {}, { transport });
      const first = await sendDueDigests(parts, new Set());
      expect(first.map(({ result }) => result)).toEqual(['sent']);
      // A daemon that was started anew remembers it by its store.
      expect(await sendDueDigests(parts, new Set())).toEqual([]);
      expect(mails.map(({ envelope }) => envelope)).toEqual([
        { from: 'reveille@bot.example.org', to: ['maria@example.org'] },
      ]);
      const [mail] = mails;
      const text = new TextDecoder().decode(mail?.bytes);
      expect(mail === undefined ? 'none' : findUnsendable(mail)).toBeUndefined();
      expect(text).toMatch(/^Auto-Submitted: auto-generated$/m);
      expect(text).toMatch(/^Content-Type: multipart\/alternative;/m);
      expect(text.match(/^Content-Type: text\/(?:plain|html); charset=utf-8$/gm)).toHaveLength(2);
      expect(text).not.toContain('<svg');
    });
  });

  test('names subsystems by the kernel tree where there is one', async () => {
    await withDays([{ id: 'a', days: 0 }], async (store) => {
      const { mails, transport } = taker();
      const lookUp = () => Promise.resolve({ subsystems: ['WAKE DRIVER'], maintainers: [] });
      await sendDueDigests(await partsOf(store, {}, { transport, lookUp }), new Set());
      expect(new TextDecoder().decode(mails[0]?.bytes)).toContain('WAKE DRIVER');
    });
  });

  test('is never empty, never against the kill file, and none for a list that asks for none or names nobody', async () => {
    await withDays([{ id: 'typo', days: 0, subject: '[PATCH] wake: fix a typo', body: 'x\n' }], async (store) => {
      const { mails, transport } = taker();
      const results = async (list: Partial<ListPolicy>, more: Partial<DigestParts> = {}): Promise<string[]> =>
        (await sendDueDigests(await partsOf(store, list, { transport, ...more }), new Set())).map(
          ({ result }) => result,
        );
      expect(await results({}, { killed: () => true })).toEqual([]);
      expect(await results({ digest: 'none' })).toEqual([]);
      expect(await results({ maintainers: [] })).toEqual([]);
      expect(await results({})).toEqual(['empty']);
      expect(mails).toEqual([]);
    });
  });

  test('is tried again when it was refused for now, and never when it may have left', async () => {
    await withDays([{ id: 'a', days: 0 }], async (store) => {
      const later = taker([{ kind: 'refused', retry: 'later', why: 'busy' }]);
      const parts = await partsOf(store, {}, { transport: later.transport });
      expect((await sendDueDigests(parts, new Set())).map(({ result }) => result)).toEqual(['refused']);
      expect((await sendDueDigests(parts, new Set())).map(({ result }) => result)).toEqual(['sent']);
      expect(later.mails).toHaveLength(1);
    });
    await withDays([{ id: 'a', days: 0 }], async (store) => {
      const lost = taker([{ kind: 'ambiguous', why: 'dropped' }]);
      const parts = await partsOf(store, {}, { transport: lost.transport });
      expect((await sendDueDigests(parts, new Set())).map(({ result }) => result)).toEqual(['ambiguous']);
      expect(await sendDueDigests(parts, new Set())).toEqual([]);
    });
  });
});

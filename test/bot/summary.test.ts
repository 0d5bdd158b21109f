import { describe, expect, test } from 'vitest';
import { isEmptySummary, summaryToJson, summaryToText, type Summary } from '../../src/core/report/index.js';
import { approve } from '../../src/shell/store/index.js';
import {
  answer,
  probeBody,
  summaryOf,
  summaryStart,
  violations,
  withDays,
  type DayMail,
} from '../support/summary-world.js';

const day = 86_400_000;
const boring: DayMail = {
  id: 'typo',
  days: 2,
  subject: '[PATCH] wake: fix a typo',
  body: probeBody('msleep(100); /* typo */'),
};

function longest(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length));
}

function states(summary: Summary): [string, string, string][] {
  return summary.series.map(({ id, need, state }) => [id, need, state.kind]);
}

describe('a summary of a store', () => {
  test('names what each series changes, who has answered it, and what nobody has answered first', async () => {
    const mails: DayMail[] = [
      { id: 'a', days: 0 },
      answer('a1', 'a', 0.5),
      boring,
      {
        id: 'b',
        days: 8,
        from: 'Bea Dev <bea@example.org>',
        subject: '[PATCH] nap: poll more often',
        body: probeBody('usleep_range(2000, 3000);', 'drivers/nap/nap.c'),
      },
    ];
    const summary = await withDays(mails, (store) => summaryOf(store));
    expect(states(summary)).toEqual([
      ['<b@example.org>', 'unanswered', 'would-reply'],
      ['<a@example.org>', 'open-question', 'would-reply'],
    ]);
    expect(summary).toMatchObject({ mails: 4, patches: 3, postings: 3, silent: { 'no-wait-changed': 1 } });
    const [b, a] = summary.series;
    expect(a?.answers.by).toEqual([{ name: 'Bob Rev', address: 'bob@example.org' }]);
    expect(a?.changes).toMatchObject([
      { file: 'drivers/wake/wake.c', function: 'wake_probe', before: 'msleep(100)', after: 'usleep_range(1000, 2000)' },
    ]);
    expect(b?.predicted).toMatchObject({ bootPath: 'on' });
    expect(summary.totals.predicted?.series).toBe(2);
    expect(summary.weeks.map(({ series }) => series)).toEqual([0, 1, 1, 0, 0, 0].slice(0, summary.weeks.length));
    expect(violations('reveille.summary.v1.json', summaryToJson(summary))).toEqual([]);
    const text = summaryToText(summary);
    expect(longest(text)).toBeLessThanOrEqual(72);
    expect(text).toContain('msleep(100) -> usleep_range(2000, 3000)');
    expect(text).toContain('NOBODY HAS ANSWERED');
  });

  test('puts a version that was replaced last, and counts it in no total', async () => {
    const mails: DayMail[] = [
      { id: 'v1', days: 0 },
      { id: 'v2', days: 3, subject: '[PATCH v2] wake: poll more often in probe' },
    ];
    const summary = await withDays(mails, (store) => summaryOf(store));
    expect(summary.series.map(({ id, need }) => [id, need])).toEqual([
      ['<v2@example.org>', 'unanswered'],
      ['<v1@example.org>', 'superseded'],
    ]);
    expect(summary.series[1]?.supersededBy).toBe('<v2@example.org>');
    expect(summary.totals.predicted?.series).toBe(1);
  });

  test('says that a series was applied, and by whom it was answered', async () => {
    const mails = [{ id: 'a', days: 0 }, answer('a1', 'a', 1, { body: 'Applied, thanks!\n' })];
    const summary = await withDays(mails, (store) => summaryOf(store));
    expect(summary.series.map(({ need, answers }) => [need, answers.verdict])).toEqual([['settled', 'applied']]);
  });

  test('keeps to its period and its list', async () => {
    const mails: DayMail[] = [
      { id: 'a', days: 0 },
      { id: 'other', days: 8, list: 'other.lists.example.org', subject: '[PATCH] other: poll' },
    ];
    await withDays(mails, async (store) => {
      const late = await summaryOf(store, { from: summaryStart + 7 * day });
      expect(late.series.map(({ id }) => id)).toEqual(['<other@example.org>']);
      const wake = await summaryOf(store, { list: 'wake.lists.example.org' });
      expect(wake.series.map(({ id }) => id)).toEqual(['<a@example.org>']);
      const named = await summaryOf(store, { subsystem: 'Wake' });
      expect(named.series.map(({ id }) => id)).toEqual(['<a@example.org>']);
      expect((await summaryOf(store, { subsystem: 'wa' })).series).toEqual([]);
    });
  });

  test('is empty where no wait was changed, and where no mail came', async () => {
    await withDays([boring], async (store) => {
      const quiet = await summaryOf(store);
      expect(isEmptySummary(quiet)).toBe(true);
      expect(quiet.mails).toBe(1);
      expect(violations('reveille.summary.v1.json', summaryToJson(quiet))).toEqual([]);
      const nothing = await summaryOf(store, { from: summaryStart + 20 * day });
      expect([isEmptySummary(nothing), nothing.mails]).toEqual([true, 0]);
    });
  });

  test('tells what waits for approval, what was marked wrong and what was sent, by list and month', async () => {
    const mails: DayMail[] = [
      { id: 'a', days: 0 },
      {
        id: 'b',
        days: 8,
        from: 'Bea Dev <bea@example.org>',
        subject: '[PATCH] nap: poll more often',
        body: probeBody('usleep_range(2000, 3000);', 'drivers/nap/nap.c'),
      },
    ];
    await withDays(
      mails,
      async (store) => {
        await store.write(async (tx) => {
          const rows = await tx.selectFrom('outbox').select(['id', 'message_id', 'parent', 'expires_at']).execute();
          const [a, b] = ['<a@example.org>', '<b@example.org>'].map((id) => rows.find((row) => row.parent === id));
          await tx
            .insertInto('wrongs')
            .values({
              rule: 'boot-path-change',
              sender: 'ada@example.org',
              message_id: a?.message_id ?? '',
              at: summaryStart + day,
            })
            .execute();
          await tx
            .updateTable('outbox')
            .set({ state: 'held', held_by: 'first-twenty', sent_at: null })
            .where('id', '=', b?.id ?? 0)
            .execute();
        });
        const before = await summaryOf(store, { activity: true });
        expect(states(before)).toEqual([
          ['<b@example.org>', 'waits-for-you', 'waiting'],
          ['<a@example.org>', 'marked-wrong', 'replied'],
        ]);
        expect(before.activity?.rows).toMatchObject([
          { list: 'wake.lists.example.org', month: '2026-01', sent: 1, waiting: 1, approved: 0, wrong: 1 },
        ]);
        expect(summaryToText(before)).toMatch(/boot-path-change marked\s+wrong by ada@example.org/);
        expect(violations('reveille.summary.v1.json', summaryToJson(before))).toEqual([]);
        const held = before.series[0]?.state;
        const id = held?.kind === 'waiting' ? held.reply : 0;
        await store.write((tx) => approve(tx, id, summaryStart + 8 * day));
        const after = await summaryOf(store, { activity: true });
        expect(after.activity?.rows[0]).toMatchObject({ approved: 1, waiting: 1 });
      },
      { channel: 'list' },
    );
  });

  test('shows a stranger’s control characters and never obeys them', async () => {
    const mails: DayMail[] = [
      {
        id: 'a',
        days: 0,
        from: '=?UTF-8?B?G1szMW1FdmlsG1swbQ==?= <evil@example.org>',
        subject: '[PATCH] wake: poll =?UTF-8?B?4oCuZXZpbA==?=',
      },
    ];
    const text = summaryToText(await withDays(mails, (store) => summaryOf(store)));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text).toContain('evil@example.org'.slice(0, 4));
  });
});

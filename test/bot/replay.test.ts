import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  composerOf,
  readerOf,
  reviewerOf,
  type ArchiveMail,
  type Reader,
  type Replay,
} from '../../src/shell/bot/index.js';
import { openKit, openKnowledge } from '../../src/shell/config/index.js';
import { dossierToHtml, dossierToJson, dossierToText, type Dossier } from '../../src/core/report/index.js';
import { makeDossier, replayWithSummary } from '../../src/shell/cli/replay.js';
import { violations } from '../support/summary-world.js';
import { mailText, type MailText } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';

const folder = mkdtempSync(join(tmpdir(), 'reveille-replay-'));
let reader: Reader;
let number = 0;

beforeAll(async () => {
  reader = readerOf(await openKit());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A probe that polls its device every 100 ms, now every millisecond: what the product is for. */
function probePatch(after: string, file = 'drivers/wake/wake.c'): string {
  return `The controller is ready within a few milliseconds, so the long sleep costs
boot time.

Signed-off-by: Ada Dev <ada@example.org>
---
 ${file} | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/${file} b/${file}
index 1111111..2222222 100644
--- a/${file}
+++ b/${file}
@@ -40,9 +40,9 @@ static int wake_probe(struct platform_device *pdev)
 \tint tries = 10;
 
 \twhile (!(readl(w->base + WAKE_STATUS) & WAKE_READY)) {
-\t\tmsleep(100);
+\t\t${after}
 \t\tif (!--tries)
 \t\t\treturn -ETIMEDOUT;
 \t}
 
 \treturn wake_register(w);
-- 
2.40.1
`;
}

const start = Date.UTC(2026, 0, 5, 9);
const day = 86_400_000;

async function archive(mails: readonly (Partial<MailText> & { id: string; days: number })[]): Promise<ArchiveMail[]> {
  const read: ArchiveMail[] = [];
  for (const { days, ...mail } of mails) {
    const at = start + days * day;
    const text = mailText({
      subject: '[PATCH] wake: poll more often in probe',
      body: probePatch('usleep_range(1000, 2000);'),
      date: at,
      ...mail,
    });
    const one = await reader(new TextEncoder().encode(text));
    read.push({ at, read: () => one });
  }
  return read;
}

async function run(
  mails: readonly ArchiveMail[],
  policy = policyOf([listPolicy({ channel: 'dry-run' })]),
): Promise<Replay> {
  return (await runWhole(mails, policy)).result;
}

/** A replay, and its dossier. */
async function runWhole(
  mails: readonly ArchiveMail[],
  policy = policyOf([listPolicy({ channel: 'dry-run' })]),
): Promise<{ result: Replay; dossier: Dossier }> {
  if (policy.kind === 'none') throw new Error(policy.why);
  const identity = { secret: 's', domain: 'bot.example.org' };
  const knowledge = await openKnowledge();
  const deps = { review: reviewerOf(knowledge, 1), compose: composerOf(identity), ...identity, policy: policy.policy };
  const url = `sqlite:${join(folder, `${number++}.db`)}`;
  const { result, summary } = await replayWithSummary(mails, deps, { url, knowledge, seed: 1, own: [] });
  const made = { ...knowledge.made, seed: 1 };
  return { result, dossier: await makeDossier({ result, summary, made, archive: 'wake.mbox', samples: 10 }) };
}

describe('a replay', () => {
  test('answers what the daemon would have answered, once, and says why it kept silent about the rest', async () => {
    const mails = await archive([
      { id: 'a', days: 0 },
      {
        id: 'a-answer',
        days: 0.1,
        from: 'bob@example.org',
        subject: 'Re: [PATCH] wake: poll more often in probe',
        body: 'Nice.\n',
        parents: ['a'],
      },
      { id: 'a2', days: 3, subject: '[PATCH v2] wake: poll more often in probe' },
      { id: 'typo', days: 10, subject: '[PATCH] wake: fix a typo', body: probePatch('msleep(100); /* typo */') },
      {
        id: 'b',
        days: 20,
        from: 'Bea <bea@example.org>',
        subject: '[PATCH] nap: poll more often',
        body: probePatch('usleep_range(2000, 3000);', 'drivers/nap/nap.c'),
      },
      {
        id: 'b-answer',
        days: 20.001,
        from: 'bob@example.org',
        subject: 'Re: [PATCH] nap: poll more often',
        body: 'Applied, thanks!\n',
        parents: ['b'],
      },
      {
        id: 'other',
        days: 61,
        list: 'other.lists.example.org',
        subject: '[PATCH] other: poll',
        body: probePatch('usleep_range(1000, 2000);', 'drivers/other/o.c'),
      },
    ]);
    const { result, dossier } = await runWhole(mails);
    expect(result.sent.map(({ reply, at }) => [reply.parent, at])).toEqual([['<a@example.org>', start + 20 * 60_000]]);
    expect(result.silent).toMatchObject({ 'said-before': 1, applied: 1, 'list-not-named': 1 });
    expect(Object.keys(result.silent).some((reason) => reason.startsWith('nothing-to-say: '))).toBe(true);
    const json = dossierToJson(dossier);
    expect(violations('reveille.replay.v1.json', json)).toEqual([]);
    expect(json).toMatchObject({
      schema: 'reveille.replay.v1',
      mails: 7,
      patches: 5,
      months: 2,
      replies: 1,
      repliesPerMonth: 0.5,
      byRule: { 'boot-path-change': 1 },
    });
    const text = dossierToText(dossier);
    expect(text).toContain('1 reply, 0.5 a month');
    expect(text).toContain('> +\t\tusleep_range(1000, 2000);');
    expect(text).toContain('subject  Re: [PATCH] wake: poll more often in probe');
    expect(text).toContain('silence 1 of');
  });

  test('is the same twice, byte for byte', async () => {
    const mails = await archive([
      { id: 'a', days: 0 },
      {
        id: 'b',
        days: 1,
        from: 'bea@example.org',
        subject: '[PATCH] nap: poll',
        body: probePatch('udelay(50);', 'drivers/nap/nap.c'),
      },
    ]);
    const bytes = (result: Replay): string[] =>
      result.sent.map(({ reply }) => Buffer.from(reply.bytes).toString('hex'));
    const [whole, twice] = [await runWhole(mails), await runWhole(mails)];
    const [one, two] = [whole.result, twice.result];
    expect(bytes(one)).toEqual(bytes(two));
    const [page, again] = [dossierToHtml(whole.dossier), dossierToHtml(twice.dossier)];
    expect(page).toBe(again);
    expect(page).toContain('Was that right?');
    expect(one.sent.length).toBeGreaterThan(0);
  });

  test('knows nothing of what came later: the same mails cut short give the same first replies', async () => {
    const mails = await archive([
      { id: 'a', days: 0 },
      { id: 'a2', days: 2, subject: '[PATCH v2] wake: poll more often in probe', body: probePatch('udelay(50);') },
      {
        id: 'nak',
        days: 4,
        from: 'bob@example.org',
        subject: 'Re: [PATCH] wake: poll more often in probe',
        body: 'NAK\n',
        parents: ['a'],
      },
    ]);
    const whole = await run(mails);
    const cut = await run(mails.slice(0, 1));
    expect(whole.sent[0]?.reply.bytes).toEqual(cut.sent[0]?.reply.bytes);
  });

  test('a cover whose patches went elsewhere is no patch, and nothing to put aside', async () => {
    const result = await run(
      await archive([{ id: 'c', days: 0, subject: '[PATCH 0/3] wake: poll', body: 'Three patches.\n' }]),
    );
    expect(result.silent).toEqual({ 'nothing-to-say: not-a-patch': 1 });
  });

  const series = (worthy: readonly number[]): Promise<ArchiveMail[]> =>
    archive([
      { id: 's0', days: 0, subject: '[PATCH 0/3] wake: be quick', body: 'Three patches.\n' },
      ...[1, 2, 3].map((n) => ({
        id: `s${n}`,
        days: n / 10_000,
        subject: `[PATCH ${n}/3] wake: part ${n}`,
        body: probePatch(
          worthy.includes(n) ? `usleep_range(${n}000, 9000);` : 'msleep(100); /* why */',
          `drivers/w/${n}.c`,
        ),
        parents: ['s0'],
      })),
    ]);

  test('one patch of a series that deserves an answer gets it itself', async () => {
    const { sent } = await run(await series([2]));
    expect(sent.map(({ reply }) => reply.parent)).toEqual(['<s2@example.org>']);
  });

  test('several patches of a series get one answer together, on their cover letter, each under its name', async () => {
    const { sent } = await run(await series([1, 3]));
    expect(sent.map(({ reply }) => reply.parent)).toEqual(['<s0@example.org>']);
    const [head = '', ...rest] = new TextDecoder().decode(sent[0]?.reply.bytes).split('\n\n');
    expect(head).toContain('In-Reply-To: <s0@example.org>');
    expect(head).toContain('Subject: Re: [PATCH 0/3] wake: be quick');
    const body = rest.join('\n\n');
    expect(body.startsWith('Patch 1/3, "wake: part 1":\n\n> -\t\tmsleep(100);\n> +\t\tusleep_range(1000, 9000);')).toBe(
      true,
    );
    expect(body).toContain('\n\nPatch 3/3, "wake: part 3":\n\n');
    expect(body).not.toContain('part 2');
    expect(body.match(/^-- $/gm)?.length).toBe(1);
  });

  test('several patches without a cover letter get one answer, on the first of them', async () => {
    const { sent } = await run((await series([1, 3])).slice(1));
    expect(sent.map(({ reply }) => reply.parent)).toEqual(['<s1@example.org>']);
    expect(new TextDecoder().decode(sent[0]?.reply.bytes)).toContain('Patch 3/3');
  });

  test.each([
    [50, 'The summary has 68 characters; 50 is the limit'],
    [75, undefined],
  ])('a summary of 68 characters is judged by the limit of the list, %i', async (subjectLimit, nit) => {
    const subject = `[PATCH] wake: ${'poll the ready bit more often '.repeat(2)}so`;
    const mails = await archive([{ id: 'a', days: 0, subject }]);
    const { sent } = await run(mails, policyOf([listPolicy({ channel: 'dry-run', subjectLimit })]));
    const text = new TextDecoder().decode(sent[0]?.reply.bytes).replace(/\s+/g, ' ');
    expect(/The summary has \d+ characters; \d+ is the limit/.exec(text)?.[0]).toBe(nit);
  });

  /** The same patch with a wait of no range besides, and one that gives the range. */
  const withNit = probePatch('usleep_range(1000, 2000);').replace(
    '-- \n',
    `@@ -90,4 +90,5 @@ static int wake_led(struct wake *w)
 \tu32 value = WAKE_LED;
 
 \twritel(value, w->base + WAKE_CTRL);
+\tusleep_range(50, 50);
 \treturn 0;
-- 
`,
  );
  const mended = (wait: string): string => `The light may take longer.

Signed-off-by: Ada Dev <ada@example.org>
---
diff --git a/drivers/wake/wake.c b/drivers/wake/wake.c
--- a/drivers/wake/wake.c
+++ b/drivers/wake/wake.c
@@ -91,4 +91,4 @@ static int wake_led(struct wake *w)
 
 \twritel(value, w->base + WAKE_CTRL);
-\t${wait}
+\tusleep_range(50, 80);
 \treturn 0;
-- 
2.40.1
`;

  test.each([
    ['is told where the later patches leave the line alone', mended('usleep_range(60, 60);'), undefined, true],
    ['is silent where a later patch of the series mends the line', mended('usleep_range(50, 50);'), undefined, false],
    ['is silent where a reviewer has said it', mended('usleep_range(60, 60);'), '+\tusleep_range(50, 50);', false],
    [
      'is told where a reviewer spoke of another line',
      mended('usleep_range(60, 60);'),
      ' \tu32 value = WAKE_LED;',
      true,
    ],
  ])('a nit on a reply %s', async (_, later, quoted, isTold) => {
    const answer = {
      id: 'n1-answer',
      days: 0.001,
      from: 'bob@example.org',
      subject: 'Re: [PATCH 1/2] wake: part 1',
      body: `> ${quoted ?? ''}\n\nPlease give this one a name.\n`,
      parents: ['n1'],
    };
    const { sent } = await run(
      await archive([
        { id: 'n1', days: 0, subject: '[PATCH 1/2] wake: part 1', body: withNit },
        { id: 'n2', days: 0.0001, subject: '[PATCH 2/2] wake: part 2', body: later, parents: ['n1'] },
        ...(quoted === undefined ? [] : [answer]),
      ]),
    );
    expect(sent.map(({ reply }) => reply.parent)).toEqual(['<n1@example.org>']);
    const text = new TextDecoder().decode(sent[0]?.reply.bytes);
    expect(text).toContain('> +\t\tusleep_range(1000, 2000);');
    expect(text.includes('(usleep-range-without-range)')).toBe(isTold);
  });

  test('of an empty archive is empty', async () => {
    expect(dossierToJson((await runWhole([])).dossier)).toMatchObject({
      mails: 0,
      patches: 0,
      replies: 0,
      repliesPerMonth: 0,
      samples: [],
      silent: {},
    });
  });
});

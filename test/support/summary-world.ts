/** A store in which some days of a list have gone by, made by the product's own loop from mails of invented people. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import type { Summary } from '../../src/core/report/index.js';
import {
  composerOf,
  readerOf,
  replay,
  reviewerOf,
  summariseStore,
  type SummaryAsk,
} from '../../src/shell/bot/index.js';
import { openKit, openKnowledge, packageRoot } from '../../src/shell/config/index.js';
import { openStore, type Store } from '../../src/shell/store/index.js';
import { mailText, type MailText } from './mails.js';
import { listPolicy, policyOf } from './policies.js';

export const summaryStart = Date.UTC(2026, 0, 5, 9);
const day = 86_400_000;

/** A probe that polls its device every 100 ms, and now as told. */
export function probeBody(after: string, file = 'drivers/wake/wake.c'): string {
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
 \tunsigned long end = jiffies + HZ;
 
 \twhile (!(readl(w->base + WAKE_STATUS) & WAKE_READY)) {
-\t\tmsleep(100);
+\t\t${after}
 \t\tif (time_after(jiffies, end))
 \t\t\treturn -ETIMEDOUT;
 \t}
 
 \treturn wake_register(w);
-- 
2.40.1
`;
}

export type DayMail = Partial<MailText> & { readonly id: string; readonly days: number };

/** An answer of somebody else's in a thread. */
export function answer(id: string, parent: string, days: number, more: Partial<MailText> = {}): DayMail {
  return {
    id,
    days,
    from: 'Bob Rev <bob@example.org>',
    subject: 'Re: [PATCH] wake: poll more often in probe',
    body: 'Nice.\n',
    parents: [parent],
    ...more,
  };
}

/** Lets the mails come in, each on its day, into a store of its own; `use` gets it open. */
export async function withDays<T>(
  mails: readonly DayMail[],
  use: (store: Store) => Promise<T>,
  { channel = 'dry-run' as const, url }: { channel?: 'dry-run' | 'list'; url?: string } = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-summary-'));
  try {
    const kit = await openKit();
    const reader = readerOf(kit);
    const archive = [];
    for (const { days, ...mail } of mails) {
      const at = summaryStart + days * day;
      const text = mailText({
        subject: '[PATCH] wake: poll more often in probe',
        body: probeBody('usleep_range(1000, 2000);'),
        date: at,
        ...mail,
      });
      const read = await reader(new TextEncoder().encode(text));
      archive.push({ at, read: () => read });
    }
    kit.parser.close();
    const state = policyOf([listPolicy({ channel })]);
    if (state.kind === 'none') throw new Error(state.why);
    const identity = { secret: 's', domain: 'bot.example.org' };
    const deps = {
      review: reviewerOf(await openKnowledge(), 1),
      compose: composerOf(identity),
      ...identity,
      policy: state.policy,
    };
    const where = url ?? `sqlite:${join(folder, 'store.db')}`;
    await replay(archive, deps, where);
    const store = await openStore(where, { now: summaryStart });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The summary of the store's first weeks. */
export async function summaryOf(store: Store, ask: Partial<SummaryAsk> = {}): Promise<Summary> {
  const knowledge = await openKnowledge();
  return store.read((db) =>
    summariseStore(db, knowledge, {
      from: summaryStart - day,
      until: summaryStart + 28 * day,
      seed: 1,
      own: ['reveille@bot.example.org'],
      activity: false,
      ...ask,
    }),
  );
}

/** What is wrong with a value by a schema of ours; empty when nothing is. */
export function violations(name: string, value: unknown): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'config', 'schema', name), 'utf8')) as object;
  const validate = ajv.compile(schema);
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return validate(plain) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''}`);
}

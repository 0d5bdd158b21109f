import { describe, expect, test } from 'vitest';
import { checkRules, pickNits, rules, type RuleInput } from '../../src/core/rules/index.js';
import { ruleInputs } from '../support/rule-inputs.js';

const mail = (subject: string, ...added: string[]): string => `From: Ada Example <ada@example.org>
Subject: ${subject}
Message-ID: <1@example.org>

Poll more often.

${added.includes('unsigned') ? '' : 'Signed-off-by: Ada Example <ada@example.org>\n'}---
 drivers/misc/gizmo.c | 1 +

diff --git a/drivers/misc/gizmo.c b/drivers/misc/gizmo.c
--- a/drivers/misc/gizmo.c
+++ b/drivers/misc/gizmo.c
@@ -10,2 +10,${2 + added.filter((line) => line !== 'unsigned').length} @@ int gizmo(void)
 	int ret;
${added
  .filter((line) => line !== 'unsigned')
  .map((line) => `+${line}\n`)
  .join('')} 	return ret;
`;

async function input(...args: Parameters<typeof mail>): Promise<RuleInput> {
  const [first] = await ruleInputs(Buffer.from(mail(...args)), false);
  if (first === undefined) throw new Error('no patch in the mail');
  return first;
}

const shout = '[PATCH] gizmo: poll much more often than anybody who built the first of these boards ever thought of';

describe('checking rules', () => {
  test('the same input gives the same findings in the same order', async () => {
    const one = await input(shout, '\tusleep_range(9, 9);', '\tif (jiffies > 3) ');
    const first = checkRules(one);
    expect(first.length).toBeGreaterThan(3);
    expect(checkRules(one)).toEqual(first);
    const order = first.map(({ rule }) => rules.findIndex(({ id }) => id === rule));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('rules that are off by default are left out where only the defaults are asked for', async () => {
    const one = await input(shout, '\tusleep_range(9, 9);', '\tif (jiffies > 3) ');
    const defaults = new Set(rules.filter((rule) => rule.default).map(({ id }) => id));
    const all = checkRules(one);
    expect(all.some(({ rule }) => !defaults.has(rule))).toBe(true);
    expect(checkRules(one, { defaultsOnly: true })).toEqual(all.filter(({ rule }) => defaults.has(rule)));
  });

  test.each([
    ['[PATCH v2 net-next] gizmo: poll', 'high'],
    ['[RFC PATCH] gizmo: poll', 'low'],
    ['gizmo is slow', 'low'],
  ])('a missing sign-off is held against what is meant to be applied: %s', async (subject, confidence) => {
    const found = checkRules(await input(subject, 'unsigned'), { only: ['missing-sign-off'] });
    expect(found.map((one) => one.confidence)).toEqual([confidence]);
  });

  test('a fingerprint survives a new version with other line numbers', async () => {
    const lines = ['\tusleep_range(9, 9);'];
    const [v1] = checkRules(await input('[PATCH] gizmo: poll', ...lines), { only: ['usleep-range-without-range'] });
    const [v2] = checkRules(await input('[PATCH v2] gizmo: poll', '\tint more;', ...lines), {
      only: ['usleep-range-without-range'],
    });
    expect(v1?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(v2?.mailLine).not.toBe(v1?.mailLine);
    expect(v2?.fingerprint).toBe(v1?.fingerprint);
  });

  test('different calls have different fingerprints', async () => {
    const one = await input('[PATCH] gizmo: poll', '\tusleep_range(9, 9);', '\tusleep_range(8, 8);');
    const prints = checkRules(one, { only: ['usleep-range-without-range'] }).map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(2);
  });

  test('a list may allow longer summaries', async () => {
    const one = await input(shout);
    expect(checkRules(one, { only: ['subject-length'] })).toHaveLength(1);
    expect(checkRules({ ...one, summaryLimit: 120 }, { only: ['subject-length'] })).toEqual([]);
  });

  test('an older kernel is judged by its own rules', async () => {
    const fixes = await ruleInputs(
      Buffer.from(
        mail('[PATCH] gizmo: poll', '\tret = 1;').replace('Signed-off', 'Fixes: 0123456789abcd ("gizmo: add it")\nSigned-off'),
      ),
    );
    const found = (kernel: string): number =>
      fixes.flatMap((one) => checkRules(one, { only: ['bad-fixes-tag'], kernel })).length;
    expect([found('6.1'), found('6.12'), found('6.18'), found('7.3')]).toEqual([1, 1, 0, 0]);
  });
});

describe('picking nits', () => {
  test('at most three ride on a mail, one a rule, the most certain first', async () => {
    const lines = ['unsigned', '\tusleep_range(9, 9);', '\tusleep_range(8, 8);', '\tif (jiffies > 3)', '\tudelay(4000);'];
    const picked = pickNits(checkRules(await input(shout, ...lines)));
    expect(picked.map(({ rule }) => rule)).toEqual(['subject-length', 'missing-sign-off', 'jiffies-comparison']);
    expect(pickNits(checkRules(await input(shout, ...lines)), 1)).toHaveLength(1);
  });

  test('a rule that is off by default, of low confidence or only a note does not ride', async () => {
    const found = checkRules(await input('[PATCH] gizmo: poll', '\tmsleep(5);', '\tudelay(10);', '\tret = 1; '));
    expect(found.map(({ rule }) => rule)).toEqual(['trailing-whitespace', 'udelay-long-enough-to-sleep', 'msleep-under-20ms']);
    expect(pickNits(found)).toEqual([]);
  });

  test('a list switches rules on and off', async () => {
    const found = checkRules(await input(shout, '\tret = 1; '));
    expect(pickNits(found, 3, { off: ['subject-length'] })).toEqual([]);
    expect(pickNits(found, 3, { on: ['trailing-whitespace'] }).map(({ rule }) => rule)).toEqual([
      'subject-length',
      'trailing-whitespace',
    ]);
    expect(pickNits(found, 3, { on: ['subject-length'], off: ['subject-length'] })).toEqual([]);
  });
});

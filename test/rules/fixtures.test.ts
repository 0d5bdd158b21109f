import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRules, rules } from '../../src/core/rules/index.js';
import { ruleInputs } from '../support/rule-inputs.js';

const folder = import.meta.dirname;
const source = join(folder, '..', '..', 'src', 'core', 'rules');
const ids = rules.map((rule) => rule.id);

/** What the rule says of a fixture, a line a remark: `mailLine: text`, with `-` where it is about the whole mail. */
async function said(id: string, path: string, end: '\n' | '\r\n'): Promise<string> {
  const mail = readFileSync(path, 'utf8').replaceAll('\n', end);
  // Only rules about waits and claims need them found.
  const waits = rules.some((rule) => rule.id === id && (!rule.nit || id === 'delay-without-reason'));
  const inputs = await ruleInputs(Buffer.from(mail), waits);
  expect(inputs.length).toBeGreaterThan(0);
  // What a kernel tree would tell of the files' history comes in a header of the fixture.
  const history = inputs[0]?.message.headers.find(({ name }) => name === 'x-fixture-history')?.value.split(' | ');
  const known = history === undefined ? {} : { history };
  const found = inputs.flatMap((input) => checkRules({ ...input, ...known }, { only: [id] }));
  return found.map(({ mailLine, text }) => `${mailLine ?? '-'}: ${text}\n`).join('');
}

describe('the catalogue of rules', () => {
  test('is not empty, and no id stands twice', () => {
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has one file a rule, named for it', () => {
    const files = readdirSync(source)
      .filter((name) => /^export const \w+: Rule = \{/m.test(readFileSync(join(source, name), 'utf8')))
      .map((name) => name.replace(/\.ts$/, ''));
    expect(files.sort()).toEqual([...ids].sort());
    for (const id of ids) {
      const name = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      expect(readFileSync(join(source, `${id}.ts`), 'utf8')).toContain(`export const ${name}: Rule = {\n  id: '${id}',`);
    }
  });

  test('has one folder of fixtures a rule, with something to say and something to leave alone', () => {
    const folders = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.sort()).toEqual([...ids].sort());
    for (const id of ids) {
      const names = readdirSync(join(folder, id));
      expect([id, names.some((n) => n.startsWith('ok-')), names.some((n) => n.startsWith('bad-'))]).toEqual([id, true, true]);
      expect(names.filter((n) => !/^(?:ok-[\w.-]+\.diff|bad-[\w.-]+\.(?:diff|txt))$/.test(n))).toEqual([]);
    }
  });

  test('says of every rule why it is there, what to do and what backs it', () => {
    for (const { id, title, why, instead, source: backing } of rules) {
      expect([id, /^[a-z][\w-]+$/.test(id), title.length > 5, why.endsWith('.'), instead.length > 5, backing.length > 5]).toEqual([
        id, true, true, true, true, true,
      ]);
    }
  });
});

for (const id of ids) {
  describe(id, () => {
    for (const name of readdirSync(join(folder, id)).filter((n) => n.endsWith('.diff'))) {
      const path = join(folder, id, name);
      const what = name.replace(/\.diff$/, '').replace(/^(ok|bad)-/, '').replaceAll('-', ' ');
      if (name.startsWith('ok-')) {
        test(`leaves alone: ${what}`, async () => {
          expect(await said(id, path, '\n')).toBe('');
          expect(await said(id, path, '\r\n')).toBe('');
        });
      } else {
        test(`remarks on: ${what}`, async () => {
          const wanted = readFileSync(path.replace(/\.diff$/, '.txt'), 'utf8');
          expect(wanted).not.toBe('');
          expect(await said(id, path, '\n')).toBe(wanted);
          expect(await said(id, path, '\r\n')).toBe(wanted);
        });
      }
    }
  });
}

import { describe, expect, test } from 'vitest';
import { rules } from '../../src/core/rules/index.js';
import { renderNitsJson, renderNitsText } from '../../src/shell/cli/nits.js';

type Entry = { id: string; title: string; checkpatch: unknown; level: string; confidence: string; default: boolean };

describe('listing the rules', () => {
  test('the JSON is one array with every rule and the fields of the contract', () => {
    const list = JSON.parse(renderNitsJson()) as Entry[];
    expect(list.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (const entry of list) {
      expect(Object.keys(entry).slice(0, 6)).toEqual(['id', 'title', 'checkpatch', 'level', 'confidence', 'default']);
    }
    expect(list.find(({ id }) => id === 'subject-length')?.checkpatch).toBe(null);
    expect(list.find(({ id }) => id === 'missing-sign-off')?.checkpatch).toBe('MISSING_SIGN_OFF');
  });

  test('the text names every rule and keeps within 80 columns but for the head lines', () => {
    const text = renderNitsText();
    for (const { id } of rules) expect(text).toContain(`${id}  (`);
    const long = text.split('\n').filter((line) => line.startsWith('  ') && line.length > 80);
    expect(long.filter((line) => !rules.some(({ title }) => line.includes(title)))).toEqual([]);
  });
});

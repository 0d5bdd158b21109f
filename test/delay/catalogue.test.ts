import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCall } from '../../src/core/delay/index.js';
import { loadCatalogue, parseCatalogue } from '../../src/shell/config/index.js';

const folder = join(import.meta.dirname, '..', '..', 'config', 'delays');
const catalogue = loadCatalogue(folder);

/** `20ms`, `1000us..2000us` as nanoseconds. */
function spanOf(text: string | undefined): { min: number; max: number } | undefined {
  if (text === undefined) return undefined;
  const ends = text.split('..').map((end) => {
    const [, digits, unit] = /^([\d.]+)(ns|us|ms|s)$/.exec(end) ?? [];
    return Number(digits) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit as 'ns' | 'us' | 'ms' | 's'];
  });
  return { min: ends[0] ?? Number.NaN, max: ends.at(-1) ?? Number.NaN };
}

describe('the catalogue of delaying calls', () => {
  test('every entry with a delay or a bound has an example', () => {
    const bare = catalogue.apis.filter(
      (a) =>
        a.reads.length === 0 &&
        ((a.span !== undefined && !['loops', 'xloops', 'struct', 'ms-table'].includes(a.span.unit)) ||
          a.limit !== undefined),
    );
    expect(bare.map((a) => a.name)).toEqual([]);
    expect(catalogue.apis.length).toBeGreaterThan(164);
  });

  test.each(catalogue.apis.flatMap((a) => a.reads.map((r) => ({ ...r, api: a.name, flavour: a.flavour }))))(
    '$flavour reads $call as $span $limit',
    ({ api, flavour, call, span, limit }) => {
      const wanted = { span: spanOf(span), limit: spanOf(limit) };
      expect(readCall(call, catalogue, flavour)).toEqual(JSON.parse(JSON.stringify({ api, ...wanted })));
    },
  );

  test('an unknown key is refused with its file, its line and the nearest key', () => {
    const text = '- name: nap\n  kind: sleep\n  clock: wheel\n  atomik: false\n  source: here\n';
    expect(() => parseCatalogue(text, 'delays/own.yaml')).toThrow(
      'delays/own.yaml:4: unknown key "atomik", did you mean "atomic"?',
    );
  });

  test('a wrong value is refused with its file and its line', () => {
    const text = '- name: nap\n  kind: snooze\n  clock: wheel\n  atomic: false\n  source: here\n';
    expect(() => parseCatalogue(text, 'delays/own.yaml')).toThrow(/^delays\/own\.yaml:2: 0\.kind: /);
  });
});

import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findChanges } from '../../src/core/delay/index.js';
import { ms, us } from '../../src/core/kernel/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchOf, patchOfHunks } from '../support/patch-text.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
const kit = { parser, catalogue };
afterAll(() => parser.close());

const helper = (...extra: string[]) => [
  ' static void toy_nap_backoff_us(u32 step, u32 nap)',
  ' {',
  ...extra,
  ' \tnap = max_t(u32, TOY_NAP_MIN_US, nap);',
  ' \tnap = min_t(u32, nap * (1U << step), TOY_NAP_MAX_US);',
  ' \tusleep_range(nap, 2 * nap);',
  ' }',
];

describe('an interval that grows', () => {
  test('is run over its exponents where a helper shifts it', () => {
    const changes = findChanges(
      patchOfHunks([
        { lines: ['+#define TOY_NAP_MIN_US 20', '+#define TOY_NAP_MAX_US 700', ' #define TOY_RING 16'] },
        { lines: helper().map((l) => l.replace(/^ /, '+')), oldStart: 200 },
        {
          lines: [
            ' \twhile (!toy_is_done(toy)) {',
            ' \t\tif (time_after(jiffies, end))',
            ' \t\t\treturn -ETIME;',
            '-\t\tmsleep(9);',
            '+\t\ttoy_nap_backoff_us(step++, toy->nap);',
            ' \t}',
          ],
          section: 'static int toy_wait(struct toy *toy)',
          oldStart: 400,
        },
      ]),
      kit,
    );
    const poll = changes.find((c) => c.function === 'toy_wait');
    expect(poll).toMatchObject({
      effect: 'changed',
      before: { span: { min: ms(9), max: ms(9) } },
      after: { span: { min: us(20), max: us(1400) } },
      role: { is: 'poll-interval' },
    });
    expect(poll?.backoff).toEqual({
      after: { kind: 'exponential', first: us(20), cap: us(700), stretch: 2, bits: 32 },
    });
  });

  test('is another one when its exponent is capped, though the wait itself stays', () => {
    const [change, ...more] = findChanges(
      patchOfHunks([
        { lines: ['+#define TOY_STEP_MAX 9U', ' #define TOY_NAP_MIN_US 20', ' #define TOY_NAP_MAX_US 700'] },
        { lines: helper('+\tstep = min_t(u32, step, TOY_STEP_MAX);'), oldStart: 200 },
      ]),
      kit,
    );
    expect(more).toEqual([]);
    expect(change).toMatchObject({ effect: 'guard', function: 'toy_nap_backoff_us', kind: 'sleep' });
    expect(change?.backoff.before?.exponentCap).toBeUndefined();
    expect(change?.backoff.after?.exponentCap).toBe(9);
  });

  test('is read from a variable that the loop doubles up to a bound', () => {
    const [change] = findChanges(
      patchOf(
        [
          '+\tnap_ms = 3;',
          ' \tdo {',
          ' \t\tif (toy_is_done(toy))',
          ' \t\t\treturn 0;',
          '+\t\tmsleep(nap_ms);',
          '+\t\tif (nap_ms < 40)',
          '+\t\t\tnap_ms *= 2;',
          ' \t} while (time_before(jiffies, end));',
        ],
        { section: 'static int toy_wait(struct toy *toy)' },
      ),
      kit,
    );
    expect(change?.backoff.after).toEqual({ kind: 'exponential', first: ms(3), cap: ms(48), stretch: 1 });
    expect(change?.after?.span).toEqual({ min: ms(3), max: ms(48) });
    expect(change?.bound.after).toBe('deadline');
  });

  test('is linear where the loop adds the same each time', () => {
    const [change] = findChanges(
      patchOf(
        [
          '+\tnap = 10;',
          ' \twhile (!toy_is_done(toy)) {',
          '+\t\tusleep_range(nap, nap + 5);',
          '+\t\tnap += 10;',
          ' \t}',
        ],
        { section: 'static int toy_wait(struct toy *toy)' },
      ),
      kit,
    );
    expect(change?.backoff.after).toMatchObject({ kind: 'linear', first: us(10), stretch: 1.5 });
  });
});

describe('a counted loop', () => {
  const changes = findChanges(
    patchOf(
      [
        '-\tfor (i = 0; i < 30; i++) {',
        '+\tfor (i = 0; i < 7; i++) {',
        ' \t\tif (toy_is_done(toy))',
        ' \t\t\tbreak;',
        '-\t\tmsleep(4);',
        '+\t\tmsleep(2);',
        ' \t}',
      ],
      { section: 'static int toy_wait(struct toy *toy)' },
    ),
    kit,
  );

  test('has its changed bound as an entry of its own', () => {
    expect(changes.find((c) => c.kind === 'retry-count')).toMatchObject({
      before: { text: 'i < 30', count: 30 },
      after: { text: 'i < 7', count: 7 },
      role: { is: 'retry' },
      inLoop: true,
    });
  });

  test('gives its wait a budget on both sides', () => {
    expect(changes.find((c) => c.kind === 'sleep')).toMatchObject({
      bound: { before: 'count', after: 'count' },
      rounds: { before: 30, after: 7 },
      budget: { before: { min: ms(120), max: ms(120) }, after: { min: ms(14), max: ms(14) } },
    });
  });
});

describe('a wait that stays while its condition goes', () => {
  test('is a guard change that could cost nothing before', () => {
    const [change, ...more] = findChanges(
      patchOf([' \tif (toy->reset) {', ' \t\ttoy_pulse(toy);', '-\t\tmsleep(60);', ' \t}', '+\tmsleep(60);'], {
        section: 'static int toy_probe(struct device *dev)',
      }),
      kit,
    );
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      effect: 'guard',
      before: { span: { min: 0, max: ms(60) } },
      after: { span: { min: ms(60), max: ms(60) } },
      path: { is: 'probe' },
    });
  });
});

describe('a delay outside code', () => {
  test('of a device tree is a constant that probes wait by', () => {
    const lines = [' \t\tregulator-name = "toy";', '+\t\tstartup-delay-us = <7000>;', ' \t};'];
    expect(findChanges(patchOf(lines, { file: 'arch/arm/boot/dts/toy.dts' }), kit)).toMatchObject([
      { effect: 'added', kind: 'constant', after: { span: { min: ms(7), max: ms(7) } }, path: { is: 'probe' } },
    ]);
  });

  test.each([
    ['a clock skew', 'arch/arm/boot/dts/toy.dts', '+\t\ttoy,tx-delay-ns = <2>;'],
    ['an example in a binding', 'Documentation/devicetree/bindings/toy.yaml', '+        startup-delay-us = <7000>;'],
    ['a sleep of a shell script', 'tools/testing/toy.sh', '+\tsleep 5'],
  ])('is not reported where it is %s', (_what, file, line) => {
    expect(findChanges(patchOf([' a', line, ' b'], { file }), kit)).toEqual([]);
  });
});

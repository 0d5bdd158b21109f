import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { read } from '../../src/core/review/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';

const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const parser = await openCParser();
afterAll(() => parser.close());

function mailOf(lines: readonly string[]): Uint8Array {
  const old = lines.filter((line) => !line.startsWith('+')).length;
  const fresh = lines.filter((line) => !line.startsWith('-')).length;
  const names = ['diff --git a/drivers/toy/t.c b/drivers/toy/t.c', '--- a/drivers/toy/t.c', '+++ b/drivers/toy/t.c'];
  const hunk = [`@@ -1,${old} +1,${fresh} @@ int toy(void)`, ...lines];
  const head = ['From: A <a@example.org>', 'Subject: [PATCH] toy: wait', 'Message-ID: <1@example.org>', '', 'x', '---'];
  return Buffer.from([...head, ...names, ...hunk, ''].join('\n'));
}

/** CPU time in seconds to read a mail with this hunk. */
async function costOf(lines: readonly string[]): Promise<number> {
  const bytes = mailOf(lines);
  const before = process.cpuUsage();
  const { changes } = await read(bytes, { parser, catalogue, defaultRules: true });
  expect(changes.length).toBeGreaterThan(0);
  return process.cpuUsage(before).user / 1e6;
}

const long = 'a'.repeat(40_000);
const calls = (sign: string, name: string): string[] =>
  Array.from({ length: 1500 }, (_, n) => `${sign}\tmsleep(${name}${n});`);

const numbered = (text: (n: number) => string): string[] => Array.from({ length: 600 }, (_, n) => text(n));

const hands = (sign: string, name: string): string[] =>
  Array.from({ length: 1500 }, (_, n) => `${sign}\ttoy_wait(toy, ${name}${n}, ${'b'.repeat(200)}, 500);`);

const rows = (sign: string, n: number): string[] =>
  Array.from({ length: 1500 }, (_, i) => `${sign}\t{ ${i}, ${n + i} },`);

// Each took four seconds and more before it was bounded.
test.each<[string, readonly string[]]>([
  ['a condition of one name', [`-\tif (${long})`, `+\tif (b${long})`, ' \t\tmsleep(100);', ' }']],
  ['an argument of one name', [' {', `-\tmsleep(${long});`, `+\tmsleep(b${long});`, ' }']],
  [
    'very many calls that hand a bound on',
    [' int toy(void)', ' {', '-\tmsleep(3);', '+\tmsleep(4);', ...hands('-', 'n'), ...hands('+', 'm'), ' }'],
  ],
  [
    'very many constants that are named anew',
    [
      ...Array.from({ length: 2000 }, (_, n) => `-#define TOY_A${n}_TIMEOUT ${n}`),
      ...Array.from({ length: 2000 }, (_, n) => `+#define TOY_A${n}_TIMEOUT_MS ${n}`),
      ' int toy(void)',
      ' {',
      '-\tmsleep(1);',
      '+\tmsleep(2);',
      ' }',
    ],
  ],
  [
    'very many calls of a new helper',
    [
      '+void toy_nap(int ms)',
      '+{',
      '+\tmsleep(ms);',
      '+}',
      ' int toy(void)',
      ' {',
      ...calls('-', '1').slice(0, 700),
      ...Array.from({ length: 700 }, (_, n) => `+\ttoy_nap(1${n});`),
      ' }',
    ],
  ],
  [
    'very many rows of a table',
    [
      ' struct toy_row { int reg; int delay_ms; };',
      '-#define TOY_DELAY_MS 3',
      '+#define TOY_DELAY_MS 4',
      ' static const struct toy_row toy_rows[] = {',
      ...rows('-', 1),
      ...rows('+', 2),
      ' };',
    ],
  ],
  [
    'very many deadlines, each with a loop that it ends',
    [
      ' int toy(void)',
      ' {',
      ...numbered((n) => `+\tend${n} = jiffies + HZ;`),
      ...numbered((n) => `+\twhile (time_before(jiffies, end${n})) cpu_relax();`),
      ' }',
    ],
  ],
  ['very many waits in one function', [' int toy(void)', ' {', ...calls('-', 'n'), ...calls('+', 'm'), ' }']],
])('the time to read %s is bounded', async (_what, lines) => {
  await costOf([' {', '-\tmsleep(1);', '+\tmsleep(2);', ' }']);
  expect(await costOf(lines)).toBeLessThan(3.5);
});

test('a file of very many hunks is read, each with the open loops of the one before', async () => {
  const hunk = (n: number): string[] => [
    `@@ -${n * 10},2 +${n * 10},2 @@ int toy(void)`,
    ' \tif (toy_busy(toy)) {',
    `-\t\ttoy->mode = toy_mode(${n});`,
    `+\t\ttoy->mode = toy_mode(${n} + 1);`,
  ];
  const last = [
    '@@ -900000,3 +900000,3 @@ int toy(void)',
    ' \twhile (toy_busy(toy))',
    '-\t\tmsleep(1);',
    '+\t\tmsleep(2);',
  ];
  const names = ['diff --git a/drivers/toy/t.c b/drivers/toy/t.c', '--- a/drivers/toy/t.c', '+++ b/drivers/toy/t.c'];
  const head = ['From: A <a@example.org>', 'Subject: [PATCH] toy: wait', 'Message-ID: <1@example.org>', '', 'x', '---'];
  const hunks = Array.from({ length: 4000 }, (_, n) => hunk(n + 1)).flat();
  const bytes = Buffer.from([...head, ...names, ...hunks, ...last, ' }', ''].join('\n'));
  const { changes } = await read(bytes, { parser, catalogue, defaultRules: true });
  expect(changes.some((change) => change.after?.text === 'msleep(2)')).toBe(true);
});

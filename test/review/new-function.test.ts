import { beforeAll, describe, expect, test } from 'vitest';
import { read, type Kit } from '../../src/core/review/index.js';
import { openKit } from '../../src/shell/config/index.js';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit();
});

async function changesOf(lines: readonly string[]): Promise<(boolean | undefined)[]> {
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign) || line.startsWith(' ')).length;
  const mail = [
    'From: Ada <ada@example.org>',
    'Subject: [PATCH] toy: reset it',
    'Message-ID: <new@example.org>',
    '',
    'Words.',
    '',
    'Signed-off-by: Ada <ada@example.org>',
    '---',
    'diff --git a/drivers/toy/toy.c b/drivers/toy/toy.c',
    '--- a/drivers/toy/toy.c',
    '+++ b/drivers/toy/toy.c',
    `@@ -10,${count('-')} +10,${count('+')} @@ static int toy_open(struct toy *t)`,
    ...lines,
    '-- ',
    '2.40',
    '',
  ].join('\n');
  const { changes } = await read(new TextEncoder().encode(mail), kit);
  return changes.map((change) => change.inNewFunction);
}

describe('an added wait', () => {
  test('in a function that the patch adds is marked, one in an old function is not', async () => {
    const added = [
      ' ',
      '+static int toy_reset(struct toy *t)',
      '+{',
      '+\ttoy_write(t, 1);',
      '+\tmsleep(100);',
      '+\treturn 0;',
      '+}',
      '+',
      ' ',
    ];
    expect(await changesOf(added)).toEqual([true]);
    const old = [
      ' static int toy_reset(struct toy *t)',
      ' {',
      ' \ttoy_write(t, 1);',
      '+\tmsleep(100);',
      ' \treturn 0;',
      ' }',
    ];
    expect(await changesOf(old)).toEqual([undefined]);
  });

  test('in an old function whose head is changed is not marked', async () => {
    const renamed = [
      '-int toy_reset(struct toy *t)',
      '+static int toy_reset(struct toy *t)',
      ' {',
      ' \ttoy_write(t, 1);',
      '+\tmsleep(100);',
      ' \treturn 0;',
      ' }',
    ];
    expect(await changesOf(renamed)).toEqual([undefined]);
  });

  test('under a condition that the patch adds is marked, one under an old condition is not', async () => {
    const quirk = [
      ' \ttoy_write(t, 1);',
      '+\tif (toy_is_slow(t)) {',
      '+\t\ttoy_write(t, 2);',
      '+\t\tmsleep(500);',
      '+\t}',
      ' \treturn 0;',
    ];
    expect(await changesOf(quirk)).toEqual([true]);
    const bare = [' \ttoy_write(t, 1);', '+\tif (toy_is_slow(t))', '+\t\tmsleep(500);', ' \treturn 0;'];
    expect(await changesOf(bare)).toEqual([true]);
    const old = [' \tif (toy_is_slow(t)) {', ' \t\ttoy_write(t, 2);', '+\t\tmsleep(500);', ' \t}', ' \treturn 0;'];
    expect(await changesOf(old)).toEqual([undefined]);
    const behind = ['+\tif (toy_is_slow(t))', '+\t\ttoy_write(t, 2);', '+\tmsleep(500);', ' \treturn 0;'];
    expect(await changesOf(behind)).toEqual([undefined]);
  });
});

import { describe, expect, test } from 'vitest';
import { read, review, plainKnowledge, type Reading } from '../../src/core/review/index.js';
import { openKit } from '../../src/shell/config/index.js';

const kit = openKit();

function mail(n: number, lines: readonly string[]): string {
  const old = lines.filter((line) => !line.startsWith('+')).length;
  const now = lines.filter((line) => !line.startsWith('-')).length;
  return `From: Ada Example <ada@example.org>
Subject: [PATCH ${n}/2] misc: gizmo: part ${n}
Message-ID: <${n}@example.org>

The gizmo needs a moment.
It has none.

Signed-off-by: Ada Example <ada@example.org>
---
diff --git a/drivers/misc/gizmo.c b/drivers/misc/gizmo.c
--- a/drivers/misc/gizmo.c
+++ b/drivers/misc/gizmo.c
@@ -10,${old} +10,${now} @@ static int gizmo_start(struct gizmo *gz)
${lines.join('\n')}
`;
}

async function reading(n: number, lines: readonly string[]): Promise<Reading> {
  return read(Buffer.from(mail(n, lines)), await kit);
}

function heldBy(about: Reading, later: readonly Reading[]): unknown {
  const knowledge = plainKnowledge({ program: '0', catalogue: '0' }, []);
  const { findings } = review({ about, source: { path: '' }, earlier: [], later }, knowledge, 1);
  return findings.find(({ rule }) => rule === 'usleep-range-without-range')?.heldBy;
}

describe('a nit about an added line', () => {
  const added = [' \tint ret;', '+\tusleep_range(50, 50);', ' \treturn ret;'];

  test('is settled by a later patch of the series that takes the line away', async () => {
    const first = await reading(1, added);
    const mended = await reading(2, [
      ' \tint ret;',
      '-\tusleep_range(50, 50);',
      '+\tusleep_range(50, 80);',
      ' \treturn ret;',
    ]);
    expect(mended.removed?.length).toBe(1);
    expect(heldBy(first, [mended])).toBe('settled by a later patch');
  });

  test('stays where the later patches leave the line alone', async () => {
    const first = await reading(1, added);
    const other = await reading(2, [' \tint ret;', '-\tusleep_range(60, 60);', ' \treturn ret;']);
    expect(heldBy(first, [other])).not.toBe('settled by a later patch');
    expect(heldBy(first, [])).toBe(heldBy(first, [other]));
  });
});

describe('a long series', () => {
  const first = mail(1, [' \tint ret;', '-\tret = 0;', '+\tret = 1;', ' \treturn ret;']).replace('1/2]', '1/7]');
  const knowledge = { ...plainKnowledge({ program: '0', catalogue: '0' }, []), allFindings: true };

  test.each([
    [false, 1],
    [true, 0],
  ])('is asked for a cover letter where none has come, threaded or not: %s', async (hasCover, count) => {
    const about = await read(Buffer.from(first), await kit);
    const { findings } = review({ about, source: { path: '' }, earlier: [], hasCover }, knowledge, 1);
    expect(findings.filter(({ rule }) => rule === 'missing-cover-letter')).toHaveLength(count);
  });
});

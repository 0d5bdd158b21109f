import { describe, expect, test } from 'vitest';
import { parsePatches } from '../../src/core/patch/index.js';
import { mailOf } from '../support/mail-text.js';

const hunk = ['@@ -10,3 +10,3 @@ static int toy_wait(void)', ' 	a();', '-	msleep(30);', '+	msleep(3);', ' 	b();'];
const file = [
  'diff --git a/drivers/toy.c b/drivers/toy.c',
  'index 1111111..2222222 100644',
  '--- a/drivers/toy.c',
  '+++ b/drivers/toy.c',
];
const body = [
  'From: Bob Example <bob@example.org>',
  '',
  'Thirty is too long.',
  '',
  'Signed-off-by: Bob Example <bob@example.org>',
  '---',
  'v2: shorter',
  ' drivers/toy.c | 2 +-',
  ' 1 file changed, 1 insertion(+), 1 deletion(-)',
  '',
  ...file,
  ...hunk,
  '-- ',
  '2.39.5',
  '',
];

describe('the text of a patch mail', () => {
  test('comes apart into author, log, trailers, notes, files and numbered lines', () => {
    const { patches, problems } = parsePatches(
      mailOf(body.join('\n'), { subject: '[PATCH v2 1/2] clk: toy: wait less' }),
    );
    expect(problems).toEqual([]);
    expect(patches).toEqual([
      {
        title: 'clk: toy: wait less',
        prefix: 'PATCH v2 1/2',
        tags: [],
        version: 2,
        index: 1,
        total: 2,
        author: { name: 'Bob Example', address: 'bob@example.org' },
        log: { lines: ['Thirty is too long.', '', 'Signed-off-by: Bob Example <bob@example.org>'], mailLine: 3 },
        trailers: [
          {
            key: 'Signed-off-by',
            value: 'Bob Example <bob@example.org>',
            text: 'Signed-off-by: Bob Example <bob@example.org>',
            mailLine: 5,
          },
        ],
        notes: {
          lines: ['v2: shorter', ' drivers/toy.c | 2 +-', ' 1 file changed, 1 insertion(+), 1 deletion(-)'],
          mailLine: 7,
        },
        files: [
          {
            path: 'drivers/toy.c',
            status: 'modified',
            oldMode: '100644',
            newMode: '100644',
            binary: false,
            added: 1,
            removed: 1,
            mailLine: 11,
            hunks: [
              {
                oldStart: 10,
                oldCount: 3,
                newStart: 10,
                newCount: 3,
                section: 'static int toy_wait(void)',
                mailLine: 15,
                lines: [
                  { kind: 'context', text: '	a();', oldNumber: 10, newNumber: 10, mailLine: 16 },
                  { kind: 'removed', text: '	msleep(30);', oldNumber: 11, mailLine: 17 },
                  { kind: 'added', text: '	msleep(3);', newNumber: 11, mailLine: 18 },
                  { kind: 'context', text: '	b();', oldNumber: 12, newNumber: 12, mailLine: 19 },
                ],
              },
            ],
          },
        ],
        problems: [],
      },
    ]);
  });

  test('a quoted diff in a reply is no patch', () => {
    const text = ['On Monday Bob wrote:', ...body.map((line) => `> ${line}`), '', 'Why?'].join('\n');
    expect(parsePatches(mailOf(text, { subject: 'Re: [PATCH] clk: toy: wait less' }))).toEqual({
      patches: [],
      problems: [],
    });
  });

  test('a diff in the log that does not close is text', () => {
    const text = ['It fails like', '', ...file, '@@ -1,9 +1,9 @@', ' x', '', 'see?', '---', ...file, ...hunk].join(
      '\n',
    );
    const { patches } = parsePatches(mailOf(text));
    expect(patches).toHaveLength(1);
    expect(patches[0]?.log.lines.at(-1)).toBe('see?');
    expect(patches[0]?.files).toHaveLength(1);
  });
});

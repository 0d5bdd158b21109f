import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribution } from '../../src/core/reply/attribution.js';
import { replyWidth, table, wrap } from '../../src/core/reply/wrap.js';
import { parseMessage } from '../../src/core/mail/index.js';

describe('lines of a reply', () => {
  test('no line of our own text is longer than 72 columns, and no word is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,30}$/)), (words) => {
        const lines = wrap(words.join(' '));
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(replyWidth);
      }),
    );
  });

  test('columns of a table stand under each other', () => {
    expect(
      table([
        ['ready', 'saved'],
        ['1 ms', '200'],
      ]),
    ).toEqual(['  ready  saved', '  1 ms   200']);
  });

  test("the attribution has the author's name and clock", async () => {
    const mail = 'From: Ada Lindqvist <ada@example.org>\nDate: Tue, 5 Nov 2019 22:12:40 +0100\nSubject: x\n\nbody\n';
    const [line] = attribution(await parseMessage(Buffer.from(mail)));
    expect(line).toBe('On Tue, Nov 05, 2019 at 10:12:40PM +0100, Ada Lindqvist wrote:');
  });

  test('a name cannot bring a line of its own', async () => {
    const mail = 'From: =?utf-8?Q?Ada=0A=0AEvil?= <ada@example.org>\nSubject: x\n\nbody\n';
    const lines = attribution(await parseMessage(Buffer.from(mail)));
    expect(lines.join('|')).not.toContain('\n');
  });
});

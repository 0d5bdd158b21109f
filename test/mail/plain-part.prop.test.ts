import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../src/core/mail/index.js';

const head = 'From: Ada <ada@example.org>\nSubject: x\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n';

/** The text as the MIME library gives it: the same part, alone in a multipart. */
async function byLibrary(part: string, body: string): Promise<string> {
  const mail = `${head}Content-Type: multipart/mixed; boundary="b-0"\n\n--b-0\n${part}\n${body}\n--b-0--\n`;
  return (await parseMessage(Buffer.from(mail))).text;
}

async function atOnce(part: string, body: string): Promise<string> {
  return (await parseMessage(Buffer.from(`${head}${part}\n${body}`))).text;
}

const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-- ',
    '>From x',
    '+\tmsleep(20);',
    '--b-1',
    '=20',
    'a=3D',
    '\u00e4\u20ac\u{1f600}',
    '.',
    '\tx ',
  ),
  fc.string({ maxLength: 60 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const body = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('a mail of one plain part is read as the MIME library reads the part', () => {
  const types = [
    'Content-Type: text/plain; charset=utf-8\n',
    'Content-Type: TEXT/PLAIN; charset="UTF-8"; format=fixed\n',
  ];
  const encodings = ['', 'Content-Transfer-Encoding: 8bit\n', 'Content-Transfer-Encoding: 7BIT\n'];
  test.each(types.flatMap((type) => encodings.map((encoding) => `${type}${encoding}`)))('%s', async (part) => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        expect((await atOnce(part, text)).trimEnd()).toBe((await byLibrary(part, text)).trimEnd());
      }),
      { numRuns: 60 },
    );
  });

  test('in base64, in lines of any length', async () => {
    const part = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n';
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 76 }), async (text, width) => {
        const encoded = (
          Buffer.from(text)
            .toString('base64')
            .match(new RegExp(`.{1,${width}}`, 'g')) ?? []
        ).join('\n');
        expect((await atOnce(part, encoded)).trimEnd()).toBe((await byLibrary(part, encoded)).trimEnd());
      }),
      { numRuns: 100 },
    );
  });
});

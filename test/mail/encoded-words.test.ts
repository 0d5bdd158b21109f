import { describe, expect, test } from 'vitest';
import { decodeWords } from '../../src/core/mail/index.js';

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('encoded words', () => {
  test.each([
    ['=?UTF-8?Q?J=C3=B6rg_Weld?= <joerg@example.org>', 'Jörg Weld <joerg@example.org>'],
    ['=?iso-8859-1?q?Andr=E9?= and =?ISO-8859-1?Q?Zo=EB?=', 'André and Zoë'],
    ['=?utf-8?b?w4Vzdw==?=', 'Åsw'],
    ['=?UTF-8*de?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?us-ascii?Q?a=b_c?=', 'a=b c'],
    ['=?utf-8?q?=e2=82=ac?=', '€'],
    ['[PATCH] toy: =?UTF-8?Q?wait_5_?= =?UTF-8?B?wrVz?=', '[PATCH] toy: wait 5 µs'],
  ])('%s is read', (text, read) => {
    expect(decodeWords(text)).toBe(read);
  });

  test('blanks between two words go, blanks beside text stay', () => {
    expect(decodeWords('=?utf-8?q?a?= \t =?utf-8?q?b?= c')).toBe('ab c');
    expect(decodeWords('=?utf-8?q?a?= c =?utf-8?q?b?=')).toBe('a c b');
  });

  test('a character that two words share is put together', () => {
    const bytes = Buffer.from('小林');
    expect(decodeWords(`=?utf-8?b?${b64(bytes.subarray(0, 4))}?= =?UTF-8?B?${b64(bytes.subarray(4))}?=`)).toBe('小林');
    expect(decodeWords('=?utf-8?q?=e5=b0?= =?utf-8?q?=8f?=')).toBe('小');
  });

  test('words of ISO 2022, which each shift back, are read one by one', () => {
    const word = `=?ISO-2022-JP?B?${b64(Buffer.from('\u001b$B>.\u001b(B', 'latin1'))}?=`;
    expect(decodeWords(`${word} ${word}`)).toBe('小小');
  });

  test('what is no encoded word stays', () => {
    for (const text of ['a =? b', '=?utf-8?x?abc?=', '=?utf-8?q?abc', 'a?=b', '=??q?a?='])
      expect(decodeWords(text)).toBe(text);
  });

  test('a charset that nobody knows gives a text all the same', () => {
    expect(decodeWords('=?x-nothing?q?plain?=')).toBe('plain');
  });

  test('hostile words cost no more than their length', () => {
    for (const piece of ['=?', '=?a?q?', '=?a?q??=', '=?a?q?=3', '=?a?b?====?= ']) {
      const began = performance.now();
      decodeWords(piece.repeat(40_000));
      expect(performance.now() - began).toBeLessThan(2000);
    }
  });
});

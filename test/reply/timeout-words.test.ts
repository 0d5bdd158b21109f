import { describe, expect, test } from 'vitest';
import { ms } from '../../src/core/kernel/index.js';
import { timeoutWords } from '../../src/core/reply/estimate-words.js';

describe('what a reply says of a limit', () => {
  test('a changed one is told with both', () => {
    expect(timeoutWords(ms(500), ms(100))).toBe(
      'Predicted: nothing while the device answers. If it never does, it gives up after about 100 ms, not 500 ms.',
    );
  });

  test('a new or a dropped one is not compared with a limit of nothing', () => {
    expect(timeoutWords(0, ms(200))).toContain('the new wait gives up after about 200 ms.');
    expect(timeoutWords(ms(200), 0)).toContain('gave up after about 200 ms is gone.');
    for (const text of [timeoutWords(0, ms(200)), timeoutWords(ms(200), 0)]) expect(text).not.toMatch(/not |\b0 /);
  });
});

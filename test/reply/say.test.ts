import { describe, expect, test } from 'vitest';
import { ms, seconds, us } from '../../src/core/kernel/index.js';
import { sayCount, sayMeasured, sayNumber, sayPredicted, sayPredictedIn } from '../../src/core/reply/say.js';

describe('times in a reply', () => {
  test('a predicted range shows as many figures as its width deserves', () => {
    expect(sayPredicted({ min: ms(197.2), max: ms(201.4) })).toBe('197-202 ms');
    expect(sayPredicted({ min: ms(2.61), max: ms(135.2) })).toBe('2.6-140 ms');
    expect(sayPredicted({ min: us(12.1), max: us(26.4) })).toBe('12-27 us');
    expect(sayPredicted({ min: seconds(5.072), max: seconds(5.076) })).toBe('about 5076 ms');
  });

  test('a prediction without a range has two figures and says about', () => {
    expect(sayPredicted({ min: ms(100.4), max: ms(100.4) })).toBe('about 100 ms');
    expect(sayPredicted({ min: us(7.3), max: us(7.3) })).toBe('about 7.3 us');
  });

  test('a table cell has no unit of its own', () => {
    expect(sayPredictedIn({ min: ms(212), max: ms(216) }, 'ms')).toBe('212-216');
    expect(sayPredictedIn({ min: ms(100), max: ms(100) }, 'ms')).toBe('~100');
  });

  test('a measured time keeps what was logged', () => {
    expect(sayMeasured(ms(200.341))).toBe('200.3 ms');
    expect(sayMeasured(ms(6.047))).toBe('6.047 ms');
    expect(sayMeasured(us(31))).toBe('31.0 us');
  });

  test('counts are rounded to two figures, small ones are words in prose', () => {
    expect(sayCount(81_234)).toBe('81,000');
    expect(sayCount(48)).toBe('48');
    expect(sayNumber(3)).toBe('three');
    expect(sayNumber(40)).toBe('40');
  });
});

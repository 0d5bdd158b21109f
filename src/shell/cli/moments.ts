import { Failure, parsePeriod } from '../config/index.js';

const weeks = /^(\d{1,4}) ?(w|weeks?|days?|hours?|months?)$/;
const sizes: Readonly<Record<string, string>> = { w: '7', week: '7', month: '30', day: '1', hour: '1' };

/** `7d`, `12h`, `4w`, or a day such as `2026-11-30`: the moment from which on something counts, before `now`. */
export function momentBefore(option: string, text: string, now: number): number {
  const date = dateOf(text);
  if (date !== undefined) return date;
  const named = weeks.exec(text.trim());
  const unit = (named?.[2] ?? '').replace(/(.)s$/, '$1');
  const words = named === null ? text : `${Number(named[1]) * Number(sizes[unit] ?? 1)} ${unit === 'hour' ? 'h' : 'd'}`;
  const span = parsePeriod(words);
  if (span === undefined || span === 0) {
    throw new Failure('usage', `${option} ${text}: not a time; write it as 7d, 12h, 4w or 2026-11-30`);
  }
  return now - span;
}

/** A day (its beginning in UTC) or a moment in ISO 8601; undefined for anything else. */
export function dateOf(text: string): number | undefined {
  const form = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text.trim());
  if (form === null) return undefined;
  const whole = text.trim().replace(' ', 'T');
  const zoned = whole.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(whole.slice(10)) ? whole : `${whole}Z`;
  const at = Date.parse(zoned);
  return Number.isNaN(at) ? undefined : at;
}

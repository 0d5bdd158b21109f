import type { Period } from '../../core/review/index.js';

const units: Readonly<Record<string, number>> = { s: 1e3, min: 60e3, h: 3600e3, d: 86_400e3 };

/** `20 min`, `2h`, `0s`: a stretch of calendar time with its unit; undefined for anything else. */
export function parsePeriod(text: string): Period | undefined {
  const found = /^(\d{1,6}(?:\.\d{1,3})?) ?(s|min|h|d)$/.exec(text.trim());
  const unit = units[found?.[2] ?? ''];
  return found === null || unit === undefined ? undefined : Math.round(Number(found[1]) * unit);
}

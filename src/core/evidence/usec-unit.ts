import type { Ns } from '../kernel/index.js';

export type UsecUnit = { readonly unitNs: 1000 | 1024; readonly by: string };

/** A field "after N usecs" with the time between the stamps of its `calling` and `initcall` lines. */
export type FieldAndStamps = { readonly logged: number; readonly between: Ns };

const leastField = 1500;

/**
 * What one logged "usec" is. Up to v5.17 initcall lines print nanoseconds >> 10 (init/main.c; ktime_us_delta since
 * v5.18, commit 105e8c2e4778): the stamps then differ by 1.024 times the field.
 */
export function unitFromStamps(pairs: readonly FieldAndStamps[]): UsecUnit | undefined {
  let old = 0;
  let recent = 0;
  let best: FieldAndStamps | undefined;
  for (const pair of pairs) {
    if (pair.logged < leastField) continue;
    const over1000 = pair.between / 1e3 - pair.logged;
    const over1024 = pair.between / 1e3 - pair.logged * 1.024;
    const allowance = 12 + pair.logged * 0.004;
    if (over1024 >= -2 && over1024 <= allowance) old += 1;
    else if (over1000 >= -2 && over1000 <= allowance) recent += 1;
    else continue;
    if (best === undefined || pair.logged > best.logged) best = pair;
  }
  if (best === undefined || old === recent) return undefined;
  const unitNs = old > recent ? 1024 : 1000;
  const ratio = best.between / 1e3 / best.logged;
  return { unitNs, by: `the time stamps of ${String(best.logged)} "usecs" are ${ratio.toFixed(4)} times that apart` };
}

/** The unit by the kernel's own version; nothing for a text that is none. */
export function unitFromRelease(release: string | undefined): UsecUnit | undefined {
  const m = /^(\d{1,3})\.(\d{1,3})/.exec(release ?? '');
  if (!m) return undefined;
  const old = Number(m[1]) < 5 || (Number(m[1]) === 5 && Number(m[2]) < 18);
  return { unitNs: old ? 1024 : 1000, by: `Linux ${String(release)} prints ${old ? '1024-ns units' : 'microseconds'}` };
}

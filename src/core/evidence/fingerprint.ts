import type { BootLog, Fingerprint, Initcall } from './evidence.js';

const ticks = [100, 250, 300, 1000] as const;
const least = 4;
const share = 0.9;

/**
 * HZ and the unit of "usecs" from the initcalls before the high-resolution clock source: their fields are whole ticks
 * (kernel/time/jiffies.c; 3906 is 4 ms in units of 1024 ns, up to v5.17). The largest tick that explains nine tenths.
 */
export function fingerprint(log: Pick<BootLog, 'initcalls' | 'milestones'>): Fingerprint {
  const switched = log.milestones.find((m) => m.name === 'clocksource')?.at;
  const early = log.initcalls.filter((c) => c.kind === 'initcall' && isEarly(c, switched) && c.logged > 0);
  const values = early.map((c) => c.logged);
  if (values.length < least || switched === undefined)
    return { explained: 0, of: switched === undefined ? 0 : values.length };
  let best: Fingerprint = { explained: 0, of: values.length };
  for (const hz of ticks) {
    for (const unitNs of [1000, 1024] as const) {
      const explained = values.filter((v) => isWholeTicks(v, hz, unitNs)).length;
      if (explained >= share * values.length && best.hz === undefined)
        best = { hz, unitNs, explained, of: values.length };
      if (best.hz === hz && explained > best.explained) best = { hz, unitNs, explained, of: values.length };
    }
  }
  return best;
}

/** True before the switch to the clock source: the field counts ticks and measures nothing. */
export function isEarly(call: Pick<Initcall, 'at'>, switched: number | undefined): boolean {
  return switched !== undefined && call.at !== undefined && call.at <= switched;
}

/** `logged` is a whole number of ticks, in units of `unitNs`, give or take rounding. */
export function isWholeTicks(logged: number, hz: number, unitNs: 1000 | 1024): boolean {
  const tick = 1e9 / hz / unitNs;
  const rounds = Math.round(logged / tick);
  return rounds >= 1 && Math.abs(logged - rounds * tick) <= 1.01;
}

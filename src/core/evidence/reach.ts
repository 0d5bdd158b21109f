import type { DelayChange, Wait } from '../delay/index.js';
import {
  formatLogged,
  boundsOf,
  eras,
  mechanismOf,
  parseCall,
  pollMin,
  quietMachine,
  usualHz,
  versionOf,
  type Ns,
} from '../kernel/index.js';
import type { Measurement } from './evidence.js';

type Least = { readonly time: Ns; readonly text: string };

/**
 * Could these runs have met the changed wait at all? A run without the patch that is shorter than one such wait never slept
 * there, so it says nothing about the patch. Judged over the longest interval of the mail.
 */
export function judgeReach(
  measurements: readonly Measurement[],
  changes: readonly DelayChange[],
  hz?: number,
): Measurement[] {
  const least = leastWait(changes, hz);
  if (least === undefined) return [...measurements];
  const reaching = measurements.some((m) => m.before.length > 0 && Math.max(...m.before) >= least.time);
  return measurements.map((m) => {
    if (m.before.length === 0) return m;
    const longest = Math.max(...m.before);
    if (longest < least.time) {
      const short = `no run before is as long as one ${least.text} (at least ${formatLogged(least.time)}, longest run ${formatLogged(longest)})`;
      if (reaching) return { ...m, reachedBy: `${short}: the wait is outside of this interval` };
      return { ...m, reached: 'no', reachedBy: `${short}: that sleep never ran in them` };
    }
    const shortest = Math.min(...m.before);
    const saved = m.saved ?? 0;
    if (shortest >= least.time && saved >= least.time / 2) {
      return {
        ...m,
        reached: 'yes',
        reachedBy: `every run before is longer than one ${least.text}, and ${formatLogged(saved)} went`,
      };
    }
    return { ...m, reachedBy: `long enough for one ${least.text}, which does not prove that it ran` };
  });
}

/** The shortest that any changed wait can be on the side before, on the kernel of the logs or, if they do not tell, on any. */
function leastWait(changes: readonly DelayChange[], hz: number | undefined): Least | undefined {
  let least: Least | undefined;
  for (const change of changes) {
    if (change.before?.span === undefined || change.kind === 'poll-timeout' || change.kind === 'retry-count') continue;
    const time = leastOf(change.before, hz);
    if (time > 0 && (least === undefined || time < least.time)) least = { time, text: change.before.text };
  }
  return least;
}

/** By the kernel's own rules: msleep(100) is never under 100 ms, a poll macro may sleep a quarter of its interval. */
function leastOf(wait: Wait, hz: number | undefined): Ns {
  const nominal = wait.span?.min ?? 0;
  const polls = /poll/.test(wait.api ?? '');
  const call = parseCall(wait.text);
  if (!call.ok) return polls ? Math.min(nominal, pollMin(nominal)) : nominal;
  let least = Infinity;
  for (const rate of hz === undefined ? usualHz : [hz]) {
    for (const era of eras) {
      const machine = quietMachine(rate, versionOf(era));
      const mechanism = mechanismOf(call.value, machine);
      least = Math.min(least, Math.round(boundsOf(mechanism, machine).min));
    }
  }
  return Number.isFinite(least) ? least : nominal;
}

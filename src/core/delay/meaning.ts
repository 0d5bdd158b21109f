import type { Judged, Role } from './change.js';
import { canLeave } from './loop.js';
import type { Site } from './site.js';
import { isTimeoutName, wordsOf } from './words.js';

/** What a wait is for, with the rule that says so. */
export function roleOf(site: Site, name?: string): Judged<Role> {
  switch (site.kind) {
    case 'poll-interval':
      return { is: 'poll-interval', by: 'interval argument of a polling call', sure: 0.95 };
    case 'poll-timeout':
      return { is: 'timeout', by: 'upper bound of a wait', sure: 0.9 };
    case 'retry-count':
      return { is: 'retry', by: 'bound of a counted loop', sure: 0.9 };
    case 'delayed-work':
      return workRole(site);
    case 'constant':
      return constantRole(name ?? site.target ?? site.wait.text);
    case 'sleep':
    case 'busy':
      return sleepRole(site);
    default:
      return site.kind satisfies never;
  }
}

function sleepRole(site: Site): Judged<Role> {
  const loop = site.place.loops.at(-1);
  if (loop === undefined) {
    const back = goesBack(site);
    if (back !== undefined)
      return /retry|again|redo/.test(back)
        ? { is: 'retry', by: `goes back to ${back}`, sure: 0.6 }
        : { is: 'poll-interval', by: `goes back to ${back}`, sure: 0.6 };
    const words = wordsOf(site.place.function ?? '');
    if (words.some((w) => /^(?:poll|polling|backoff)$/.test(w)) || /wait_for_/.test(site.place.function ?? ''))
      return { is: 'poll-interval', by: 'function named for polling', sure: 0.6 };
    if (site.place.function !== undefined && /retry/i.test(site.place.function))
      return { is: 'retry', by: 'function named for retrying', sure: 0.5 };
    return { is: 'settle', by: 'one wait outside any loop', sure: 0.8 };
  }
  if (/kthread_should_stop|freezing/.test(loop.head))
    return { is: 'periodic', by: 'loop of a kernel thread', sure: 0.9 };
  if (loop.loop === 'each') return { is: 'settle', by: 'once for each thing of a list', sure: 0.7 };
  if (loop.loop === 'while' || loop.loop === 'do')
    return { is: 'poll-interval', by: 'wait in a conditional loop', sure: 0.8 };
  if (canLeave(site.side, loop))
    return { is: 'poll-interval', by: 'wait in a loop that ends when something is ready', sure: 0.85 };
  if (loop.cut === true) return { is: 'poll-interval', by: 'wait in a loop of which the head is not shown', sure: 0.5 };
  const test = loop.head.split(';')[1] ?? '';
  if (/&&|\(/.test(test)) return { is: 'poll-interval', by: 'loop condition asks something', sure: 0.7 };
  return { is: 'settle', by: 'counted loop without a way out', sure: 0.6 };
}

/** A loop made with goto: the label that the code behind the wait jumps back to. */
function goesBack(site: Site): string | undefined {
  const tokens = site.side.fragment.tokens;
  const from = tokens.findIndex((t) => t.start >= site.offset);
  for (let i = from; i >= 0 && i < Math.min(tokens.length, from + 60); i++) {
    const label = tokens[i]?.text === 'goto' ? tokens[i + 1]?.text : undefined;
    if (label === undefined || !/again|retry|repeat|restart|loop|poll|wait|redo/i.test(label)) continue;
    const isBelow = tokens.some((t, n) => n > i && t.text === label && tokens[n + 1]?.text === ':');
    if (!isBelow) return label;
  }
  return undefined;
}

function workRole(site: Site): Judged<Role> {
  const words = wordsOf(site.place.function ?? '');
  if (words.some((w) => /^(?:work|task|worker|timer|poll|tick|handler|fn|func|watchdog|monitor)$/.test(w)))
    return { is: 'periodic', by: 'armed again by its own handler', sure: 0.7 };
  if (/timeout/i.test(site.wait.text)) return { is: 'timeout', by: 'named for a timeout', sure: 0.7 };
  return { is: 'periodic', by: 'armed work', sure: 0.5 };
}

/** A constant's role by its name, where no use in the patch tells more. */
export function constantRole(name: string): Judged<Role> {
  const words = wordsOf(name);
  const some = (pattern: RegExp): boolean => words.some((w) => pattern.test(w));
  if (some(/autosuspend/)) return { is: 'autosuspend', by: 'named for autosuspend', sure: 0.9 };
  if (isTimeoutName(name)) return { is: 'timeout', by: 'named for a timeout', sure: 0.8 };
  if (some(/^(?:poll|polling|check|interval|backoff)$/))
    return { is: 'poll-interval', by: 'named for a poll', sure: 0.7 };
  if (some(/^(?:period|periodic)$/)) return { is: 'periodic', by: 'named for a period', sure: 0.7 };
  if (some(/^(?:max)$/) && some(/^(?:wait)$/)) return { is: 'timeout', by: 'named for the longest wait', sure: 0.7 };
  if (some(/^(?:retry|retries|tries|attempts)$/)) return { is: 'retry', by: 'named for tries', sure: 0.7 };
  if (some(/^(?:wait)$/)) return { is: 'timeout', by: 'named for a wait', sure: 0.5 };
  return { is: 'settle', by: 'named for a delay', sure: 0.5 };
}

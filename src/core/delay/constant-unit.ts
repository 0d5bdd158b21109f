import type { ArgumentUnit } from './catalogue.js';
import type { Site } from './site.js';

/** A wait that stands on this name, whether or not its value is known. */
export function usesName(site: Site, name: string): boolean {
  return site.via.includes(name) || site.wait.unknown.includes(name);
}

/** The unit of a constant by a wait that uses it: the argument's, or what it is multiplied into it by. */
export function unitByUse(user: Site, name: string): ArgumentUnit | undefined {
  const whole = user.call?.args.join(', ') ?? user.wait.text;
  const conversion = new RegExp(`\\b([mun]?)secs_to_jiffies\\s*\\([^)]*\\b${name}\\b`).exec(whole)?.[1];
  if (conversion !== undefined)
    return conversion === 'm' ? 'ms' : conversion === 'u' ? 'us' : conversion === 'n' ? 'ns' : 's';
  // Multiplied or divided on its way, the number is in another unit than the argument.
  const scaled = new RegExp(`\\b${name}\\b\\s*\\)?\\s*[*/]|[*/]\\s*\\(?\\s*\\b${name}\\b`).exec(whole);
  if (scaled !== null) {
    const scale = new RegExp(`\\b${name}\\b\\s*\\*\\s*(\\w+)|(\\w+)\\s*\\*\\s*\\b${name}\\b`).exec(whole);
    return unitScaled(scale?.[1] ?? scale?.[2], user);
  }
  if (user.source === 'assign') return /\bjiffies\b/.test(whole) ? 'jiffies' : undefined;
  return user.kind === 'poll-timeout' ? user.entry?.limit?.unit : (user.entry?.span?.unit ?? user.unit);
}

function unitScaled(factor: string | undefined, user: Site): ArgumentUnit | undefined {
  if (factor === 'HZ' || factor === 'hz') return 's';
  const unit = user.kind === 'poll-timeout' ? user.entry?.limit?.unit : user.entry?.span?.unit;
  if (/^(?:1000|USEC_PER_MSEC)$/.test(factor ?? '') && unit === 'us') return 'ms';
  if (/^(?:1000|MSEC_PER_SEC)$/.test(factor ?? '') && unit === 'ms') return 's';
  if (/^(?:1000000|USEC_PER_SEC)$/.test(factor ?? '') && unit === 'us') return 's';
  return undefined;
}

import { ms, us, type Call } from '../../../src/core/kernel/index.js';

/** The bench's own names for calls, as its README and table have them; wheel calls other than schedule_timeout take milliseconds. */
export function callOf(api: string, arg: string): Call | undefined {
  const [a = 0, b = 0] = arg.split(':').map(Number);
  switch (api) {
    case 'msleep':
    case 'msleep_interruptible':
      return { kind: 'msleep', time: ms(a) };
    case 'ssleep':
      return { kind: 'msleep', time: ms(a * 1000) };
    case 'usleep_range':
      return { kind: 'range', min: us(a), max: us(b) };
    case 'fsleep':
      return { kind: 'fsleep', time: us(a) };
    case 'udelay':
      return { kind: 'busy', time: us(a) };
    case 'mdelay':
      return { kind: 'busy', time: ms(a) };
    case 'ndelay':
      return { kind: 'busy', time: a };
    case 'schedule_timeout_uninterruptible':
      return { kind: 'timeout', ticks: { kind: 'count', count: a } };
    case 'wait_event_timeout':
    case 'wait_for_completion_timeout':
      return { kind: 'timeout', ticks: { kind: 'up', time: ms(a) }, consents: true };
    case 'mod_timer':
      return { kind: 'timeout', ticks: { kind: 'up', time: ms(a) } };
    case 'queue_delayed_work':
      return { kind: 'work', ticks: { kind: 'up', time: ms(a) } };
    case 'schedule_hrtimeout':
      return { kind: 'hrtimeout', time: us(a), slack: 0 };
    case 'schedule_hrtimeout_range':
      return { kind: 'hrtimeout', time: us(a), slack: us(b) };
    case 'read_poll_timeout':
    case 'read_poll_timeout_sbr':
      return { kind: 'poll', interval: us(a), timeout: 0, atomic: false, sleepsFirst: false };
    case 'read_poll_timeout_atomic':
      return { kind: 'busy', time: us(a) };
    default:
      return undefined;
  }
}

import type { Quantity } from './quantity.js';

/** Names that every kernel file may use: numbers, and spans where a time is meant (HZ is one second). */
export const CONSTANTS: ReadonlyMap<string, Quantity> = new Map([
  ...Object.entries({
    MSEC_PER_SEC: 1e3,
    USEC_PER_MSEC: 1e3,
    NSEC_PER_USEC: 1e3,
    NSEC_PER_MSEC: 1e6,
    USEC_PER_SEC: 1e6,
    NSEC_PER_SEC: 1e9,
    KILO: 1e3,
    MEGA: 1e6,
    GIGA: 1e9,
    MILLI: 1e3,
    MICRO: 1e6,
    NANO: 1e9,
    HZ_PER_KHZ: 1e3,
    HZ_PER_MHZ: 1e6,
    SECOND: 1e9,
    MSECOND: 1e6,
    USECOND: 1e3,
    NSECS_PER_SEC: 1e9,
    USECS_PER_SEC: 1e6,
    MSECS_PER_SEC: 1e3,
    NSECS_PER_MSEC: 1e6,
    USECS_PER_MSEC: 1e3,
    true: 1,
    false: 0,
    TRUE: 1,
    FALSE: 0,
    NULL: 0,
  }).map(([name, n]): [string, Quantity] => [name, { min: n, max: n, time: false }]),
  ...Object.entries({ HZ: 1e9, hz: 1e9, jiffies: 0, SBT_1S: 1e9, SBT_1MS: 1e6, SBT_1US: 1e3, SBT_1NS: 1 }).map(
    ([name, n]): [string, Quantity] => [name, { min: n, max: n, time: true }],
  ),
]);

/** Functions of one argument that turn a number into a span: nanoseconds a count. */
export const TO_TIME: ReadonlyMap<string, number> = new Map([
  ['msecs_to_jiffies', 1e6],
  ['usecs_to_jiffies', 1e3],
  ['nsecs_to_jiffies', 1],
  ['nsecs_to_jiffies64', 1],
  ['secs_to_jiffies', 1e9],
  ['ms_to_ktime', 1e6],
  ['us_to_ktime', 1e3],
  ['ns_to_ktime', 1],
  ['Delta::from_secs', 1e9],
  ['Delta::from_millis', 1e6],
  ['Delta::from_micros', 1e3],
  ['Delta::from_nanos', 1],
  ['mstosbt', 1e6],
  ['ustosbt', 1e3],
  ['nstosbt', 1],
  ['sectosbt', 1e9],
  ['Duration::from_secs', 1e9],
  ['Duration::from_millis', 1e6],
  ['Duration::from_micros', 1e3],
]);

export const FROM_TIME: ReadonlyMap<string, number> = new Map([
  ['jiffies_to_msecs', 1e6],
  ['jiffies_to_usecs', 1e3],
  ['jiffies_to_nsecs', 1],
  ['ktime_to_ms', 1e6],
  ['ktime_to_us', 1e3],
  ['ktime_to_ns', 1],
]);

export const SAME = new Set([
  'round_jiffies',
  'round_jiffies_relative',
  'round_jiffies_up',
  'READ_ONCE',
  'cpu_to_le16',
  'cpu_to_le32',
  'ARRAY_SIZE_OF',
  'likely',
  'unlikely',
  'i64::from',
  'u32',
  'abs',
]);
export const NOW = new Set([
  'ktime_get',
  'ktime_get_boottime',
  'ktime_get_raw',
  'ktime_get_ns',
  'local_clock',
  'get_jiffies_64',
  'get_time_ns',
  'sched_clock',
]);
export const ADD: ReadonlyMap<string, number> = new Map([
  ['ktime_add_ms', 1e6],
  ['ktime_add_us', 1e3],
  ['ktime_add_ns', 1],
  ['ktime_add', 1],
]);

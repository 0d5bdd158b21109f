/** A moment: whole milliseconds since 1970-01-01 UTC. */
export type Instant = number;

/** A stretch of calendar time in whole milliseconds (settle times, caps, ages); waits of a kernel are `Ns`. */
export type Period = number;

/** Minutes as a Period. */
export function minutes(value: number): Period {
  return Math.round(value * 60_000);
}

/** Hours as a Period. */
export function hours(value: number): Period {
  return Math.round(value * 3_600_000);
}

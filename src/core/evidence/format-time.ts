import type { Ns } from '../kernel/index.js';

/** A measured time as logged, in the unit a reader expects: `217.242 ms`, `1.97 s`, `37 us`. */
export function formatTime(value: Ns): string {
  const size = Math.abs(value);
  if (size >= 10e9) return `${trim(value / 1e9, 2)} s`;
  if (size >= 1e9) return `${trim(value / 1e9, 3)} s`;
  if (size >= 1e6) return `${trim(value / 1e6, 3)} ms`;
  if (size >= 1e3) return `${trim(value / 1e3, 1)} us`;
  return `${String(Math.round(value))} ns`;
}

function trim(value: number, places: number): string {
  return value.toFixed(places).replace(/\.?0{1,9}$/, '');
}

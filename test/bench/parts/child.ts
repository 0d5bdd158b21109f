import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What one run of a program cost: seconds of clock and of CPU with all its children, and its peak memory in megabytes. */
export type Cost = {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
  readonly status: number;
  readonly stdout: string;
};

/** GNU time measures the children too; without it (apt-get install time) there is nothing to print. */
export const hasTime = existsSync('/usr/bin/time');

/** Runs a program to its end and gives its cost. */
export function costOf(
  command: string,
  args: readonly string[],
  options: { input?: Buffer; cwd?: string; keep?: boolean } = {},
): Cost {
  const folder = mkdtempSync(join(tmpdir(), 'reveille-cost-'));
  try {
    const report = join(folder, 'time');
    const done = spawnSync('/usr/bin/time', ['-q', '-f', '%e %U %S %M', '-o', report, command, ...args], {
      input: options.input,
      cwd: options.cwd,
      stdio: ['pipe', options.keep === true ? 'pipe' : 'ignore', 'ignore'],
      maxBuffer: 1 << 30,
    });
    if (done.error !== undefined) throw done.error;
    const [wall = 0, user = 0, system = 0, peak = 0] = readFileSync(report, 'utf8').trim().split(' ').map(Number);
    const stdout = options.keep === true ? done.stdout.toString('utf8') : '';
    return { wall, cpu: user + system, peak: peak / 1024, status: done.status ?? 1, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The run with the median CPU time. */
export function medianOf(times: number, run: () => Cost): Cost {
  const costs = Array.from({ length: times }, run).sort((a, b) => a.cpu - b.cpu);
  const middle = costs[Math.floor(costs.length / 2)];
  if (middle === undefined) throw new RangeError('no run');
  return middle;
}

/** One row of the table for people, and the same as a JSON line for programs. */
export function report(
  name: string,
  cost: Omit<Cost, 'stdout'>,
  more: Readonly<Record<string, number | string>> = {},
): void {
  const extra = Object.entries(more)
    .map(([key, value]) => `${key} ${typeof value === 'number' ? value.toLocaleString('en') : value}`)
    .join(', ');
  const figures = `${cost.wall.toFixed(2)} s, ${cost.cpu.toFixed(2)} s CPU, ${cost.peak.toFixed(0)} MB`;
  console.log(`${name.padEnd(44)} ${figures}${extra === '' ? '' : `; ${extra}`}`);
  const { wall, cpu, peak, status } = cost;
  console.log(JSON.stringify({ bench: name, wall, cpu, peak: Math.round(peak), status, ...more }));
}

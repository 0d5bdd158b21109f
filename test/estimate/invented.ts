import type { DelayChange, Wait } from '../../src/core/delay/index.js';
import type { BootLog, Evidence } from '../../src/core/evidence/index.js';
import { ms, us } from '../../src/core/kernel/index.js';

/** Waits, changes and logs of drivers that do not exist. */
export function wait(api: string, min: number, max: number, text = `${api}(...)`): Wait {
  return { text, api, span: { min, max }, resolved: 'literal', unknown: [] };
}

export function msleepOf(milliseconds: number): Wait {
  return wait('msleep', ms(milliseconds), ms(milliseconds), `msleep(${String(milliseconds)})`);
}

export function usleepOf(min: number, max: number): Wait {
  return wait('usleep_range', us(min), us(max), `usleep_range(${String(min)}, ${String(max)})`);
}

export function change(
  before: Wait | undefined,
  after: Wait | undefined,
  more: Partial<DelayChange> = {},
): DelayChange {
  return {
    patch: 0,
    effect: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    kind: 'sleep',
    file: 'drivers/misc/quux/quux-link.c',
    function: 'quux_wait_link',
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    uses: [],
    role: { is: 'poll-interval', by: 'a loop around it', sure: 0.9 },
    path: { is: 'probe', by: 'named like a probe', sure: 0.7 },
    inLoop: true,
    bound: { before: 'deadline', after: 'deadline' },
    rounds: {},
    budget: {},
    backoff: {},
    looksFirst: true,
    siblings: [],
    quote: [],
    ...more,
  };
}

export function log(label: 'before' | 'after', lines: readonly (readonly [at: number, name: string])[]): BootLog {
  return {
    label,
    mailLine: 1,
    format: 'printk',
    lines: lines.length,
    milestones: lines.map(([at, name]) => ({ name, at: us(at) })),
    initcalls: [],
  };
}

export function withInitcall(boot: BootLog, name: string, from: number, to: number): BootLog {
  const took = us(to - from);
  const initcall = {
    name,
    took,
    logged: (to - from) / 1.024,
    at: us(to),
    calledAt: us(from),
    kind: 'initcall',
  } as const;
  return { ...boot, unitNs: 1024, initcalls: [initcall] };
}

export function evidence(...logs: BootLog[]): Evidence {
  return { logs, claims: [], measurements: [] };
}

export const nothing: Evidence = { logs: [], claims: [], measurements: [] };

import { describe, expect, test } from 'vitest';
import type { DelayChange } from '../../src/core/delay/index.js';
import type { Estimate } from '../../src/core/estimate/index.js';
import { ms } from '../../src/core/kernel/index.js';
import { judgeWorth } from '../../src/core/review/index.js';
import type { Finding } from '../../src/core/rules/index.js';

const change: DelayChange = {
  patch: 0,
  effect: 'changed',
  kind: 'sleep',
  file: 'drivers/misc/gizmo.c',
  function: 'gizmo_probe',
  uses: [],
  role: { is: 'settle', by: 'test', sure: 1 },
  path: { is: 'probe', by: 'test', sure: 0.9 },
  bound: { before: 'none', after: 'none' },
  rounds: {},
  budget: {},
  backoff: {},
  siblings: [],
  quote: [],
};

const cost = { min: 0, likely: 0, max: 0, polls: 0, busy: 0 };
const estimate: Estimate = {
  change: 0,
  model: 'settle',
  assumptions: [],
  fits: [],
  before: cost,
  after: cost,
  saved: { min: ms(90), likely: ms(95), max: ms(100) },
  curve: [],
  devices: [],
  bootPath: 'on',
  bootPathBy: 'test',
  alternatives: [],
};

const finding: Finding = {
  rule: 'subject-length',
  nit: true,
  level: 'error',
  confidence: 'high',
  patch: 0,
  text: '',
  instead: '',
  fingerprint: '',
};

const nothing = { logs: [], claims: [], measurements: [] };
const plain = {
  kind: 'patch',
  patches: [],
  changes: [change],
  estimates: [estimate],
  evidence: nothing,
  findings: [],
} as const;

describe('what is worth a mail', () => {
  test('a changed wait in probe with an effect that matters is', () => {
    expect(judgeWorth(plain)).toEqual({ worth: true, reasons: ['boot-path-change'] });
  });

  test('the same with an effect of a millisecond is not', () => {
    const small = { ...estimate, saved: { min: 0, likely: ms(1), max: ms(2) } };
    expect(judgeWorth({ ...plain, estimates: [small] })).toEqual({ worth: false, reasons: ['small-effect'] });
  });

  test('the same off the boot path, or at run time, is not', () => {
    expect(judgeWorth({ ...plain, estimates: [{ ...estimate, bootPath: 'off' }] }).worth).toBe(false);
    const runtime = { ...change, path: { is: 'runtime', by: 'test', sure: 0.9 } } as const;
    expect(judgeWorth({ ...plain, changes: [runtime] })).toEqual({ worth: false, reasons: ['runtime-only'] });
  });

  test('a wait added where a boot may or may not pass is not', () => {
    const added = { ...change, effect: 'added' } as const;
    const slower = {
      ...estimate,
      saved: { min: -ms(120), likely: -ms(110), max: -ms(100) },
      bootPath: 'unknown',
    } as const;
    expect(judgeWorth({ ...plain, changes: [added], estimates: [slower] }).worth).toBe(false);
    expect(judgeWorth({ ...plain, changes: [added], estimates: [{ ...slower, bootPath: 'on' }] }).worth).toBe(true);
  });

  test('nits never are, however grave', () => {
    expect(judgeWorth({ ...plain, changes: [], estimates: [], findings: [finding] })).toEqual({
      worth: false,
      reasons: ['nits-only'],
    });
  });

  test('a risk is, even where no time can be told', () => {
    const risk = { ...finding, rule: 'backoff-wraps', nit: false };
    expect(judgeWorth({ ...plain, estimates: [], findings: [risk] }).reasons).toEqual(['risk']);
  });

  test('talk, robots and backports never are', () => {
    for (const kind of ['reply', 'cover', 'bot', 'stable', 'counter-patch', 'pull-request'] as const) {
      expect(judgeWorth({ ...plain, kind }).worth).toBe(false);
    }
  });

  test('a wait in a function that the patch itself adds is new code, unless the mail shows that a boot has met it', () => {
    const added = { ...change, effect: 'added', inNewFunction: true } as const;
    const longer = { ...estimate, saved: { min: ms(-2300), likely: ms(-2100), max: ms(-2000) } };
    const content = { ...plain, changes: [added], estimates: [longer] };
    expect(judgeWorth(content)).toEqual({ worth: false, reasons: ['added-in-new-code'] });
    expect(judgeWorth({ ...content, changes: [{ ...change, effect: 'added' }] }).worth).toBe(true);
    const log = { label: 'after', mailLine: 1, format: 'printk', milestones: [], initcalls: [{}] } as unknown;
    const evidence = { ...nothing, logs: [log as (typeof content.evidence.logs)[number]] };
    expect(judgeWorth({ ...content, evidence }).worth).toBe(true);
  });
});

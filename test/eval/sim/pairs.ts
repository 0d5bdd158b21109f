import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DelayChange, Wait } from '../../../src/core/delay/index.js';
import { estimateChanges } from '../../../src/core/estimate/index.js';
import { readBootLogs } from '../../../src/core/evidence/index.js';
import { formatNs, ms, tickLength, us, type Ns } from '../../../src/core/kernel/index.js';
import { check, halfOf } from './score.js';

type Driver = {
  readonly file: string;
  readonly func: string;
  readonly before: Wait;
  readonly after: Wait;
  readonly waits: number;
};
const wait = (api: string, min: Ns, max: Ns): Wait => ({
  text: `${api}()`,
  api,
  span: { min, max },
  resolved: 'literal',
  unknown: [],
});
/** What was patched in those kernels, by the README: the letter before the first dash. */
const drivers: Readonly<Record<string, Driver>> = {
  N: nvme(),
  M: nvme(),
  P: nvme(),
  E: slow(),
  L: slow(),
};

function nvme(): Driver {
  return {
    file: 'drivers/nvme/host/core.c',
    func: 'nvme_wait_ready',
    before: wait('msleep', ms(100), ms(100)),
    after: wait('usleep_range', us(1000), us(2000)),
    waits: 2,
  };
}

function slow(): Driver {
  return {
    file: 'drivers/misc/slowdev.c',
    func: 'slowdev_wait',
    before: wait('msleep', ms(5), ms(5)),
    after: wait('usleep_range', us(10), us(20)),
    waits: 11,
  };
}

function changeOf(driver: Driver): DelayChange {
  return {
    patch: 0,
    effect: 'changed',
    kind: 'sleep',
    file: driver.file,
    function: driver.func,
    before: driver.before,
    after: driver.after,
    uses: [],
    role: { is: 'poll-interval', by: 'README', sure: 1 },
    path: { is: 'probe', by: 'README', sure: 1 },
    inLoop: true,
    bound: { before: 'deadline', after: 'deadline' },
    rounds: {},
    budget: {},
    backoff: {},
    looksFirst: true,
    siblings: [],
    quote: [],
  };
}

/** First and last time stamp of a driver's work, by nothing but the lines themselves. */
function measured(text: string, letter: string): Ns | undefined {
  const stamp = (pattern: RegExp): number | undefined => {
    const line = text.split('\n').find((l) => pattern.test(l));
    const at = /\[ *(\d+\.\d{6})\]/.exec(line ?? '')?.[1];
    return at === undefined ? undefined : Math.round(Number(at) * 1e9);
  };
  const nvmeLike = /[NMP]/.test(letter);
  const from = stamp(nvmeLike ? /nvme nvme0: pci function/ : /calling +slowdev_init/);
  const to = stamp(nvmeLike ? /read\/poll queues/ : /initcall slowdev_init\S* returned/);
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Saving and HZ by the estimate, against two boots of the same kernel before and after. */
export function scorePairs(folder: string): void {
  console.log('\n-- pairs of boot logs');
  const logs = readdirSync(folder).filter((f) => /^[A-Z]-.*-before-.*\.log$/.test(f));
  const results: { half: number; ok: boolean; hzRight: boolean }[] = [];
  for (const name of logs) {
    const letter = name[0] ?? '';
    const driver = drivers[letter];
    const other = name.replace('-before-', '-after-');
    if (driver === undefined || !existsSync(join(folder, other))) continue;
    const [old, fresh] = [name, other].map((f) => readFileSync(join(folder, f), 'utf8'));
    const [was, is] = [measured(old ?? '', letter), measured(fresh ?? '', letter)];
    if (was === undefined || is === undefined) continue;
    const evidence = {
      logs: [
        ...readBootLogs(old ?? '', 'file').map((l) => ({ ...l, label: 'before' as const })),
        ...readBootLogs(fresh ?? '', 'file').map((l) => ({ ...l, label: 'after' as const })),
      ],
      claims: [],
      measurements: [],
    };
    const options = {
      profiles: [],
      seed: 1,
      streamName: name,
      waits: [{ change: 0, min: driver.waits, max: driver.waits, from: 'tree' as const }],
    };
    const [estimate] = estimateChanges([changeOf(driver)], evidence, options);
    // Own kernels carry HZ in their version; Debian's all have 250.
    const real = Number(/Linux version \S*hz(\d+)/.exec(old ?? '')?.[1] ?? 250);
    const tick = tickLength(real);
    const likely = estimate?.saved.likely ?? NaN;
    const off = likely - (was - is);
    const ok = Math.abs(off) <= tick + 0.01 * (was - is);
    const first = estimate?.fits[0];
    results.push({ half: halfOf(name), ok, hzRight: first?.hz === real });
    console.log(
      `  ${name}: measured ${formatNs(was - is, 4)}, predicted ${formatNs(likely, 4)} [${formatNs(estimate?.saved.min ?? NaN, 4)}..${formatNs(estimate?.saved.max ?? NaN, 4)}], off ${formatNs(off)}; ` +
        `first fit HZ=${first?.hz ?? '-'} ${first?.era ?? ''} ${first?.waits ?? ''} waits of ${estimate?.fits.length}; boot path ${estimate?.bootPath}`,
    );
  }
  if (results.length > 0) {
    const by = (h: number): string =>
      `${results.filter((r) => r.half === h && r.ok).length}/${results.filter((r) => r.half === h).length}`;
    const good = results.filter((r) => r.ok).length;
    check(
      'saving within a tick + 1 %',
      `${good}/${results.length} pairs; halves ${by(0)}, ${by(1)}`,
      'all',
      good === results.length,
    );
    const right = results.filter((r) => r.hzRight).length;
    check('HZ inferred, first of the fits', `${right}/${results.length} pairs`, 'all', right === results.length);
  }
}

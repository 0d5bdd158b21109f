/**
 * Scores the clocks against delays measured in booted kernels, and the estimate against pairs of boot logs. Kernel and HZ are read from
 * the files; what a file's name says (hog, realtime, before, after) is as its README defines it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DelayChange, Wait } from '../../src/core/delay/index.js';
import { estimateChanges } from '../../src/core/estimate/index.js';
import { findChanges } from '../../src/core/delay/index.js';
import { readBootLogs, readEvidence, relateEvidence } from '../../src/core/evidence/index.js';
import { parseMessage } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import {
  backToBack,
  boundsOf,
  formatNs,
  mechanismOf,
  ms,
  parseVersion,
  pollMin,
  idleMachine,
  overheads,
  quietMachine,
  tickLength,
  us,
  versionOf,
  wakesAt,
  type Call,
  type Era,
  type Machine,
  type Ns,
} from '../../src/core/kernel/index.js';
import { namedStream, pollUntilReady, runAlone } from '../../src/core/sim/index.js';
import { sharedFolder } from '../support/shared.js';

const folder = join(sharedFolder, 'corpus', 'timing');
const verbose = process.argv.includes('--failures');
const half = (name: string): 0 | 1 => ((createHash('sha1').update(name).digest()[0] ?? 0) % 2 === 0 ? 0 : 1);
let failures = 0;

function check(metric: string, value: string, target: string, ok: boolean): void {
  if (!ok) failures++;
  console.log(`${metric}: ${value} (${target})${ok ? '' : '  MISSED'}`);
}

// ---------------------------------------------------------------- delays

type Row = {
  readonly api: string;
  readonly arg: string;
  readonly phase: string;
  readonly ready: number;
  readonly n: number;
  readonly p50: number;
  readonly p90: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
};

/** The bench's own names for calls, as its README and table have them; wheel calls other than schedule_timeout take milliseconds. */
function callOf(api: string, arg: string): Call | undefined {
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
      return { kind: 'range', min: pollMin(us(a)), max: us(a) };
    case 'read_poll_timeout_atomic':
      return { kind: 'busy', time: us(a) };
    default:
      return undefined;
  }
}

const draws = 2000;

/** The bench's procedure: back to back, or after a busy wait of up to two ticks; the same call over and over. */
function predict(row: Row, machine: Machine, call: Call): Ns[] {
  const random = namedStream(1, `${row.api} ${row.arg} ${row.phase}`);
  const mechanism = mechanismOf(call, machine);
  const tick = tickLength(machine.hz);
  const polls = row.api.startsWith('poll/');
  let now = Math.ceil(8 ** 5 * tick);
  const found: Ns[] = [];
  for (let i = 0; i < (polls ? 300 : draws) + 10; i++) {
    if (row.phase === 'rand') now += Math.floor(((i * 0.6180339887 + random() / draws) % 1) * 2 * tick);
    const started = now;
    const poll = { call, looksFirst: true, bound: { kind: 'none' }, look: 0 } as const;
    now = polls
      ? runAlone((clock) => pollUntilReady(clock, poll, started + row.ready, machine), started).at
      : wakesAt(mechanism, started, machine);
    // The first calls find their own rhythm.
    if (i >= 10) found.push(now - started);
    now = Math.max(now, started + 1);
  }
  return found.sort((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1))))] ?? 0;
}

type Tally = { rows: number; ok: number; worst: { what: string; off: string }[] };
const tallies = new Map<string, Tally>();

function count(file: string, kind: string, row: Row, ok: boolean, off: string): void {
  const key = `${file}\t${kind}`;
  const tally = tallies.get(key) ?? { rows: 0, ok: 0, worst: [] };
  tally.rows++;
  if (ok) tally.ok++;
  else tally.worst.push({ what: `${row.api}(${row.arg}) ${row.phase} ready=${row.ready}`, off });
  tallies.set(key, tally);
}

function isArtefact(row: Row, hrtimers: boolean): boolean {
  if (row.p50 < 1000) return true;
  if (row.api === 'udelay' || row.api === 'poll/udelay') return true;
  return !hrtimers && row.api.startsWith('poll/') && row.phase === 'rand';
}

function scoreFile(name: string): void {
  const [first = '', , ...rest] = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const kernel = parseVersion(/kernel=(\S+)/.exec(first)?.[1] ?? '');
  const hz = Number(/HZ=(\d+)/.exec(first)?.[1]);
  const hrtimers = /hrtimers=1/.test(first);
  if (kernel === undefined || !Number.isInteger(hz)) throw new Error(`${name}: no kernel or HZ in the first line`);
  const busy = /-hog\b/.test(name);
  const machine: Machine = { ...idleMachine(hz, kernel), highres: hrtimers, ...(busy ? { tick: 'running' } : {}) };
  const tick = tickLength(hz);
  for (const line of rest) {
    const [api = '', arg = '', phase = '', ready, n, min, p50, p90, , max, mean] = line.split(',');
    const row = {
      api,
      arg,
      phase,
      ready: Number(ready),
      n: Number(n),
      min: Number(min),
      p50: Number(p50),
      p90: Number(p90),
      max: Number(max),
      mean: Number(mean),
    };
    const call = callOf(api.replace('poll/', ''), arg);
    if (call === undefined || isArtefact(row, hrtimers)) continue;
    const predicted = predict(row, machine, call);
    const mid = quantile(predicted, 0.5);
    if (api.startsWith('poll/')) {
      const off = row.p50 - mid;
      count(name, 'poll: median within a tick', row, Math.abs(off) <= tick, formatNs(off));
      const spread = 0.98 / Math.sqrt(row.n);
      const low = quantile(predicted, 0.5 - spread) - tick;
      const high = quantile(predicted, 0.5 + spread) + tick;
      count(
        name,
        'poll: the same, the sampling error of a median allowed',
        row,
        row.p50 >= low && row.p50 <= high,
        formatNs(off),
      );
      continue;
    }
    const mechanism = mechanismOf(call, machine);
    if (mechanism.kind === 'wheel') {
      if (phase === 'b2b') {
        // Timers and work are timed in their handler; who arms the next one runs a wake-up after it.
        const late = call.kind === 'work' || api === 'mod_timer' ? overheads.likely : 0;
        const off = row.p50 / (backToBack(mechanism.jiffies) * tick - late) - 1;
        count(
          name,
          'wheel, back to back: median exact to 0.1 %',
          row,
          Math.abs(off) <= 0.001,
          `${(off * 100).toFixed(3)} %`,
        );
        continue;
      }
      const bounds = boundsOf(mechanism, machine);
      const slack = us(30);
      const inside = row.min >= bounds.min - slack && row.max <= bounds.max + slack;
      count(
        name,
        'wheel, random phase: bounds hold (30 us)',
        row,
        inside,
        `${formatNs(row.min)}..${formatNs(row.max)}`,
      );
      const average = predicted.reduce((sum, v) => sum + v, 0) / predicted.length;
      const variance = predicted.reduce((sum, v) => sum + (v - average) ** 2, 0) / predicted.length;
      const off = row.mean / average - 1;
      count(name, 'wheel, random phase: mean within 1 %', row, Math.abs(off) <= 0.01, `${(off * 100).toFixed(2)} %`);
      const noise = (2.58 * Math.sqrt(variance / row.n)) / average;
      count(
        name,
        'wheel, random phase: mean within 1 % and its sampling error',
        row,
        Math.abs(off) <= 0.01 + noise,
        `${(off * 100).toFixed(2)} %`,
      );
      sums.push({ name, measured: row.mean, predicted: average });
      continue;
    }
    // A median of n samples is one of the middle ones of what they were drawn from.
    const spread = 0.98 / Math.sqrt(row.n);
    const low = quantile(predicted, 0.5 - spread);
    const high = quantile(predicted, 0.5 + spread);
    const near = (value: number): boolean => Math.abs(row.p50 - value) <= Math.max(0.01 * value, us(8));
    count(name, 'hrtimer and busy: median within max(1 %, 8 us)', row, near(mid), formatNs(row.p50 - mid));
    const between = row.p50 >= low && row.p50 <= high;
    count(
      name,
      'hrtimer and busy: the same, the sampling error of a median allowed',
      row,
      near(mid) || near(low) || near(high) || between,
      formatNs(row.p50 - mid),
    );
    const tail = quantile(predicted, 0.9);
    count(
      name,
      'hrtimer and busy: p90 within 5 % + 20 us',
      row,
      Math.abs(row.p90 - tail) <= 0.05 * tail + us(20),
      formatNs(row.p90 - tail),
    );
  }
}

const sums: { name: string; measured: number; predicted: number }[] = [];
const tables = readdirSync(folder).filter(
  (f) => f.startsWith('delay-') && f.endsWith('.csv') && !f.endsWith('.raw.csv'),
);
for (const name of tables) scoreFile(name);

const settings = [
  { title: 'quiet machines', pick: (f: string) => !/-hog\b|-realtime\b/.test(f) },
  {
    title: 'a busy task on the same CPU, or real time on a loaded host',
    pick: (f: string) => /-hog\b|-realtime\b/.test(f),
  },
];
for (const { title, pick } of settings) {
  console.log(`\n-- delays: ${title}`);
  const kinds = [...new Set([...tallies.keys()].map((k) => k.split('\t')[1] ?? ''))];
  for (const kind of kinds) {
    const halves = [0, 1].map((h) => {
      const mine = [...tallies].filter(
        ([k]) => k.endsWith(`\t${kind}`) && pick(k.split('\t')[0] ?? '') && half(k.split('\t')[0] ?? '') === h,
      );
      return mine.reduce((sum, [, t]) => ({ ok: sum.ok + t.ok, rows: sum.rows + t.rows }), { ok: 0, rows: 0 });
    });
    const [even, odd] = halves;
    const all = { ok: (even?.ok ?? 0) + (odd?.ok ?? 0), rows: (even?.rows ?? 0) + (odd?.rows ?? 0) };
    if (all.rows === 0) continue;
    check(
      kind,
      `${all.ok}/${all.rows} rows; halves ${even?.ok}/${even?.rows}, ${odd?.ok}/${odd?.rows}`,
      'all',
      all.ok === all.rows,
    );
    if (!verbose) continue;
    for (const [k, t] of tallies) {
      const file = k.split('\t')[0] ?? '';
      if (k.endsWith(`\t${kind}`) && pick(file) && half(file) === 0)
        for (const w of t.worst) console.log(`    ${file}: ${w.what}: off by ${w.off}`);
    }
  }
  const files = [...new Set(sums.map((s) => s.name))].filter(pick);
  for (const file of files) {
    const mine = sums.filter((s) => s.name === file);
    const ratio = mine.reduce((sum, s) => sum + s.measured / s.predicted, 0) / Math.max(1, mine.length) - 1;
    check(
      `wheel, random phase: mean over the ${mine.length} rows of ${file}`,
      `${(ratio * 100).toFixed(3)} %`,
      'within 1 %',
      Math.abs(ratio) <= 0.01,
    );
  }
}

// ---------------------------------------------------------------- the table of formulas

const expected = join(folder, 'expected-delays.csv');
if (existsSync(expected)) {
  let [rows, exact, close] = [0, 0, 0];
  for (const line of readFileSync(expected, 'utf8').trim().split('\n').slice(1)) {
    const [api = '', arg = '', hz, era, , mean, max, b2b] = line.split(',');
    const call = callOf(api, arg);
    if (call === undefined) continue;
    const machine = quietMachine(Number(hz), versionOf(era as Era));
    const mechanism = mechanismOf(call, machine);
    rows++;
    const tick = tickLength(machine.hz);
    const back = mechanism.kind === 'wheel' ? backToBack(mechanism.jiffies) * tick : boundsOf(mechanism, machine).max;
    const most = boundsOf(mechanism, machine).max;
    const near = (ours: number, theirs: string | undefined): boolean =>
      Math.abs(ours - ms(Number(theirs))) <= Math.max(us(8), ours * 0.001);
    if (near(back, b2b) && near(most, max)) exact++;
    const bounds = boundsOf(mechanism, machine);
    const middle = mechanism.kind === 'wheel' ? (bounds.min + bounds.max) / 2 : most;
    if (Math.abs(middle - ms(Number(mean))) <= 0.01 * middle + us(10)) close++;
  }
  console.log('\n-- formulas');
  check('back to back and most as in the table', `${exact}/${rows} rows`, 'all', exact === rows);
  check('mean within 1 % of the table', `${close}/${rows} rows`, 'all', close === rows);
}

// ---------------------------------------------------------------- pairs of boot logs

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
  results.push({ half: half(name), ok, hzRight: first?.hz === real });
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
// ---------------------------------------------------------------- whole mails

console.log('\n-- mails with a patch and logs, and what others measured of the same patch');
const kit = {
  parser: await openCParser(),
  catalogue: loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays')),
};
const seeds = join(sharedFolder, 'seeds');
for (const thread of readdirSync(seeds, { withFileTypes: true }).filter((e) => e.isDirectory())) {
  let asked: readonly DelayChange[] = [];
  const mails = readdirSync(join(seeds, thread.name)).filter((f) => f.endsWith('.eml'));
  for (const name of mails.sort()) {
    const message = await parseMessage(readFileSync(join(seeds, thread.name, name)));
    const own = findChanges(parsePatches(message).patches, kit);
    const reply = own.length === 0;
    if (!reply) asked = own;
    const found = readEvidence(message);
    if (found.logs.length === 0 || asked.length === 0) continue;
    const evidence = relateEvidence([{ id: name, byAuthor: !reply, ...found }], asked);
    if (evidence.measurements.every((m) => m.byAuthor === undefined)) continue;
    const options = {
      profiles: [],
      seed: 1,
      streamName: name,
      ...(message.date === undefined ? {} : { date: message.date }),
    };
    for (const e of estimateChanges(asked, evidence, options)) {
      const first = e.fits[0];
      const waits = String(e.assumptions.find((a) => a.name === 'waits')?.value ?? '-');
      const span = [e.saved.min, e.saved.likely, e.saved.max].map((v) => (v / 1e6).toFixed(2)).join(' / ');
      console.log(
        `  ${thread.name}/${name}: saves ${span} ms; HZ=${first?.hz ?? '-'} ${first?.era ?? ''}, waits ${waits}; boot path ${e.bootPath}`,
      );
    }
  }
}
console.log(`\n${failures} missed`);

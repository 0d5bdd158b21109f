import type { DelayChange } from '../delay/index.js';
import { formatLogged, type Ns } from '../kernel/index.js';
import type { BootLog, Claim, ClaimCheck, Measurement } from './evidence.js';
import { median } from './statistics.js';

/** What a claim can be held against beside its own numbers. */
export type Against = {
  readonly logs: readonly BootLog[];
  readonly measurements: readonly Measurement[];
  readonly changes: readonly DelayChange[];
};

/** A claim with its checks: its numbers against each other, the logs and the diff. */
export function checkClaim(claim: Claim, against: Against): Claim {
  return {
    ...claim,
    checks: [...ownChecks(claim), ...logChecks(claim, against), ...diffChecks(claim, against.changes)],
  };
}

/** Do factor, percentage and saving follow from the two values? Rounding of the written digits is allowed for. */
function ownChecks(claim: Claim): ClaimCheck[] {
  const { before, after } = claim;
  if (before === undefined || after === undefined || before === 0 || after === 0) return [];
  const checks: ClaimCheck[] = [];
  const x = spread(before, claim.beforeMax, claim.slack?.before);
  const y = spread(after, claim.afterMax, claim.slack?.after);
  const values = `${formatLogged(before)} to ${formatLogged(after)}`;
  if (claim.factor !== undefined) {
    const down = after <= before;
    const ratio = down ? [x.low / y.high, x.high / y.low] : [y.low / x.high, y.high / x.low];
    const plain = down ? before / after : after / before;
    checks.push(
      verdict(
        'factor',
        claim.factor,
        claim,
        ratio,
        `${values} is a factor of ${short(plain)}`,
        `${short(claim.factor)}x`,
      ),
    );
  }
  if (claim.percent !== undefined) {
    const part = [1 - y.high / x.low, 1 - y.low / x.high].map((v) => Math.abs(v) * 100).sort((a, b) => a - b);
    const plain = Math.abs(1 - after / before) * 100;
    const stated = `${short(claim.percent)}${claim.percentMax === undefined ? '' : `-${short(claim.percentMax)}`} %`;
    const check = verdict(
      'percent',
      claim.percent,
      claim,
      part,
      `${values} is ${short(plain)} % ${after < before ? 'less' : 'more'}`,
      stated,
      claim.percentMax,
    );
    // `P % faster` may mean X / Y - 1.
    const faster = (before / after - 1) * 100;
    const other = check.holds === 'no' && Math.abs(faster - claim.percent) <= Math.max(1, claim.percent * 0.02);
    checks.push(
      other
        ? { of: 'percent', holds: 'yes', why: `${values} is ${short(faster)} % faster (${short(plain)} % less time)` }
        : check,
    );
  }
  if (claim.delta !== undefined) {
    const delta = [x.low - y.high, x.high - y.low].map(Math.abs).sort((a, b) => a - b);
    const plain = Math.abs(before - after);
    checks.push(
      verdict(
        'delta',
        claim.delta,
        claim,
        delta,
        `${values} is a difference of ${formatLogged(plain)}`,
        formatLogged(claim.delta),
        claim.deltaMax,
      ),
    );
  }
  return checks;
}

function verdict(
  of: ClaimCheck['of'],
  stated: number,
  claim: Claim,
  computed: readonly number[],
  why: string,
  said: string,
  statedMax = stated,
): ClaimCheck {
  const low = computed[0] ?? NaN;
  const high = computed[1] ?? NaN;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { of, holds: 'cannot-tell', why };
  const rounding = of === 'delta' ? (claim.slack?.delta ?? 0) : halfDigit(stated);
  const loose = claim.hedge === 'about' ? 0.1 * stated : 0.02 * stated;
  const allow = Math.max(rounding, loose);
  const over = stated - allow > high;
  const under = statedMax + allow < low;
  const holds = claim.hedge === 'at-least' ? !over : claim.hedge === 'at-most' ? !over || !under : !over && !under;
  return { of, holds: holds ? 'yes' : 'no', why: holds ? why : `${why}, not ${said}` };
}

function halfDigit(value: number): number {
  const text = String(value);
  const dot = text.indexOf('.');
  return dot < 0 ? 0.5 : 0.5 * 10 ** -(text.length - dot - 1);
}

function spread(value: Ns, max: Ns | undefined, slack = 0): { low: Ns; high: Ns } {
  return { low: Math.max(value - slack, value / 2), high: (max ?? value) + slack };
}

/** Does a log of the thread show these two values? Its own "usecs" may be 1024 ns: then both are 2.4 % more. */
function logChecks(claim: Claim, { logs, measurements }: Against): ClaimCheck[] {
  const { before, after } = claim;
  if (before === undefined || after === undefined || claim.kind === 'parameter' || claim.kind === 'not-a-claim')
    return [];
  const calls = (label: BootLog['label']) => logs.filter((l) => l.label === label).flatMap((l) => l.initcalls);
  const x = spread(before, claim.beforeMax, claim.slack?.before);
  const y = spread(after, claim.afterMax, claim.slack?.after);
  for (const a of calls('before')) {
    for (const b of calls('after')) {
      if (a.name !== b.name || !near(a.logged * 1e3, x, claim) || !near(b.logged * 1e3, y, claim)) continue;
      const field = `${a.name}: ${String(a.logged)} and ${String(b.logged)} "usecs"`;
      const checks: ClaimCheck[] = [{ of: 'log', holds: 'yes', why: `the log has ${field}` }];
      if (a.kind === 'probe' || a.took === a.logged * 1000) return checks;
      const why =
        `the log's ${field} are units of 1024 ns (kernels up to v5.17): ` +
        `${formatLogged(a.took)} and ${formatLogged(b.took)}; the factor stays ${short(a.logged / b.logged)}`;
      return [...checks, { of: 'unit', holds: 'no', why }];
    }
  }
  for (const m of measurements) {
    if (m.before.length === 0 || m.after.length === 0) continue;
    if (near(median(m.before), x, claim) && near(median(m.after), y, claim)) {
      const why = `measured to ${m.what}: ${formatLogged(median(m.before))} and ${formatLogged(median(m.after))}`;
      return [{ of: 'log', holds: 'yes', why }];
    }
  }
  if (logs.length === 0) return [];
  return [{ of: 'log', holds: 'cannot-tell', why: 'no interval in the logs of this thread has these two values' }];
}

function near(value: Ns, { low, high }: { low: Ns; high: Ns }, claim: Claim): boolean {
  const loose = claim.hedge === undefined ? 0.001 : 0.1;
  return value >= low * (1 - loose) && value <= high * (1 + loose);
}

/** A claim about a parameter is held against the diff: the same two values, or the same in another unit by mistake. */
function diffChecks(claim: Claim, changes: readonly DelayChange[]): ClaimCheck[] {
  const { before, after } = claim;
  if (claim.kind !== 'parameter' || before === undefined || after === undefined) return [];
  const spans = changes.flatMap((c) =>
    c.before?.span && c.after?.span ? [{ a: c.before.span, b: c.after.span }] : [],
  );
  const holds = (value: Ns, span: { min: Ns; max: Ns }, scale = 1) =>
    value >= span.min * scale * 0.99 && value <= span.max * scale * 1.01;
  const found = spans.find((s) => holds(before, s.a) && holds(after, s.b));
  if (found)
    return [
      {
        of: 'diff',
        holds: 'yes',
        why: `the diff changes ${formatLogged(found.a.max)} to ${formatLogged(found.b.max)}`,
      },
    ];
  for (const scale of [1e-6, 1e-3, 1e3, 1e6]) {
    const slip = spans.find((s) => holds(before, s.a, scale) && holds(after, s.b, scale));
    if (!slip) continue;
    const said = `${formatLogged(before)} to ${formatLogged(after)}`;
    return [
      {
        of: 'diff',
        holds: 'no',
        why: `the diff changes ${formatLogged(slip.a.max)} to ${formatLogged(slip.b.max)}, the text says ${said}`,
      },
    ];
  }
  return spans.length === 0 ? [] : [{ of: 'diff', holds: 'cannot-tell', why: 'no changed wait has these two values' }];
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

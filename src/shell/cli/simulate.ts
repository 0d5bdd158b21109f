import { Command, Option } from 'commander';
import { estimateCalls, estimateToJson, estimateToText, turnsOf } from '../../core/estimate/index.js';
import { isHz, parseCall, parseNs, parseVersion, type Call } from '../../core/kernel/index.js';
import { estimateToHtml } from '../../core/report/index.js';
import { Failure } from '../config/index.js';

type Asked = {
  readonly before: string;
  readonly after: string;
  readonly ready?: string;
  readonly rounds?: string;
  readonly timeout?: string;
  readonly settle?: true;
  readonly waits: string;
  readonly devices?: string;
  readonly hz?: string;
  readonly kernel?: string;
  readonly load?: string;
  readonly cpus?: string;
  readonly seed: string;
  readonly format: string;
};

/** `reveille simulate`: what one delaying call instead of another would cost and save, without a patch or a log. */
export function simulateCommand(): Command {
  return new Command('simulate')
    .description('Predicts what a driver gains or loses when one wait takes the place of another.')
    .requiredOption('--before <call>', 'the call today: "msleep(100)", "readl_poll_timeout(reg, v, c, 10, 1000)"')
    .requiredOption('--after <call>', 'the call that takes its place: "fsleep(50)", "exponential 100us..5ms"')
    .option('--ready <time>', 'when the device is ready after the command: "200us", "never"; swept unless told')
    .option('--rounds <n>', 'the loops give up after so many sleeps')
    .option('--timeout <time>', 'the loops give up after a time: "500ms"')
    .option('--settle', 'the call is a plain sleep, nothing is polled')
    .option('--waits <n>', 'how many such waits follow each other', '1')
    .option('--devices <n>', 'how many devices are polled side by side')
    .option('--hz <n>', 'HZ of the kernel: 24..1200; the usual ones are swept unless told')
    .option('--kernel <x.y>', 'kernel version: what msleep() and fsleep() do changed in 6.12 and 6.13')
    .addOption(
      new Option('--load <load>', 'what else runs on the CPU: nothing, or a task that never sleeps')
        .choices(['idle', 'busy'])
        .default('idle'),
    )
    .option('--cpus <n>', "CPUs of the busy machine, by which the scheduler's times grow: 8 unless told")
    .option('--seed <n>', 'seed of the random draws', '1')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json', 'html']).default('text'))
    .addHelpText('after', '\nExit status: 0 done, 2 wrong usage.')
    .action((asked: Asked) => {
      process.stdout.write(simulate(asked));
    });
}

const mostTurns = 20_000;

/** What the command prints; nonsense is a Failure that says what would make sense. */
export function simulate(asked: Asked): string {
  const before = call('--before', asked.before);
  const after = call('--after', asked.after);
  const devices = asked.devices === undefined ? undefined : whole('--devices', asked.devices, 1, 100_000);
  const ready = asked.ready === undefined ? undefined : readyTime(asked.ready);
  const bound = boundOf(asked);
  if (ready === Infinity && Object.keys(bound).length === 0 && ![before, after].every(endsByItself)) {
    throw new Failure('usage', '--ready never: nothing ends these loops; add --rounds or --timeout');
  }
  const hz = asked.hz === undefined ? undefined : whole('--hz', asked.hz, 1, 1e6);
  if (hz !== undefined && !isHz(hz)) throw new Failure('usage', `--hz ${hz}: no kernel has it; HZ is 24 to 1200`);
  if (asked.kernel !== undefined && parseVersion(asked.kernel) === undefined) {
    throw new Failure('usage', `--kernel ${asked.kernel}: not a version; write it as 6.12`);
  }
  if (asked.cpus !== undefined && asked.load !== 'busy') {
    throw new Failure('usage', '--cpus matters on a busy machine only: add --load busy');
  }
  const waits = whole('--waits', asked.waits, 1, 10_000);
  const load = asked.load === 'busy' ? { load: { cpus: whole('--cpus', asked.cpus ?? '8', 1, 8192) } } : {};
  // No two turns of a loop are alike there: each is walked.
  const turns =
    asked.load === 'busy' ? turnsOf([before, after], waits, ready === Infinity ? (bound.timeout ?? 0) : ready) : 0;
  if (turns > mostTurns) {
    const many = `about ${Math.round(turns)} turns of the loops, more than the ${mostTurns} that are walked`;
    throw new Failure('usage', `--load busy: ${many}; ask with a shorter --ready or fewer --waits`);
  }
  const estimate = estimateCalls(
    {
      before,
      after,
      settles: asked.settle === true,
      waits,
      ...(Object.keys(bound).length === 0 ? {} : { bound }),
      ...(devices === undefined ? {} : { devices: devices === 1 ? [1] : [1, devices] }),
    },
    {
      profiles: [],
      seed: whole('--seed', asked.seed, 0, Number.MAX_SAFE_INTEGER),
      streamName: 'simulate',
      ...(hz === undefined ? {} : { hz }),
      ...(asked.kernel === undefined ? {} : { kernel: asked.kernel }),
      ...(ready === undefined ? {} : { ready }),
      ...load,
    },
  );
  const names = { before: asked.before.trim(), after: asked.after.trim() };
  if (asked.format === 'html') return estimateToHtml(estimate, names);
  if (asked.format === 'text') return estimateToText(estimate, names);
  return `${JSON.stringify({ schema: 'reveille.simulate.v1', estimates: [estimateToJson(estimate)] }, null, 2)}\n`;
}

function call(option: string, text: string): Call {
  const parsed = parseCall(text);
  if (!parsed.ok) throw new Failure('usage', `${option}: ${parsed.reason}`);
  return parsed.value;
}

function readyTime(text: string): number {
  return text.trim() === 'never' ? Infinity : time('--ready', text);
}

function boundOf({ rounds, timeout }: Asked): { readonly rounds?: number; readonly timeout?: number } {
  if (rounds !== undefined && timeout !== undefined) {
    throw new Failure('usage', '--rounds and --timeout: a loop is bounded by one of them');
  }
  if (rounds !== undefined) return { rounds: whole('--rounds', rounds, 1, 1_000_000) };
  return timeout === undefined ? {} : { timeout: time('--timeout', timeout) };
}

function endsByItself(asked: Call): boolean {
  return asked.kind === 'poll' && asked.timeout > 0;
}

function time(option: string, text: string): number {
  const value = parseNs(text);
  if (value === undefined) throw new Failure('usage', `${option} ${text}: not a time; write it as 200us or 1.5 ms`);
  if (value > 3600e9) throw new Failure('usage', `${option} ${text}: more than an hour`);
  return value;
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text.trim()) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) {
    throw new Failure('usage', `${option} ${text}: not a whole number from ${least} to ${most}`);
  }
  return value;
}

import { Command, Option } from 'commander';
import {
  comparable,
  measureLabelled,
  measureLogs,
  measurement,
  type BootLog,
  type Measurement,
} from '../../core/evidence/index.js';
import { measurementToJson } from '../../core/report/index.js';
import { Failure } from '../config/index.js';
import { reportFailure } from './failures.js';
import { readLogFile, type LogFile } from './log-file.js';
import { measureHtml, measureText } from './measure-view.js';

type Options = {
  readonly before?: string[];
  readonly after?: string[];
  readonly from?: string;
  readonly to?: string;
  readonly unit: string;
  readonly format: string;
};

type Side = 'before' | 'after';
const scales: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** `reveille measure`: two sets of boots, or of numbers, compared with the statistics that so few runs allow. */
export function measureCommand(): Command {
  return new Command('measure')
    .description('Compares boot logs or numbers of before and after: intervals, statistics and a verdict.')
    .argument('[mail...]', 'mails that hold both, by the words above their logs')
    .option('--before <file...>', 'logs, mails or files of numbers from without the change')
    .option('--after <file...>', 'the same from with it')
    .option('--from <text>', 'take time from the line with this text')
    .option('--to <text>', 'take time to the line with this text')
    .addOption(new Option('--unit <unit>', 'of numbers that have none').choices(['ns', 'us', 'ms', 's']).default('ms'))
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json', 'html']).default('text'))
    .action(async (mails: string[], options: Options) => {
      process.stdout.write(await measure(mails, options));
    });
}

async function measure(mails: readonly string[], options: Options): Promise<string> {
  const both = await readAll(mails);
  const before = await readAll(options.before ?? []);
  const after = await readAll(options.after ?? []);
  const logs = (files: readonly LogFile[], side: Side) => files.flatMap((f) => sideOf(f.logs, side));
  const ends = {
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.to === undefined ? {} : { to: options.to }),
  };
  const found: Measurement[] = [];
  const a = numbersOf(before, options.unit);
  const b = numbersOf(after, options.unit);
  if (a.length > 0 && b.length > 0) found.push(measurement('the numbers given', 'as given', a, b));
  const groups = both.flatMap((file) => comparable(file.logs));
  const hasBoth = (group: readonly BootLog[]): boolean => new Set(group.map((l) => l.label)).size > 1;
  // A side each: who names them together says that they belong together.
  const apart = comparable(groups.filter((g) => !hasBoth(g)).flat());
  for (const group of [...groups.filter(hasBoth), ...apart]) found.push(...measureLabelled(group, ends));
  found.push(...measureLogs(logs(before, 'before'), logs(after, 'after'), ends));
  if (found.length === 0) {
    const why =
      both.length + before.length + after.length === 0
        ? 'nothing to measure: give --before and --after, or a mail with both'
        : 'nothing that both sides have';
    reportFailure(
      new Failure(both.length + before.length + after.length === 0 ? 'usage' : 'not-mail', `measure: ${why}`),
    );
  }
  if (options.format === 'json') return json(found);
  if (found.length === 0) return '';
  return options.format === 'html' ? measureHtml(found) : measureText(found);
}

async function readAll(paths: readonly string[]): Promise<LogFile[]> {
  const files: LogFile[] = [];
  for (const path of paths) {
    try {
      const file = await readLogFile(path);
      if (file.logs.length === 0 && file.numbers === undefined)
        throw new Failure('not-mail', `${path}: format unknown: neither a log nor numbers`);
      files.push(file);
    } catch (error) {
      reportFailure(error);
    }
  }
  return files;
}

/** Under --before a mail's own `after` logs are left out; a plain log has no label of its own. */
function sideOf(logs: readonly BootLog[], side: Side): BootLog[] {
  const own = logs.filter((l) => l.label === side);
  return own.length > 0 ? own : logs.filter((l) => l.label === 'unknown');
}

function numbersOf(files: readonly LogFile[], unit: string): number[] {
  return files.flatMap((f) => f.numbers ?? []).map((n) => Math.round(n.value * (scales[n.unit ?? unit] ?? 1e6)));
}

function json(found: readonly Measurement[]): string {
  const measurements = found.map((m) => ({ ...measurementToJson(m), stats: m.stats }));
  return `${JSON.stringify({ schema: 'reveille.measure.v1', measurements }, null, 2)}\n`;
}

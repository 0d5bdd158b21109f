import { Command, Option } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isEmptySummary, summaryToHtml, summaryToJson, summaryToText, type Summary } from '../../core/report/index.js';
import type { Policy } from '../../core/review/index.js';
import { composerOf, replay, reviewerOf, summariseStore, type SummaryAsk } from '../bot/index.js';
import { Failure, loadPolicy, loadSettings, openKnowledge, storeUrl, type Settings } from '../config/index.js';
import { openStore } from '../store/index.js';
import { openMaintainers } from '../tree/index.js';
import { examplePolicy, readArchive } from './archive.js';
import { dateOf, momentBefore } from './moments.js';
import { print } from './output.js';
import { replayIdentity, replayStore } from './replay.js';
import { sendSummaries } from './summary-send.js';

type Options = {
  readonly since: string;
  readonly until?: string;
  readonly config?: string;
  readonly store?: string;
  readonly list?: string;
  readonly subsystem?: string;
  readonly tree?: string;
  readonly send: boolean;
  readonly activity: boolean;
  readonly format: 'text' | 'html' | 'json';
  readonly seed: string;
};

/** `reveille summary`: what changed in waits over a period, what it saves, what nobody has answered. */
export function summaryCommand(): Command {
  return new Command('summary')
    .description('What changed in waits lately, what it saves, and what is unanswered: for maintainers.')
    .argument(
      '[path...]',
      'mail to look at in place of a store: mboxes (also .gz), Maildirs, directories, public-inbox',
    )
    .option('--since <time>', 'how far back: 7d, 12h, 4w, or a day such as 2026-11-30', '7d')
    .option('--until <day>', 'where the period ends; now, or with the newest mail of an archive')
    .option('--list <id>', 'one list only, by its List-Id')
    .option('--subsystem <name>', 'one subsystem only: what stands before the first colon of a title')
    .option('--config <file>', 'settings of the daemon whose store is looked at')
    .option('--store <url>', 'the store itself: sqlite:PATH or postgres://...')
    .option('--tree <dir>', 'a kernel tree, whose get_maintainer.pl names subsystems and maintainers')
    .option('--send', "mail it to the policy's maintainers of each list, as text and HTML; needs --config", false)
    .option('--activity', 'also what the bot did: sent, approved, marked wrong, muted, by list and month', false)
    .addOption(new Option('--format <name>', 'how to print it').choices(['text', 'html', 'json']).default('text'))
    .option('--seed <n>', 'seed of the simulation', '1')
    .action(async (paths: string[], options: Options) => {
      process.exitCode = await runSummary(paths, options);
    });
}

async function runSummary(paths: readonly string[], options: Options): Promise<number> {
  const fromStore = options.config !== undefined || options.store !== undefined;
  if (paths.length > 0 && fromStore) {
    throw new Failure('usage', 'summary: give either mail to look at, or a store with --config or --store');
  }
  if (paths.length === 0 && !fromStore) {
    throw new Failure('usage', 'summary: nothing to look at: name an mbox or archive, --config FILE or --store URL');
  }
  if (options.send) return sendSummary(paths, options);
  const { summary, exit } = fromStore ? await ofStore(options) : await ofArchive(paths, options);
  await show(summary, options);
  return exit;
}

type Made = { readonly summary: Summary; readonly exit: number };

async function ofStore(options: Options): Promise<Made> {
  const now = Date.now();
  const settings = options.config === undefined ? undefined : await loadSettings(options.config);
  const url = options.store ?? (settings === undefined ? '' : await storeUrl(settings, process.env));
  const store = await openStore(url, { now });
  try {
    const tree = options.tree ?? settings?.tree;
    const named = tree === undefined ? options : { ...options, tree };
    const ask = askFor(named, now, await ownAddresses(settings));
    const knowledge = await openKnowledge();
    return { summary: await store.read((db) => summariseStore(db, knowledge, ask)), exit: 0 };
  } finally {
    await store.close();
  }
}

async function ownAddresses(settings: Settings | undefined): Promise<string[]> {
  const state = await loadPolicy(settings?.policy);
  return state.kind === 'none' ? [] : addressesOf(state.policy);
}

function addressesOf({ self, aliases }: Policy): string[] {
  return [self.address, ...aliases];
}

const day = 86_400_000;
/** Mail before the period that still tells of it: earlier versions, threads that go on. */
const context = 60 * day;
/** Where no mail names a list, one has to stand for them. */
const noList = 'no-list.invalid';

async function ofArchive(paths: readonly string[], options: Options): Promise<Made> {
  const archive = await readArchive(paths, {
    list: options.list ?? noList,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  const folder = mkdtempSync(join(tmpdir(), 'reveille-summary-'));
  try {
    const newest = archive.mails.at(-1)?.at ?? 0;
    const policy = await examplePolicy([...archive.lists.keys()]);
    const ask = askFor(options, newest + 1, addressesOf(policy));
    const knowledge = await openKnowledge();
    const deps = {
      review: reviewerOf(knowledge, ask.seed),
      compose: composerOf(replayIdentity),
      ...replayIdentity,
      policy,
    };
    const mails = archive.mails.filter(({ at }) => at >= ask.from - context && at < ask.until);
    let summary: Summary | undefined;
    await replay(mails, deps, replayStore({ mails }, folder), async (store) => {
      summary = await store.read((db) => summariseStore(db, knowledge, ask));
    });
    if (summary === undefined) throw new Error('a replay that ended without its end');
    return { summary, exit: Math.max(0, ...archive.problems.map((problem) => problem.exit)) };
  } finally {
    archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function askFor(options: Options, now: number, own: readonly string[]): SummaryAsk {
  const { list, subsystem, activity } = options;
  const until = options.until === undefined ? now : dateOf(options.until);
  if (until === undefined) {
    throw new Failure('usage', `--until ${options.until ?? ''}: not a day; write it as 2026-11-30`);
  }
  const from = momentBefore('--since', options.since, until);
  if (from >= until) throw new Failure('usage', '--since is not before --until');
  if (!/^\d{1,10}$/.test(options.seed)) throw new Failure('usage', `--seed ${options.seed}: not a whole number`);
  return {
    from,
    until,
    ...(list === undefined ? {} : { list }),
    ...(subsystem === undefined ? {} : { subsystem }),
    seed: Number(options.seed),
    own,
    activity,
    ...(options.tree === undefined ? {} : { lookUp: openMaintainers(options.tree, { say }) }),
  };
}

async function show(summary: Summary, { format }: Options): Promise<void> {
  switch (format) {
    case 'json':
      return print(`${JSON.stringify(summaryToJson(summary), null, 2)}\n`);
    case 'text':
    case 'html':
      if (!isEmptySummary(summary)) return print(format === 'html' ? summaryToHtml(summary) : summaryToText(summary));
      process.stderr.write(`reveille: ${emptyWords(summary)}\n`);
      return;
    default:
      format satisfies never;
  }
}

/** Nothing is printed where there is nothing to say, so that a mail made of it is none. */
function emptyWords({ mails, period }: Summary): string {
  const span = `${period.from.slice(0, 16)} to ${period.until.slice(0, 16)}`;
  // An archive without mail has no newest one for its period to end with.
  if (period.until.startsWith('1970-')) return 'no mail';
  return mails === 0 ? `no mail from ${span}` : `nothing about waits in ${mails} mails from ${span}`;
}

function say(line: string): void {
  process.stderr.write(`reveille: ${line}\n`);
}

async function sendSummary(paths: readonly string[], options: Options): Promise<number> {
  if (options.config === undefined || paths.length > 0)
    throw new Failure(
      'usage',
      'summary --send: needs --config FILE, and takes no mail: what is sent comes from the store',
    );
  if (options.subsystem !== undefined)
    throw new Failure('usage', 'summary --send: a digest is about a list as a whole; --subsystem does not go with it');
  const { from, until, seed } = askFor(options, Date.now(), []);
  const { list, config, tree } = options;
  return sendSummaries({
    config,
    from,
    until,
    seed,
    ...(list === undefined ? {} : { list }),
    ...(tree === undefined ? {} : { tree }),
    print,
  });
}

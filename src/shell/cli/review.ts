import { Command, InvalidArgumentError, Option } from 'commander';
import { writeMboxEntry } from '../../core/mail/index.js';
import { replyToMail } from '../../core/reply/index.js';
import {
  reviewsToHtml,
  reviewToB4,
  reviewToJson,
  reviewToTerse,
  reviewToText,
  type B4Result,
} from '../../core/report/index.js';
import { Failure, openCatalogue, openKnowledge } from '../config/index.js';
import { openSources } from '../source/index.js';
import { openTree, type CheckpatchOutcome, type KernelTree } from '../tree/index.js';
import { checkpatchPath, startCheckpatch } from './checkpatch-runs.js';
import { reportFailure } from './failures.js';
import { print } from './output.js';
import { paintFor } from './paint.js';
import { startProgress } from './progress.js';
import { dryRunReply, reviewAll, type Reviewed } from './review-run.js';

type Options = {
  readonly git?: string;
  readonly format: 'text' | 'json' | 'ndjson' | 'html' | 'mbox' | 'b4' | 'terse';
  readonly all: boolean;
  readonly allNits: boolean;
  readonly nitsOnly: boolean;
  readonly checkpatch: boolean;
  readonly config?: string;
  readonly hz?: number;
  readonly kernel?: string;
  readonly tree?: string;
  readonly seed: number;
  readonly jobs?: number;
  readonly failOn: 'never' | 'finding' | 'nit';
};

// A person who reviews a few patches wants each verdict; one who feeds an archive wants those that matter.
const fewMails = 20;

/** `reveille review`: reads mail from anywhere, reviews all of it, sends nothing. */
export function reviewCommand(): Command {
  return new Command('review')
    .description(
      'review patch mail: mboxes (also .gz), .eml, .patch, directories, Maildirs, public-inbox, standard input (-)',
    )
    .argument('[path...]', 'what to read; - for standard input')
    .option('--git <range>', 'review commits that are not sent yet, as git format-patch makes them')
    .addOption(
      new Option('--format <name>', 'what to print')
        .choices(['text', 'json', 'ndjson', 'html', 'mbox', 'b4', 'terse'])
        .default('text'),
    )
    .option('--all', 'show silent reviews too', false)
    .option('--all-nits', 'show every finding, nothing suppressed by policy, version or count', false)
    .option('--nits-only', 'show findings on form only', false)
    .option('--checkpatch', "run the kernel tree's own checkpatch.pl too, and show its words as its own", false)
    .option('--config <file>', 'settings, of which `tree` and `checkpatch.path` are taken')
    .option('--hz <n>', 'ticks a second of the kernel in question', parseHz)
    .option('--kernel <X.Y>', 'version of the kernel in question', parseKernel)
    .option('--tree <dir>', 'a kernel tree to look constants and sibling drivers up in')
    .option('--jobs <n>', 'worker threads; 0 reads in one thread', parseJobs)
    .option('--seed <n>', 'seed of the simulation', parseSeed, 1)
    .addOption(
      new Option('--fail-on <what>', 'exit with 1 on these').choices(['never', 'finding', 'nit']).default('never'),
    )
    .action(async (paths: string[], options: Options, command: Command) => {
      if (paths.length === 0 && options.git === undefined)
        command.error('nothing to review: name a path, - or --git RANGE', { exitCode: 2 });
      try {
        process.exitCode = await runReview(paths, options);
      } catch (error) {
        reportFailure(error);
      }
    });
}

/** Reviews, prints, and gives the exit status: 0 done, 1 findings when asked to fail on them, 2 no mail, 3 unreadable. */
async function runReview(paths: readonly string[], options: Options): Promise<number> {
  const problems: Failure[] = [];
  const progress = startProgress();
  const tree = await treeOf(options, (text) => progress.say(`reveille: ${text}`));
  const plain = await openKnowledge({ hz: options.hz, kernel: options.kernel });
  const made = tree === undefined ? plain.made : { ...plain.made, tree: tree.version };
  const knowledge = { ...plain, made, allFindings: options.allNits };
  const script = options.checkpatch ? await checkpatchPath(options) : undefined;
  const sources = openSources(paths, {
    ranges: options.git === undefined ? [] : [options.git],
    onProblem: (problem) => {
      problems.push(problem);
      progress.say(`reveille: ${problem.message}`);
    },
    onProgress: progress.at,
  });
  const checkpatch = script === undefined ? undefined : startCheckpatch(sources, script);
  const counts = { mails: 0, worth: 0, findings: 0, nits: 0 };
  const printer = printerFor(options);
  const running = reviewAll(checkpatch?.mails ?? sources, knowledge, {
    kernel: options.kernel,
    defaultRules: !options.allNits,
    jobs: options.jobs,
    all: options.all,
    seed: options.seed,
    reply: dryRunReply,
    tree,
    onStuck: (mail) => progress.say(`reveille: ${mail.source.path}: one mail took too long and was given up`),
    onAllRead: (count) => {
      counts.mails = count;
      progress.end();
    },
  });
  for await (const reviewed of running) {
    if (reviewed.review.decision.worth) counts.worth++;
    for (const finding of reviewed.review.findings) {
      if (finding.heldBy === 'off' || finding.confidence === 'low' || finding.level === 'note') continue;
      if (finding.nit) counts.nits++;
      else counts.findings++;
    }
    const said = reviewed.review.kind === 'patch' ? await checkpatch?.outcomeOf(reviewed.review.source) : undefined;
    if (said?.ok === true) counts.nits += said.messages.filter(({ level }) => level !== 'check').length;
    if (said?.ok === false) problems.push(new Failure('checkpatch', said.reason.text));
    await printer.show({ ...onlyNits(reviewed, options), checkpatch: said }, counts.mails);
  }
  await printer.end();
  progress.end();
  if (counts.mails > 1 && options.format === 'text') {
    progress.say(`${counts.mails} mails read, ${counts.worth} worth a reply`);
  }
  if (problems.some((p) => p.exit === 3)) return 3;
  if (problems.length > 0) return 2;
  return fails(options, counts) ? 1 : 0;
}

async function treeOf(options: Options, say: (text: string) => void): Promise<KernelTree | undefined> {
  return options.tree === undefined ? undefined : openTree(options.tree, { ...(await openCatalogue()), say });
}

function fails({ failOn, nitsOnly }: Options, counts: { findings: number; nits: number; worth: number }): boolean {
  const waits = nitsOnly ? 0 : counts.findings + counts.worth;
  switch (failOn) {
    case 'never':
      return false;
    case 'finding':
      return waits > 0;
    case 'nit':
      return waits + counts.nits > 0;
    default:
      return failOn satisfies never;
  }
}

function onlyNits(reviewed: Reviewed, options: Options): Reviewed {
  if (!options.nitsOnly) return reviewed;
  const { review } = reviewed;
  const findings = review.findings.filter((f) => f.nit);
  return { review: { ...review, changes: [], estimates: [], findings }, reply: undefined };
}

type Shown = Reviewed & { readonly checkpatch?: CheckpatchOutcome };
type Printer = { show: (shown: Shown, mails: number) => Promise<void>; end: () => Promise<void> };

function printerFor(options: Options): Printer {
  switch (options.format) {
    case 'text':
      return textPrinter(options);
    case 'json':
      return jsonPrinter(options, '[\n', ',\n', '\n]\n');
    case 'ndjson':
      return jsonPrinter(options, '', '\n', '\n');
    case 'html':
      return htmlPrinter(options);
    case 'b4':
      return b4Printer();
    case 'terse':
      return tersePrinter();
    case 'mbox':
      return mboxPrinter();
    default:
      return options.format satisfies never;
  }
}

/** Whether a review is shown without --all. */
function isShown({ review, checkpatch }: Shown, options: Options): boolean {
  if (checkpatch?.ok === false || (checkpatch?.messages.length ?? 0) > 0) return true;
  return options.all || review.decision.worth || (options.nitsOnly && review.findings.length > 0);
}

/** All that is worth a reply; of silent patches the verdict too, as long as there are few mails. */
function isForPeople(shown: Shown, mails: number, options: Options): boolean {
  return (mails <= fewMails && shown.review.kind === 'patch') || isShown(shown, options);
}

function textPrinter(options: Options): Printer {
  const paint = paintFor(process.stdout);
  return {
    show: async (reviewed, mails) => {
      if (isForPeople(reviewed, mails, options)) {
        await print(`${reviewToText(reviewed.review, reviewed.reply, { paint, checkpatch: reviewed.checkpatch })}\n`);
      }
    },
    end: () => Promise.resolve(),
  };
}

function jsonPrinter(options: Options, open: string, between: string, close: string): Printer {
  let shown = 0;
  return {
    show: async (reviewed) => {
      if (!isShown(reviewed, options)) return;
      await print(
        `${shown === 0 ? open : between}${JSON.stringify(reviewToJson(reviewed.review, reviewed.reply, reviewed.checkpatch))}`,
      );
      shown++;
    },
    end: async () => {
      if (shown > 0) await print(close);
      else if (open !== '') await print('[]\n');
    },
  };
}

/** A page holds what a browser can show. */
const mostOnAPage = 500;

function htmlPrinter(options: Options): Printer {
  const kept: Reviewed[] = [];
  let left = 0;
  return {
    show: (reviewed, mails) => {
      if (isForPeople(reviewed, mails, options)) {
        if (kept.length < mostOnAPage) kept.push(reviewed);
        else left++;
      }
      return Promise.resolve();
    },
    end: () => {
      if (left > 0)
        process.stderr.write(`reveille: the page holds the first ${mostOnAPage}; ${left} more are left out\n`);
      return print(reviewsToHtml(kept));
    },
  };
}

/** b4's check protocol: one array of results, of patches only. */
function b4Printer(): Printer {
  const results: B4Result[] = [];
  return {
    show: ({ review }) => {
      if (review.kind === 'patch') results.push(reviewToB4(review));
      return Promise.resolve();
    },
    end: () => print(`${JSON.stringify(results, null, 2)}\n`),
  };
}

function tersePrinter(): Printer {
  return {
    show: ({ review }) => (review.kind === 'patch' ? print(reviewToTerse(review)) : Promise.resolve()),
    end: () => Promise.resolve(),
  };
}

/** The replies as mails in one mboxrd, ready for a mail reader. */
function mboxPrinter(): Printer {
  const date = new Date().toISOString();
  return {
    show: async ({ reply }) => {
      if (reply !== undefined) await print(writeMboxEntry(replyToMail(reply, date)));
    },
    end: () => Promise.resolve(),
  };
}

function parseHz(text: string): number {
  const hz = Number(text);
  if (!/^\d{1,4}$/.test(text) || hz < 24 || hz > 1200)
    throw new InvalidArgumentError('HZ is a whole number from 24 to 1200');
  return hz;
}

function parseKernel(text: string): string {
  if (!/^\d{1,2}\.\d{1,3}(?:\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('a kernel version looks like 6.12');
  return text;
}

function parseJobs(text: string): number {
  const jobs = Number(text);
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('a number of threads, 0 to 999');
  return jobs;
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,10}$/.test(text) || !Number.isSafeInteger(seed))
    throw new InvalidArgumentError('a seed is a whole number');
  return seed;
}

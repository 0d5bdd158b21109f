import { Command, InvalidArgumentError, Option } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseMessage, writeMboxEntry } from '../../core/mail/index.js';
import {
  dossierOf,
  dossierToHtml,
  dossierToJson,
  dossierToText,
  type Dossier,
  type DossierReply,
  type Summary,
} from '../../core/report/index.js';
import type { Knowledge, Made, Policy } from '../../core/review/index.js';
import {
  composerOf,
  replay,
  reviewerOf,
  summariseStore,
  type ArchiveMail,
  type Replay,
  type ReplayDeps,
  type ReviewedCandidate,
  type SummaryAsk,
} from '../bot/index.js';
import { Failure, loadPolicy, openKnowledge } from '../config/index.js';
import { examplePolicy, readArchive, type Archive } from './archive.js';
import { print } from './output.js';

type Options = {
  readonly policy?: string;
  readonly list?: string;
  readonly format: 'text' | 'html' | 'json' | 'mbox';
  readonly samples: number;
  readonly seed: number;
  readonly jobs?: number;
};

/** `reveille replay`: what the bot would have sent over an archive. */
export function replayCommand(): Command {
  return new Command('replay')
    .description(
      'Runs an archive through the bot on a clock of its own: what it would have sent, when, and why it kept silent.',
    )
    .argument('<path...>', 'archives: mboxes (also .gz), Maildirs, directories, public-inbox')
    .option(
      '--policy <file>',
      "policy to follow; without it the shipped example, with the archive's own list added to it",
    )
    .option('--list <id>', 'List-Id to take mails for that carry none')
    .addOption(
      new Option('--format <name>', 'what to print; mbox: every reply')
        .choices(['text', 'html', 'json', 'mbox'])
        .default('text'),
    )
    .option('--samples <n>', 'how many replies to show whole', parseCount, 10)
    .option('--seed <n>', 'seed of the simulation', parseCount, 1)
    .option('--jobs <n>', 'worker threads that read; 0 reads in one thread; the dossier is the same', parseJobs)
    .action(async (paths: string[], options: Options) => {
      process.exitCode = await runReplay(paths, options);
    });
}

async function runReplay(paths: readonly string[], options: Options): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const archive = await readArchive(paths, {
    ...(options.list === undefined ? {} : { list: options.list }),
    ...(options.jobs === undefined ? {} : { jobs: options.jobs }),
    say,
  });
  const folder = mkdtempSync(join(tmpdir(), 'reveille-replay-'));
  try {
    const policy = await policyFor(archive.lists, options, say);
    const knowledge = await openKnowledge();
    const deps = {
      review: reviewerOf(knowledge, options.seed),
      compose: composerOf(replayIdentity),
      ...replayIdentity,
      policy,
    };
    const own = [policy.self.address, ...policy.aliases];
    const url = replayStore(archive, folder);
    const { result, summary } = await replayWithSummary(archive.mails, deps, {
      url,
      knowledge,
      seed: options.seed,
      own,
    });
    const dossier = await makeDossier({
      result,
      summary,
      made: { ...knowledge.made, policy: basename(options.policy ?? 'the example'), seed: options.seed },
      archive: paths.map((path) => basename(path)).join(', '),
      samples: options.samples,
    });
    await show(dossier, result, options);
  } finally {
    archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return Math.max(0, ...archive.problems.map((problem) => problem.exit));
}

/** Message-IDs of a replay are nobody's: the domain cannot exist (RFC 2606). */
export const replayIdentity = { secret: 'replay', domain: 'replay.invalid' };

async function policyFor(
  seen: ReadonlyMap<string, number>,
  options: Options,
  say: (line: string) => void,
): Promise<Policy> {
  if (options.policy !== undefined) {
    const state = await loadPolicy(options.policy);
    if (state.kind === 'none') throw new Failure('configuration', state.why);
    return state.policy;
  }
  const example = await examplePolicy([]);
  if (example.lists.some((list) => seen.has(list.listId))) return example;
  const main = [...seen].sort((a, b) => b[1] - a[1])[0]?.[0];
  if (main === undefined) {
    say('reveille: no mail carries a List-Id; name the list with --list');
    return example;
  }
  say(`reveille: ${main} is taken to have opted in as the example policy's list has; --policy says otherwise`);
  return examplePolicy([main]);
}

async function show(dossier: Dossier, result: Replay, { format }: Options): Promise<void> {
  switch (format) {
    case 'text':
      return print(dossierToText(dossier));
    case 'html':
      return print(dossierToHtml(dossier));
    case 'json':
      return print(`${JSON.stringify(dossierToJson(dossier), null, 2)}\n`);
    case 'mbox':
      for (const { reply } of result.sent) await print(writeMboxEntry(reply.bytes));
      return;
    default:
      format satisfies never;
  }
}

export type DossierParts = {
  readonly result: Replay;
  readonly summary: Summary;
  readonly made: Made;
  readonly archive: string;
  readonly samples: number;
};

/** The dossier of a replay: its replies read back from their own bytes, and what the store says of the series that got none. */
export async function makeDossier({ result, summary, made, archive, samples }: DossierParts): Promise<Dossier> {
  const sent: DossierReply[] = [];
  for (const { at, reply, rules } of result.sent) {
    const { subject, text } = await parseMessage(reply.bytes);
    const { home: list, parent, envelope } = reply;
    sent.push({ at: new Date(at).toISOString(), list, parent, subject, to: envelope.to, rules, body: text });
  }
  const { first, last, mails, patches, silent } = result;
  return dossierOf({
    made,
    archive,
    ...(first === undefined ? {} : { first: new Date(first).toISOString() }),
    ...(last === undefined ? {} : { last: new Date(last).toISOString() }),
    mails,
    patches,
    silent,
    sent,
    summary,
    shown: samples,
  });
}

/** Where the mails of a replay stand while it runs: in memory, where they fit well. */
export function replayStore(archive: Pick<Archive, 'mails'>, folder: string): string {
  return archive.mails.length <= 20_000 ? 'sqlite::memory:' : `sqlite:${join(folder, 'replay.db')}`;
}

/** Runs an archive through the bot, and sums up what changed a wait over all of it. */
export async function replayWithSummary(
  mails: readonly ArchiveMail[],
  deps: ReplayDeps<ReviewedCandidate>,
  ask: Pick<SummaryAsk, 'seed' | 'own'> & { readonly url: string; readonly knowledge: Knowledge },
): Promise<{ result: Replay; summary: Summary }> {
  const { url, knowledge, seed, own } = ask;
  const span = { from: mails[0]?.at ?? 0, until: (mails.at(-1)?.at ?? 0) + 1 };
  let summary: Summary | undefined;
  const result = await replay(mails, deps, url, async (store) => {
    summary = await store.read((db) => summariseStore(db, knowledge, { ...span, seed, own, activity: false }));
  });
  if (summary === undefined) throw new Error('a replay that ended without its end');
  return { result, summary };
}

function parseJobs(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('must be a number of threads, 0 to 999');
  return Number(text);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

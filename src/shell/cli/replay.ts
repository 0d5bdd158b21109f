import { Command, InvalidArgumentError, Option } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMboxEntry } from '../../core/mail/index.js';
import type { Policy } from '../../core/review/index.js';
import { composerOf, replay, reviewerOf, type Replay, type Replayed } from '../bot/index.js';
import { Failure, loadPolicy, openKnowledge } from '../config/index.js';
import { examplePolicy, readArchive } from './archive.js';
import { print } from './output.js';

type Options = {
  readonly policy?: string;
  readonly list?: string;
  readonly format: 'text' | 'json' | 'mbox';
  readonly samples: number;
  readonly seed: number;
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
        .choices(['text', 'json', 'mbox'])
        .default('text'),
    )
    .option('--samples <n>', 'how many replies to show whole', parseCount, 10)
    .option('--seed <n>', 'seed of the simulation', parseCount, 1)
    .action(async (paths: string[], options: Options) => {
      process.exitCode = await runReplay(paths, options);
    });
}

async function runReplay(paths: readonly string[], options: Options): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const archive = await readArchive(paths, { ...(options.list === undefined ? {} : { list: options.list }), say });
  const folder = mkdtempSync(join(tmpdir(), 'reveille-replay-'));
  try {
    const policy = await policyFor(archive.lists, options, say);
    const deps = {
      review: reviewerOf(await openKnowledge(), options.seed),
      compose: composerOf(replayIdentity),
      ...replayIdentity,
      policy,
    };
    const result = await replay(archive.mails, deps, `sqlite:${join(folder, 'replay.db')}`);
    await show(result, options);
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

async function show(result: Replay, options: Options): Promise<void> {
  switch (options.format) {
    case 'text':
      return print(renderReplayText(result, options.samples));
    case 'json':
      return print(`${JSON.stringify(replayToJson(result, options.samples), null, 2)}\n`);
    case 'mbox':
      for (const { reply } of result.sent) await print(writeMboxEntry(reply.bytes));
      return;
    default:
      options.format satisfies never;
  }
}

/** The contract `reveille.replay.v1`. */
export function replayToJson(result: Replay, samples: number): Record<string, unknown> {
  return {
    schema: 'reveille.replay.v1',
    mails: result.mails,
    patches: result.patches,
    months: monthsOf(result),
    replies: result.sent.length,
    repliesPerMonth: perMonth(result),
    byRule: byRule(result),
    samples: pick(result.sent, samples).map(sampleOf),
    silent: result.silent,
  };
}

function monthsOf(result: Replay): number {
  const span = (result.last ?? 0) - (result.first ?? 0);
  return Math.round((span / (30.44 * 86_400_000)) * 100) / 100;
}

function perMonth(result: Replay): number {
  // Less than a month of mail says nothing about a month: it counts as a whole one.
  return Math.round((result.sent.length / Math.max(1, monthsOf(result))) * 100) / 100;
}

function byRule(result: Replay): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { rules } of result.sent) for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/** Spread over the whole time, not the first ones only. */
function pick(sent: readonly Replayed[], samples: number): Replayed[] {
  const count = Math.min(samples, sent.length);
  return Array.from({ length: count }, (_, i) => sent[Math.floor((i * sent.length) / count)]).filter(
    (one) => one !== undefined,
  );
}

function sampleOf({ at, reply, rules }: Replayed): Record<string, unknown> {
  const [head = '', ...body] = new TextDecoder().decode(reply.bytes).split('\n\n');
  const subject = /^Subject: ([^\n]*(?:\n[ \t][^\n]*)*)/m.exec(head)?.[1]?.replace(/\n\s+/g, ' ') ?? '';
  return {
    at: new Date(at).toISOString(),
    list: reply.home,
    parent: reply.parent,
    subject,
    to: reply.envelope.to,
    rules,
    body: body.join('\n\n'),
  };
}

/** For people: the figures, the rules, the silences, then replies as they would have stood in the list. */
export function renderReplayText(result: Replay, samples: number): string {
  const lines = [
    `${result.mails} mails, ${result.patches} patches, ${monthsOf(result)} months`,
    `${result.sent.length} replies, ${perMonth(result)} a month`,
    '',
    'said, by rule:',
    ...countLines(byRule(result)),
    '',
    'postings without an answer, by reason:',
    ...countLines(Object.fromEntries(Object.entries(result.silent).sort((a, b) => b[1] - a[1]))),
  ];
  const shown = pick(result.sent, samples).map((sent) => {
    const { at, subject, rules, body } = sampleOf(sent) as {
      at: string;
      subject: string;
      rules: string[];
      body: string;
    };
    return `\n---- ${at.slice(0, 16).replace('T', ' ')} UTC  ${rules.join(', ')}\nSubject: ${plain(subject)}\n\n${plain(body)}`;
  });
  return `${lines.join('\n')}\n${shown.join('\n')}`;
}

function countLines(counts: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(counts);
  return entries.length === 0 ? ['  none'] : entries.map(([name, count]) => `${String(count).padStart(6)}  ${name}`);
}

/** Strangers' words on a terminal: control characters would drive it. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

import { threadMailOf, type ListPolicy, type Policy } from '../../core/review/index.js';
import type { ArchiveMail, ReadMail } from '../bot/index.js';
import { Failure, loadPolicy, packageRoot } from '../config/index.js';
import { openSources } from '../source/index.js';
import { join } from 'node:path';
import type { Spooled } from './read-batch.js';
import { readInOrder } from './read-pool.js';
import { startProgress } from './progress.js';
import { Spool } from './spool.js';

export type Archive = {
  /** In the order in which they came, by their own dates. */
  readonly mails: readonly ArchiveMail[];
  /** How many mails came through each list. */
  readonly lists: ReadonlyMap<string, number>;
  readonly problems: readonly Failure[];
  close(): void;
};

export type ArchiveOptions = {
  /** List-Id for mails that carry none. */
  readonly list?: string;
  readonly jobs?: number;
  readonly say: (line: string) => void;
};

/** Reads archives whole, in worker threads; what was read waits on disk. `close` gives it up. */
export async function readArchive(paths: readonly string[], options: ArchiveOptions): Promise<Archive> {
  const progress = startProgress();
  const problems: Failure[] = [];
  const spool = new Spool<Spooled>();
  const dates: number[] = [];
  const lists = new Map<string, number>();
  try {
    const mails = openSources(paths, {
      ranges: [],
      onProblem: (problem) => {
        problems.push(problem);
        progress.say(`reveille: ${problem.message}`);
      },
      onProgress: progress.at,
    });
    const reading = readInOrder(mails, {
      threads: true,
      jobs: options.jobs,
      onStuck: (mail) => progress.say(`reveille: ${mail.source.path}: one mail took too long and was given up`),
    });
    for await (const { kept, json } of reading) {
      spool.add(json);
      dates.push(kept.date ?? Number.NaN);
      const own = kept.lists.length === 0 && options.list !== undefined ? [options.list] : kept.lists;
      for (const list of own) lists.set(list, (lists.get(list) ?? 0) + 1);
    }
  } catch (error) {
    spool.close();
    throw error;
  } finally {
    progress.end();
  }
  return { mails: inOrder(dates, spool, options.list), lists, problems, close: () => spool.close() };
}

/** Arrival in order of the mails' own dates; one without a date that can be believed came with its neighbour. */
function inOrder(dates: readonly number[], spool: Spool<Spooled>, list: string | undefined): ArchiveMail[] {
  const sorted = dates.filter((date) => !Number.isNaN(date)).sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // A clock that is thirty years off is not when the mail came.
  const believed = (date: number): boolean => Math.abs(date - middle) < 30 * 365 * 86_400_000;
  let last = sorted.find(believed) ?? 0;
  const mails = dates.map((date, number) => {
    if (believed(date)) last = date;
    return { at: last, number };
  });
  mails.sort((a, b) => a.at - b.at || a.number - b.number);
  return mails.map(({ at, number }) => ({ at, read: () => readMailOf(spool.get(number), list) }));
}

function readMailOf({ reading, mail }: Spooled, list: string | undefined): ReadMail {
  const { lists } = reading.message;
  return {
    // Only a mail that could not be read has none.
    mail: mail ?? threadMailOf(reading.message, reading),
    lists: lists.length === 0 && list !== undefined ? [list] : lists,
    reading,
  };
}

/** The example policy that comes with the program, with lists that opt in as its own list has. */
export async function examplePolicy(lists: readonly string[]): Promise<Policy> {
  const state = await loadPolicy(join(packageRoot(), 'config', 'policy.yaml'));
  if (state.kind === 'none') throw new Failure('configuration', state.why);
  const [example] = state.policy.lists;
  if (example === undefined) return state.policy;
  const known = new Set(state.policy.lists.map((list) => list.listId));
  const added = lists
    .filter((id) => !known.has(id))
    .map((listId): ListPolicy => ({ ...example, listId, address: addressOf(listId) ?? example.address }));
  return { ...state.policy, lists: [...state.policy.lists, ...added] };
}

/** Where a list is written to, as list servers name them: `linux-quux.lists.example.org` is linux-quux@lists.example.org. */
function addressOf(listId: string): string | undefined {
  const dot = listId.indexOf('.');
  return dot > 0 && listId.indexOf('.', dot + 1) > 0 ? `${listId.slice(0, dot)}@${listId.slice(dot + 1)}` : undefined;
}

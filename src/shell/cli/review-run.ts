import { renderReply, type Reply, type ReplyOptions } from '../../core/reply/index.js';
import { review, type Knowledge, type Reading, type Review } from '../../core/review/index.js';
import type { KernelTree } from '../tree/index.js';
import type { Mail, Spooled } from './read-batch.js';
import { readInOrder, type PoolOptions } from './read-pool.js';
import { Spool } from './spool.js';
import { startThreadIndex } from './thread-index.js';

export type ReviewAllOptions = PoolOptions & {
  readonly seed: number;
  readonly reply: ReplyOptions;
  /** Also mails that cannot be worth a reply: talk, covers, robots. */
  readonly all: boolean;
  /** Answers what a mail leaves open. */
  readonly tree?: KernelTree;
  readonly onAllRead?: (count: number) => void;
};

export type Reviewed = { readonly review: Review; readonly reply: Reply | undefined };

/** Who answers in a dry run: nobody that exists (RFC 2606). A configured instance has its own. */
export const dryRunReply: ReplyOptions = {
  from: { name: 'Reveille', address: 'reveille@bot.invalid' },
  operator: 'operator@bot.invalid',
  lists: [],
  own: ['reveille@bot.invalid'],
  secret: '',
  domain: 'bot.invalid',
};

/**
 * Reviews all mails of a source, in their order. Pass 1 reads each and keeps little; then series are assembled; pass 2
 * reviews each mail with what had arrived before it.
 */
export async function* reviewAll(
  mails: AsyncIterable<Mail>,
  knowledge: Knowledge,
  options: ReviewAllOptions,
): AsyncGenerator<Reviewed> {
  const spool = new Spool<Spooled>();
  try {
    const index = startThreadIndex();
    for await (const mail of readInOrder(mails, options)) {
      spool.add(mail.json);
      index.add(mail.kept);
    }
    options.onAllRead?.(index.length());
    const threads = index.finish();
    const answered = new Set<string>();
    for (let number = 0; number < index.length(); number++) {
      if (!threads.isPatch(number) && !options.all) continue;
      const { reading, source } = spool.get(number);
      const series = threads.seriesOf.get(reading.message.id ?? '');
      const earlier = threads.earlier(number, series, reading).map((n) => spool.get(n).reading);
      const tree = options.tree?.answer(reading.changes);
      const later = threads.later(series, reading).map((n) => spool.get(n).reading);
      const history = await historyOf(reading, options.tree);
      const result = review({ about: reading, source, earlier, later, series, tree, history }, knowledge, options.seed);
      // One mail a series: the first patch of it that deserves one is answered, the others are named in the review.
      const once = series?.id ?? reading.message.id ?? `${number}`;
      const first = result.decision.worth && !answered.has(once);
      if (first) answered.add(once);
      yield first || !result.decision.worth
        ? { review: result, reply: renderReply(result, options.reply) }
        : { review: withReason(result), reply: undefined };
    }
  } finally {
    spool.close();
  }
}

/** What the tree's history calls changes to the files of each patch. */
async function historyOf(
  { kind, patches }: Reading,
  tree: KernelTree | undefined,
): Promise<(readonly string[] | undefined)[] | undefined> {
  if (tree === undefined || kind !== 'patch') return undefined;
  return Promise.all(patches.map(({ files }) => tree.subjects(files.map(({ path, oldPath }) => oldPath ?? path))));
}

function withReason(result: Review): Review {
  const reasons = [...result.decision.reasons, 'answered-elsewhere-in-series' as const];
  return { ...result, decision: { ...result.decision, reasons } };
}

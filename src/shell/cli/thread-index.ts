import { assembleSeries, type PatchHead, type Series } from '../../core/patch/index.js';
import type { Reading } from '../../core/review/index.js';
import type { Kept } from './read-batch.js';

/** What is known of the threads of an archive while it is read: of a mail that no other is reviewed with, two numbers. */
export type ThreadIndex = {
  /** Takes the next mail, in order of arrival. */
  readonly add: (kept: Kept) => void;
  readonly length: () => number;
  /** Once all are read. */
  readonly finish: () => Threads;
};

/** Mails go by their number, in order of arrival. */
export type Threads = {
  readonly seriesOf: ReadonlyMap<string, Series>;
  readonly isPatch: (number: number) => boolean;
  /** A reply's context is its ancestors, a patch's the other mails of its series: of both, those that came before it. */
  readonly earlier: (number: number, series: Series | undefined, reading: Reading) => number[];
  /** Later patches of the same series, asked for where a nit is about an added line. */
  readonly later: (series: Series | undefined, reading: Reading) => number[];
};

// A thread's older evidence beyond this many mails tells nothing new and costs time.
const mostAncestors = 40;

/** An empty index. */
export function startThreadIndex(): ThreadIndex {
  const patches: boolean[] = [];
  const interesting = new Map<string, number>();
  const numberOf = new Map<string, number>();
  const heads: PatchHead[] = [];
  const shared = shareStrings();
  function add({ id, head, interesting: counts, patch }: Kept): void {
    const number = patches.push(patch) - 1;
    if (id !== undefined && (counts || patch)) {
      const own = shared(id);
      if (counts && !interesting.has(own)) interesting.set(own, number);
      if (!numberOf.has(own)) numberOf.set(own, number);
    }
    if (head !== undefined) heads.push(sharedHead(head, shared));
  }
  function finish(): Threads {
    const seriesOf = new Map<string, Series>();
    for (const series of assembleSeries(heads)) {
      for (const member of series.members) seriesOf.set(member.id, series);
      if (series.cover !== undefined) seriesOf.set(series.cover, series);
    }
    heads.length = 0;
    return {
      seriesOf,
      isPatch: (number) => patches[number] ?? false,
      earlier: (number, series, { message }) => {
        const mates = series?.members.map((m) => m.id) ?? [];
        const cover = series?.cover === undefined ? [] : [series.cover];
        const context = [...mates, ...cover, ...message.references.slice(-mostAncestors), ...message.inReplyTo];
        const numbers = new Set<number>();
        for (const id of context) {
          const found = interesting.get(id);
          if (found !== undefined && found < number) numbers.add(found);
        }
        return [...numbers].sort((a, b) => a - b).slice(-mostAncestors);
      },
      later: (series, { message, findings }) => {
        const members = series?.members ?? [];
        const own = members.findIndex(({ id }) => id === message.id);
        if (own === -1 || !findings.some(({ nit, quote }) => nit && quote?.startsWith('+') === true)) return [];
        return members.slice(own + 1, own + 1 + mostAncestors).flatMap(({ id }) => numberOf.get(id) ?? []);
      },
    };
  }
  return { add, length: () => patches.length, finish };
}

/** One string for all equal ones: ids, authors and paths come again and again. */
function shareStrings(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const first = known.get(text);
    if (first !== undefined) return first;
    known.set(text, text);
    return text;
  };
}

function sharedHead(head: PatchHead, shared: (text: string) => string): PatchHead {
  const { id, author, authorName, parents, paths } = head;
  return {
    ...head,
    id: shared(id),
    ...(author === undefined ? {} : { author: shared(author) }),
    ...(authorName === undefined ? {} : { authorName: shared(authorName) }),
    parents: parents.map(shared),
    paths: paths.map(shared),
  };
}

import type { DelayChange, Sibling } from '../../core/delay/index.js';
import type { Poll } from './siblings.js';

const mostSiblings = 5;
/** Below this two polls have no more in common than that they are polls. */
const leastLikeness = 4;

/** The other polls of the tree that are most like the one that a change is about, the most alike first. */
export function siblingsOf(change: DelayChange, polls: readonly Poll[], vendors: readonly string[]): Sibling[] {
  if (!['sleep', 'busy', 'poll-interval'].includes(change.kind)) return [];
  // What waits once has nothing to learn from a loop.
  if (change.before === undefined || change.inLoop !== true) return [];
  const own = polls.find((p) => p.file === change.file && p.function === change.function);
  const about = { change, own, vendors, words: wordsOf(change.function ?? '') };
  return polls
    .flatMap((poll) => {
      if (poll.file === change.file && poll.function === change.function) return [];
      const likeness = likenessOf(poll, about);
      return likeness >= leastLikeness ? [{ poll, likeness }] : [];
    })
    .sort((a, b) => b.likeness - a.likeness || (a.poll.file < b.poll.file ? -1 : 1) || a.poll.line - b.poll.line)
    .slice(0, mostSiblings)
    .map(({ poll }) => ({
      file: poll.file,
      ...(poll.function === undefined ? {} : { function: poll.function }),
      text: poll.text,
      line: poll.line,
    }));
}

type About = {
  readonly change: DelayChange;
  readonly own: Poll | undefined;
  readonly vendors: readonly string[];
  readonly words: readonly string[];
};

/** Same vendor, words of the function's name, folder and shape of the loop; a shorter interval has nothing to learn from the change. */
function likenessOf(poll: Poll, about: About): number {
  const least = about.change.before?.span?.min;
  if (least !== undefined && poll.min !== undefined && poll.min < least) return 0;
  const vendor = poll.vendors.some((v) => about.vendors.includes(v));
  const words = shared(about.words, wordsOf(poll.function ?? ''));
  if (!vendor && words < 0.6) return 0;
  const shape =
    about.own === undefined ? 0 : Number(poll.shape === about.own.shape) + Number(poll.bound === about.own.bound);
  return (vendor ? 3 : 0) + 5 * words + nearness(poll.file, about.change.file) + shape / 2;
}

/** Words of a name but the first, which is mostly the driver's, and those that say nothing. */
function wordsOf(name: string): string[] {
  const words = name
    .toLowerCase()
    .split('_')
    .filter((w) => w !== '' && !/^(?:for|to|and|of|the|is)$/.test(w));
  return words.slice(1);
}

function shared(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const common = a.filter((w) => b.includes(w)).length;
  return common < 2 ? 0 : common / Math.max(a.length, b.length);
}

function nearness(a: string, b: string): number {
  const [x, y] = [a.split('/'), b.split('/')];
  let same = 0;
  while (same < x.length - 1 && x[same] === y[same]) same++;
  return Math.min(same, 4) / 4;
}

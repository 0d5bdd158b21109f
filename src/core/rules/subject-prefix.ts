import { isSuggestion } from './log-lines.js';
import type { Rule } from './finding.js';

// Fewer commits show no custom, and tree-wide changes are always among them.
const fewest = 8;
const most = 0.6;

export const subjectPrefix: Rule = {
  id: 'subject-prefix',
  title: 'Prefix that the history of the files does not know',
  nit: true,
  why: 'People find the patches of their subsystem by the prefix, and their mail is sorted by it.',
  instead: 'Use the prefix of recent commits to the same files (git log --oneline -- FILE).',
  level: 'warning',
  confidence: 'medium',
  source: 'Documentation/process/submitting-patches.rst, The canonical patch format @ v6.12',
  since: '0.1.0',
  default: true,

  *check(input) {
    const { patch, history = [] } = input;
    if (isSuggestion(input)) return;
    const known = history.flatMap((title) => prefixOf(title) ?? []);
    if (history.length < fewest) return;
    const own = prefixOf(patch.title);
    if (own !== undefined && known.includes(own)) return;
    const usual = mostCommon(known);
    if (usual === undefined || usual.count < most * history.length) return;
    const same = `Of the last ${history.length} commits to these files ${usual.count} begin with "${usual.text}:"`;
    yield {
      text: own === undefined ? `${same}, this one has no prefix.` : `${same}, this one with "${own}:".`,
      key: usual.text,
    };
  },
};

/** What stands before the first colon: `nvme-pci`, or `scsi` of `scsi: ufs: core: ...`. */
function prefixOf(title: string): string | undefined {
  return /^([A-Za-z0-9][\w.,+*/()\[\] -]{0,50}):\s/.exec(title)?.[1];
}

function mostCommon(words: readonly string[]): { text: string; count: number } | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first === undefined ? undefined : { text: first[0], count: first[1] };
}

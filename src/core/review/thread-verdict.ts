import { unquotedLines } from './unquoted.js';

/** What people have made of a posting: `applied` covers queued, merged and picked up. */
export type ThreadVerdict = 'applied' | 'rejected';

const done = 'applied|queued|merged|pushed|picked up|picked it up|took|taken';

const appliedLine = [
  // "Applied, thanks!", "Applied to nvme-5.6", "Queued up for 5.7", "Thanks, applied."
  new RegExp(
    `^(?:(?:ok|okay|thanks?|thank you|great|both|all|patch(?:es)?|series|now|and)[,.!:]? ){0,3}(?:${done})(?:[ ,.!:;-]|$)`,
    'i',
  ),
  // "I've applied this", "has been queued", "was merged into", "Thanks. Both patches are now applied"
  /\b(?:i've|i have|we've|we have|have been|has been|was|were|is now|are now|now|been) (?:now |just |already |also )?(?:applied|queued|merged|pushed|picked)\b/i,
  /^this (?:patch|series|pull request) was applied to /i,
];

// "Applied to nvme-5.6", "queued up for 5.7", "merged into for-next": the word after it must look like a tree.
const intoTree = /\b(?:applied|queued|merged|pushed) (?:up )?(?:to|for|into|in|on|as) (?:the )?([\w./-]{1,60})/i;
const treeWord = /next|tree|branch|fixes|^for-|\d\.\d|master|^main$/i;

// "has been applied to" said as a wish, a question or a condition is none.
const notYet =
  /\b(?:if|when|once|until|unless|before|after|should|could|can|will|would|please|not|n't|already applied|apply)\b|\?\s*$/i;

const rejectedLine =
  /^(?:(?:so|sorry|that'?s|it'?s a?|this is a?|still|big|strong|hard)[,]? ){0,2}(?:nak|nack|naked-by|nacked-by|nak-by)(?:[ ,.!:;-]|$)/i;

function lineVerdict(line: string): ThreadVerdict | undefined {
  const text = line.trim().slice(0, 400);
  if (rejectedLine.test(text)) return 'rejected';
  const tree = intoTree.exec(text)?.[1];
  const applied = (tree !== undefined && treeWord.test(tree)) || appliedLine.some((pattern) => pattern.test(text));
  return applied && !notYet.test(text) ? 'applied' : undefined;
}

/** What the replies of a thread say became of the patch; the latest word counts. `texts` are in order of arrival. */
export function threadVerdict(texts: readonly string[]): ThreadVerdict | undefined {
  let verdict: ThreadVerdict | undefined;
  for (const text of texts) {
    for (const line of unquotedLines(text)) verdict = lineVerdict(line) ?? verdict;
  }
  return verdict;
}

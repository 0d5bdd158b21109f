import { unquotedLines } from './unquoted.js';

/** What people have made of a posting: `applied` covers queued, merged and picked up. */
export type ThreadVerdict = 'applied' | 'rejected';

const verbs = 'applied|queued|merged|pushed|picked';

// "Applied, thanks", "Thanks, both patches applied", "Hand applied due to ...": nothing but such words before the verb.
const lead =
  "thanks?|you|ok|okay|great|cool|good|perfect|both|all|two|three|four|now|patch|patches|series|the|this|these|entire|whole|rest|first|manually|hand|tentatively|also|already|just|is|are|was|were|has|have|been|it|them|i've|we've|went|gone|ahead|got|everyone";
const ledVerb = new RegExp(`^(?:(?:${lead}) ){0,7}(${verbs})(?= |$)`);

// "Applied to nvme-5.6", "queued up for 5.7", "merged into for-next": the word after it must look like a tree.
const intoTree = new RegExp(`(${verbs}) (?:up )?(?:to|for|into|in) (?:the |new |a new )?([\\w./-]{1,60})`);
const treeWord = /next|tree|branch|fixes|^for-|\d\.\d|master|\.git\b|^main$/;

// "I applied this one directly", "I've taken the series". `your patch` is what a tester applies.
const byMe =
  /\b(?:i|i've|we|we've|i have|we have) (?:have )?(?:(?:just|now|already|hand|also|tentatively|gone ahead and|went ahead and) ){0,2}(?:applied|queued up|queued|picked up) (?:all |both |of |up )?(?:it|this|these|them|the (?:entire |whole |first |rest )?(?:patch|patches|series)|patch|patches|both|all but|\d)\b|\bi (?:took|have taken) (?:this|these|the (?:patch|patches|series))\b/;

// What must follow where the verb alone has another meaning: requests are queued, code is merged, versions are pushed.
const follows: Readonly<Record<string, RegExp>> = {
  applied: /^(?! (?:cleanly|on top|your|fine|here|locally))/,
  queued: /^(?:$| up| for| these| this\b| in | to [\w./-]*(?:next|tree|branch|\d\.\d))/,
  merged: /^(?:$| to | into | in | for | upstream| already| by | this\b)/,
  pushed: /^(?:$| to | this to| these to| it to| out )/,
  picked: /^ (?:up|it up|this up|these up|this one up)(?:$| )/,
};

// Said before the verb, in the same sentence, these make a wish, a condition or a plan of it.
const notYet =
  /\b(?:if|when|once|until|unless|before|after|should|could|can|will|would|please|not|never|to be|planned|needs?|must|hopefully|being|gets?|cannot|with|where)\b|n't\b/;
// "Queued up for v8" says its author: it is on the way, and a new version comes.
const nextVersion =
  /(?:applied|queued|picked)(?: up| this| it)* (?:for|in|to) (?:the )?(?:v\d{1,3}(?=$|[ ,]|\.(?=$| ))|next (?:version|round|spin))/;

const rejected =
  /^(?:(?:so|sorry|that's|it's|this is|a|an|still|big|strong|hard|massive|definite|clear) ){0,3}(?:nak|nack|naked-by|nacked-by|nak-by)(?=$| )/;
const rejectedByMe = /\bi(?:'ve| have)? (?:already )?(?:nak|nack)(?:ed|'d|'ed) (?:this|it|the|that)\b/;

/** What the replies of a thread say became of the patch; the latest word counts. `texts` are in order of arrival. */
export function threadVerdict(texts: readonly string[]): ThreadVerdict | undefined {
  let verdict: ThreadVerdict | undefined;
  for (const text of texts) {
    for (const sentence of sentencesOf(unquotedLines(text))) verdict = sentenceVerdict(sentence) ?? verdict;
  }
  return verdict;
}

/** Sentences over line ends, in lower case: a line that begins with "merged" may be the end of another word's. */
function sentencesOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = [''];
  for (const line of lines) {
    const text = line.trim().slice(0, 400);
    if (text === '') paragraphs.push('');
    else paragraphs.push(`${paragraphs.pop() ?? ''} ${text}`);
  }
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .slice(0, 4000)
      .toLowerCase()
      .replace(/\u2019/g, "'")
      .split(/(?<=[.!?])\s/),
  );
}

function sentenceVerdict(sentence: string): ThreadVerdict | undefined {
  const text = sentence.trim();
  if (text.endsWith('?')) return undefined;
  const clauses = text.split(/[,;:()\u2013\u2014!]| -+ | so | and | but |\.(?=$| )/).map((clause) => clause.trim());
  if (rejectedByMe.test(text) || clauses.some((clause) => rejected.test(clause))) return 'rejected';
  if (nextVersion.test(text)) return undefined;
  let before = '';
  for (const clause of clauses) {
    const at = appliedAt(clause);
    if (at !== undefined && !notYet.test(`${before} ${clause.slice(0, at)}`)) return 'applied';
    before += ` ${clause}`;
  }
  return undefined;
}

/** Where in a clause it is said that something was applied. */
function appliedAt(clause: string): number | undefined {
  const led = ledVerb.exec(clause);
  const verb = led?.[1] ?? '';
  if (led !== null && follows[verb]?.test(clause.slice(led[0].length)) === true) return led[0].length - verb.length;
  const tree = intoTree.exec(clause);
  if (tree !== null && treeWord.test(tree[2] ?? '')) return tree.index;
  const mine = byMe.exec(clause);
  return mine === null ? undefined : mine.index;
}

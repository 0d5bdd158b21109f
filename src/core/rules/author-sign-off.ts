import { decodeWords } from '../mail/index.js';
import type { Patch } from '../patch/index.js';
import { headerOf, isSuggestion, logLines } from './log-lines.js';
import { parsePerson, plainAddress, signaturesOf, type Person } from './signatures.js';
import type { RuleInput } from './finding.js';

type Difference = 'name' | 'address' | 'subaddress' | 'comment' | 'case';

export type AuthorSignOff =
  | { readonly kind: 'found' | 'no-sign-off' }
  | { readonly kind: 'absent'; readonly author: string }
  | {
      readonly kind: 'differs';
      readonly what: Difference;
      readonly author: string;
      readonly signer: string;
    };

const kept = new WeakMap<Patch, AuthorSignOff>();

/** Whether the patch's author is among those who signed it off, and if nearly so, what differs. */
export function authorSignOff(input: RuleInput): AuthorSignOff {
  const known = kept.get(input.patch) ?? compare(input);
  kept.set(input.patch, known);
  return known;
}

function compare(input: RuleInput): AuthorSignOff {
  const signers = signaturesOf(logLines(input).all).filter(({ tag }) => tag.toLowerCase() === 'signed-off-by');
  if (signers.length === 0 || isSuggestion(input)) return { kind: 'no-sign-off' };
  const shown = authorLine(input);
  const mine = parsePerson(shown);
  let nearest: AuthorSignOff = { kind: 'absent', author: shown };
  if (mine === undefined) return nearest;
  for (const { value } of signers) {
    const signer = parsePerson(value) ?? nobody;
    const what = difference(mine, signer);
    if (what === 'nothing') return { kind: 'found' };
    if (what !== 'everything') nearest = { kind: 'differs', what, author: shown, signer: value };
  }
  return nearest;
}

const nobody: Person = { name: '', address: '', comment: '', tail: '' };

function difference(mine: Person, signer: Person): Difference | 'nothing' | 'everything' {
  const sameName = signer.name === mine.name;
  if (signer.address.toLowerCase() === mine.address.toLowerCase()) {
    if (!sameName) return 'name';
    if (signer.address !== mine.address) return 'case';
    return remarkOf(signer) === remarkOf(mine) ? 'nothing' : 'comment';
  }
  if (!sameName) return 'everything';
  return plainAddress(signer.address) === plainAddress(mine.address) ? 'subaddress' : 'address';
}

function remarkOf({ comment, tail }: Person): string {
  return comment === '' ? tail : comment;
}

// The last From counts, be it the header's, the one that git send-email puts into the body, or one further down.
function authorLine(input: RuleInput): string {
  const inBody = logLines(input).log.findLast(({ text }) => /^From:\s*\S/i.test(text))?.text;
  const field = inBody?.replace(/^From:\s*/i, '') ?? headerOf(input, 'from');
  const { author } = input.patch;
  if (field !== undefined && field.length < 1000) return decodeWords(field).trim();
  return author === undefined ? '' : `${author.name} <${author.address}>`.trim();
}

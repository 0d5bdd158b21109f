import { isSuggestion, logLines } from './log-lines.js';
import { parsePerson, plainAddress, signaturesOf } from './signatures.js';
import type { RuleInput } from './finding.js';

export type AuthorSignOff =
  | { readonly kind: 'found' | 'no-sign-off' }
  | { readonly kind: 'absent'; readonly author: string }
  | {
      readonly kind: 'differs';
      readonly what: 'name' | 'address' | 'subaddress' | 'comment' | 'case';
      readonly author: string;
      readonly signer: string;
    };

/** Whether the patch's author is among those who signed it off, and if nearly so, what differs. */
export function authorSignOff(input: RuleInput): AuthorSignOff {
  const signers = signaturesOf(logLines(input).all).filter(({ tag }) => tag.toLowerCase() === 'signed-off-by');
  const author = input.patch.author;
  if (signers.length === 0 || author === undefined || isSuggestion(input)) return { kind: 'no-sign-off' };
  const mine = parsePerson(`${author.name} <${author.address}>`) ?? { ...author, comment: '', tail: '' };
  const shown = `${author.name} <${author.address}>`.trim();
  let nearest: AuthorSignOff = { kind: 'absent', author: shown };
  for (const { value } of signers) {
    const signer = parsePerson(value);
    if (signer === undefined) continue;
    const sameAddress = signer.address.toLowerCase() === mine.address.toLowerCase();
    const sameName = signer.name === mine.name;
    if (signer.address === mine.address && sameName && signer.comment === mine.comment) return { kind: 'found' };
    if (!sameAddress && !sameName) continue;
    const what = sameAddress
      ? sameName
        ? signer.address === mine.address
          ? 'comment'
          : 'case'
        : 'name'
      : plainAddress(signer.address) === plainAddress(mine.address)
        ? 'subaddress'
        : 'address';
    nearest = { kind: 'differs', what, author: shown, signer: value };
  }
  return nearest;
}

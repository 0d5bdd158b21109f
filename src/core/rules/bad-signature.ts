import { isSuggestion, logLines } from './log-lines.js';
import { parsePerson, signaturesOf, stableTail, type Signature } from './signatures.js';
import { isSince } from './version.js';
import type { Remark, Rule, RuleInput } from './finding.js';

const usual = [
  'Signed-off-by',
  'Co-developed-by',
  'Acked-by',
  'Tested-by',
  'Reviewed-by',
  'Reported-by',
  'Suggested-by',
  'To',
  'Cc',
  'Nacked-by',
];

export const badSignature: Rule = {
  id: 'bad-signature',
  title: 'Signature line that tools cannot read',
  nit: true,
  why: 'Scripts count and notify people by these lines; a misspelt tag or address is lost.',
  instead: 'Write it as "Tag: Name <address>" with a tag from submitting-patches.rst.',
  level: 'warning',
  confidence: 'low',
  source: 'Documentation/process/submitting-patches.rst @ v6.12; scripts/checkpatch.pl BAD_SIGN_OFF @ v7.3',
  since: '0.1.0',
  checkpatch: 'BAD_SIGN_OFF',
  default: false,

  *check(input) {
    if (isSuggestion(input)) return;
    const signatures = signaturesOf(logLines(input).all);
    const seen = new Set<string>();
    for (const [at, signature] of signatures.entries()) {
      yield* spelling(signature, input);
      yield* person(signature, input);
      yield* coDeveloper(signature, signatures[at + 1], input);
      const same = `${signature.tag}:${signature.value}`.toLowerCase().replace(/\s+/g, ' ');
      if (seen.has(same)) yield remark(signature, 'The same signature stands above.');
      seen.add(same);
    }
  },
};

function remark({ tag, value, mailLine }: Signature, text: string): Remark {
  return { mailLine, text, key: `${tag}: ${value}: ${text}` };
}

function* spelling(signature: Signature, input: RuleInput): Iterable<Remark> {
  const { tag, indent, gap } = signature;
  const known = usualForm(tag, knownTags(input));
  if (known === undefined) {
    const near = usual.find((one) => isNear(one.toLowerCase(), tag.toLowerCase()));
    yield remark(
      signature,
      near === undefined ? `${tag}: is no usual tag.` : `${tag}: is no usual tag; ${near}: may be meant.`,
    );
  } else if (known !== tag && !/^(?:cc|to)$/i.test(tag)) yield remark(signature, `The usual form is ${known}:.`);
  if (indent !== '') yield remark(signature, `There is white space before ${tag}:.`);
  if (gap !== ' ') yield remark(signature, `One space is expected after ${tag}:.`);
}

// Assisted-by came with coding-assistants.rst; stable trees that know it stand beside newer ones that do not.
function knownTags({ kernel }: RuleInput): readonly string[] {
  const assisted = !isSince(kernel, '6.18') || isSince(kernel, '7.1');
  return assisted ? [...usual, 'Assisted-by'] : usual;
}

// `Reviewed-and-tested-by:` is usual where its last part is.
function usualForm(tag: string, known: readonly string[]): string | undefined {
  const small = tag.toLowerCase();
  const whole = known.find((one) => one.toLowerCase() === small);
  if (whole !== undefined || !known.some((one) => tag.toLowerCase().includes(`-and-${one.toLowerCase()}`)))
    return whole;
  return `${small.charAt(0).toUpperCase()}${small.slice(1)}`;
}

// One letter more, less or other, or the two longer words share all but their ends.
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  let head = 0;
  while (head < a.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return a.length - head - tail <= 2 && b.length - head - tail <= 2;
}

function* person(signature: Signature, input: RuleInput): Iterable<Remark> {
  const { tag, value } = signature;
  if (tag.toLowerCase() === 'assisted-by' && knownTags(input).includes('Assisted-by')) {
    if (isSince(input.kernel, '7.2') ? value !== '' : /^\S+:\S+/.test(value)) return;
    yield remark(signature, 'Assisted-by: names an agent and its model.');
    return;
  }
  const read = parsePerson(value);
  if (read === undefined) {
    const level = 'error';
    yield { ...remark(signature, `No address can be read from "${value}".`), level };
    return;
  }
  if (/[.,]$/.test(read.address)) yield remark(signature, 'The address ends with a mark that is none of it.');
  if (/\(.*\)/.test(read.address)) yield remark(signature, 'There is a comment in the address.');
  // Cc: stable has its own rule; a comment after # or in brackets is usual.
  const stable = /^stable@/i.test(read.address) || stableTail.test(read.tail);
  if (read.tail !== '' && !stable && !/^(?:#|\(.*\)$)/.test(read.tail)) {
    yield remark(signature, `There is text after the address: "${read.tail}".`);
  }
}

function* coDeveloper(signature: Signature, next: Signature | undefined, input: RuleInput): Iterable<Remark> {
  if (signature.tag.toLowerCase() !== 'co-developed-by') return;
  const read = parsePerson(signature.value);
  const author = input.patch.author;
  if (read !== undefined && author !== undefined && same(read, author)) {
    yield remark(signature, 'Co-developed-by: names the author of the patch.');
    return;
  }
  const signer = next?.tag.toLowerCase() === 'signed-off-by' ? parsePerson(next.value) : undefined;
  const follows = next !== undefined && next.mailLine === signature.mailLine + 1;
  if (!follows || signer === undefined || read === undefined || !same(read, signer)) {
    yield remark(signature, 'Co-developed-by: must be followed by the Signed-off-by: of the same person.');
  }
}

function same(a: { name: string; address: string }, b: { name: string; address: string }): boolean {
  return a.address === b.address && a.name === b.name;
}

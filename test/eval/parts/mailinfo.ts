/** Our reading of a mail against `git mailinfo`: subject, author, text and patch bytes; every difference has a named rule. */
import { decodeText, parseMessage, type Message } from '../../../src/core/mail/index.js';
import { parsePatches } from '../../../src/core/patch/index.js';
import { corpusMails, type CorpusMail, type Half } from './corpus-mails.js';
import { askMailinfo, type GitReading } from './git-mailinfo.js';

type Verdict = 'same' | 'unexplained' | { readonly rule: string };

const fields = ['subject', 'author', 'text', 'patch', 'applied author', 'applied log'] as const;
type Field = (typeof fields)[number];

/** Prints the counts of each field by rule and the unexplained differences of the even half; gives their number. */
export async function scoreMailinfo(sets?: readonly string[]): Promise<number> {
  const counts = new Map<string, Record<Half, number>>();
  const unexplained: string[] = [];
  let mails = 0;
  const count = (key: string, half: Half): void => {
    const row = counts.get(key) ?? { even: 0, odd: 0 };
    row[half]++;
    counts.set(key, row);
  };
  for await (const batch of batches(sets)) {
    mails += batch.length;
    const answers = await askMailinfo(batch.map(({ mail }) => mail.bytes));
    for (const [at, { mail, message }] of batch.entries()) {
      const git = answers[at];
      if (git === undefined) continue;
      for (const field of fields) {
        const verdict = git.isRead ? compare(field, message, git, mail.bytes) : { rule: 'git gives up' };
        if (verdict === undefined) continue;
        if (verdict === 'unexplained') unexplained.push(`${mail.half} ${field} ${mail.name}`);
        count(`${field}: ${typeof verdict === 'string' ? verdict : verdict.rule}`, mail.half);
      }
    }
  }
  console.log(`mails compared with git mailinfo: ${mails}`);
  for (const [key, row] of [...counts].sort(([left], [right]) => (left < right ? -1 : 1))) {
    console.log(`  ${key}: ${row.even} even, ${row.odd} odd`);
  }
  console.log(`unexplained differences: ${unexplained.length} (0)`);
  for (const line of unexplained.filter((text) => text.startsWith('even'))) console.log(`  ${line}`);
  return unexplained.length;
}

function isPatchMail(message: Message): boolean {
  return /^\[[^\]]*PATCH/i.test(message.subject) && /^(?:@@ -|diff --git )/m.test(message.text);
}

type Read = { readonly mail: CorpusMail; readonly message: Message };

async function* batches(sets?: readonly string[]): AsyncGenerator<Read[]> {
  let batch: Read[] = [];
  for await (const mail of corpusMails(sets)) {
    const message = await parseMessage(mail.bytes);
    if (mail.set === 'archive' && !isPatchMail(message)) continue;
    batch.push({ mail, message });
    if (batch.length < 200) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function compare(field: Field, message: Message, git: GitReading, bytes: Uint8Array): Verdict | undefined {
  switch (field) {
    case 'subject':
      return compareSubject(message.subject, git.subject, bytes);
    case 'author':
      return compareAuthor(message, git);
    case 'text':
      return compareText(message, Buffer.concat([git.body, git.patch]), git, bytes);
    case 'patch':
      return compareText(message, git.patch, git, bytes);
    case 'applied author':
      return compareApplied(message, git)?.author;
    case 'applied log':
      return compareApplied(message, git)?.log;
    default:
      return field satisfies never;
  }
}

/** Author and log of a mail's only patch, in-body headers applied; undefined where there is no such patch or git has none. */
function compareApplied(message: Message, git: GitReading): { author: Verdict; log: Verdict } | undefined {
  const [patch, other] = parsePatches(message).patches;
  if (patch === undefined || other !== undefined || git.patch.length === 0) return undefined;
  const { name = '', address = '' } = patch.author ?? {};
  const { author, email, log } = git.applied;
  const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const isAuthor = address === email && folded(name || address) === (author || email);
  const lines = (text: string): string =>
    text
      .replaceAll('\r', '')
      .replace(/[ \t]+$/gm, '')
      .trim();
  const [ours, theirs] = [lines(patch.log.lines.join('\n')), lines(log)];
  const why = whyApplied(message, ours, theirs);
  const differs: Verdict = why === undefined ? 'unexplained' : { rule: why };
  const isLongName = name.length > 60 && author === email;
  return {
    author: isAuthor ? 'same' : isLongName ? { rule: 'git drops a name over 60 characters' } : differs,
    log: ours === theirs ? 'same' : differs,
  };
}

function whyApplied(message: Message, ours: string, theirs: string): string | undefined {
  const bare = (text: string): string => text.replace(/\s/g, '');
  if (message.problems.some(({ kind }) => kind === 'no-header')) return noHeader;
  if (hasMimeHead(theirs)) return nestedParts;
  if (/^>?From: .*@/m.test(theirs) && bare(theirs).endsWith(bare(ours)))
    return 'git leaves the head of a pasted patch in the log';
  if (bare(ours) === bare(theirs)) return 'flowed: git joins lines';
  return undefined;
}

const noHeader = 'no mail header: git takes the first lines for one';
const nestedParts = 'git leaves heads of nested MIME parts in the text';

/** A boundary and a field of a part's header right below it, as text. */
function hasMimeHead(text: string): boolean {
  return /^--[^ \n]{5,}\n(?:content-type|content-transfer-encoding):/im.test(text);
}

function compareSubject(ours: string, theirs: string, bytes: Uint8Array): Verdict {
  if (ours === theirs) return 'same';
  const one = (text: string): string => text.replace(/[\s\u0000-\u001f]+/g, ' ').trim();
  if (one(ours) === one(theirs)) return { rule: 'blanks and controls of folding' };
  const subjects =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/^Subject:.*$/gim) ?? [];
  if (subjects.length > 1 && subjects.some((line) => line.includes(ours)))
    return { rule: 'several Subjects: git takes the last' };
  const raw = /[^\u0000-\u007f]/.test(subjects[0] ?? '');
  if (raw && theirs.includes('\ufffd')) return { rule: 'raw 8-bit bytes: git leaves them' };
  return 'unexplained';
}

function compareAuthor(message: Message, git: GitReading): Verdict {
  const { name = '', address = '' } = message.from ?? {};
  if ((name || address) === (git.author || git.email) && address === git.email) return 'same';
  if (address === '' && !git.email.includes('@'))
    return { rule: 'From without an address: git takes what is in brackets' };
  if (address !== git.email) return 'unexplained';
  if (name.length > 60 && git.author === git.email) return { rule: 'git drops a name over 60 characters' };
  if (name.replace(/\s+/g, ' ') === git.author) return { rule: 'git folds blanks of a name' };
  if (name.includes('@') && git.author === git.email) return { rule: 'git drops a name with @' };
  return 'unexplained';
}

type Pair = { readonly ours: string; readonly theirs: string };

/** Whether git's bytes are the end of our text, allowing for one named difference after the other. */
function compareText(message: Message, theirBytes: Buffer, git: GitReading, bytes: Uint8Array): Verdict {
  const type = message.headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const charset = /charset="?([^";\s]*)/i.exec(type)?.[1];
  const isPatch = theirBytes === git.patch;
  const ends = ({ ours, theirs }: Pair): boolean => (isPatch ? ours.endsWith(theirs) : ours === theirs);
  let pair: Pair = { ours: message.text.replace(/^\s*\n/, ''), theirs: theirBytes.toString('utf8') };
  if (ends(pair)) return 'same';
  const rules: string[] = [];
  const steps: readonly (readonly [string, boolean, (pair: Pair) => Pair])[] = [
    [
      'git leaves the patch in its charset',
      true,
      ({ ours }) => ({
        ours,
        theirs: git.body.toString('utf8').slice(isPatch ? Infinity : 0) + decodeText(git.patch, charset).text,
      }),
    ],
    [
      'CR kept by git',
      true,
      ({ ours, theirs }) => ({ ours: ours.replaceAll('\r', ''), theirs: theirs.replaceAll('\r', '') }),
    ],
    ['blank lines at the ends', true, ({ ours, theirs }) => ({ ours: ours.trim(), theirs: theirs.trim() })],
    [
      'NUL and BOM',
      true,
      ({ ours, theirs }) => ({ ours: ours.replace(/[\0\ufeff]/g, ''), theirs: theirs.replace(/[\0\ufeff]/g, '') }),
    ],
    [
      'flowed: git joins lines',
      /format="?flowed/i.test(type),
      ({ ours, theirs }) => ({ ours: ours.replace(/\s/g, ''), theirs: theirs.replace(/\s/g, '') }),
    ],
  ];
  for (const [rule, applies, step] of steps) {
    if (!applies) continue;
    const next = step(pair);
    if (next.ours !== pair.ours || next.theirs !== pair.theirs) rules.push(rule);
    pair = next;
    if (ends(pair)) return { rule: rules.join(' + ') };
  }
  if (message.problems.some(({ kind }) => kind === 'html-only' || kind === 'no-text'))
    return { rule: 'no plain text: git takes what there is' };
  if (message.problems.some(({ kind }) => kind === 'no-header')) return { rule: noHeader };
  if (!/^multipart/i.test(type)) return 'unexplained';
  if (hasMimeHead(theirBytes.toString('utf8').replaceAll('\r', ''))) return { rule: nestedParts };
  if (isWithin(pair, isPatch)) return { rule: 'multipart: git adds the parts that are no text' };
  const flowed = /format="?flowed/i.test(Buffer.from(bytes).toString('latin1'));
  if (flowed && isSpelled(pair, isPatch))
    return { rule: 'multipart with a flowed part: git joins lines and adds parts' };
  return 'unexplained';
}

/** Whether all our lines are among git's, each as often; the order of parts may differ. For a patch those from its first line on. */
function isWithin({ ours, theirs }: Pair, isPatch: boolean): boolean {
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '');
  const their = lines(theirs);
  const our = lines(ours);
  const left = new Map<string, number>();
  for (const line of their) left.set(line, (left.get(line) ?? 0) + 1);
  for (const line of isPatch ? our.slice(Math.max(0, our.lastIndexOf(their[0] ?? ''))) : our) {
    const count = left.get(line) ?? 0;
    // Bytes of a picture or an archive need not end in a newline: git puts the next part right behind them.
    if (count === 0 && !their.some((other) => other.endsWith(line))) return false;
    left.set(line, count - 1);
  }
  return true;
}

/** Whether git's text spells ours, blanks aside, with other text between. */
function isSpelled({ ours, theirs }: Pair, isPatch: boolean): boolean {
  const bare = ours.replace(/\s/g, '');
  const first = theirs.split('\n')[0]?.replace(/\s/g, '') ?? '';
  let at = isPatch ? Math.max(0, bare.lastIndexOf(first)) : 0;
  for (const character of theirs) if (character === bare.charAt(at)) at++;
  return at >= bare.length;
}

/** What we read as changed files and lines, against `git mailinfo` and `git apply --numstat -z` on every corpus mail. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parsePatches, parseSubject, type ParsedPatches } from '../../../src/core/patch/index.js';
import { countHunks, parseMessage, type Message } from '../../../src/core/mail/index.js';
import { archiveMails, folderMails, halfOf, type CorpusMail } from './patch-mails.js';

type GitAnswer = { readonly files: readonly string[]; readonly error: string };
type Verdict = { readonly mail: CorpusMail; readonly rule: string; readonly detail: string };

/** Scores all mails; prints figures for both halves and the unexplained differences of the even one. */
export async function scoreNumstat(): Promise<void> {
  const verdicts: Verdict[] = [];
  for (const batch of batches()) verdicts.push(...(await scoreBatch(batch)));
  for (const half of ['even', 'odd'] as const) {
    const mine = verdicts.filter((v) => halfOf(v.mail.name) === half);
    const count = (rule: string): number => mine.filter((v) => v.rule === rule).length;
    console.log(`numstat ${half} half: mails: ${mine.length}`);
    console.log(`numstat ${half} half: same, no patch: ${count('same-none')}`);
    console.log(`numstat ${half} half: same, with patch: ${count('same')}`);
    for (const rule of [...new Set(mine.map((v) => v.rule))].sort()) {
      if (!rule.startsWith('same') && rule !== 'unexplained') {
        console.log(`numstat ${half} half: explained, ${rule}: ${count(rule)}`);
      }
    }
    console.log(`numstat ${half} half: unexplained: ${count('unexplained')} (0)`);
  }
  for (const v of verdicts.filter((x) => halfOf(x.mail.name) === 'even')) {
    const wanted = v.rule === 'unexplained' || (process.argv.includes('--explained') && !v.rule.startsWith('same'));
    if (wanted) console.log(`  ${v.rule} ${v.mail.set}/${v.mail.name}: ${v.detail}`);
  }
}

async function scoreBatch(mails: readonly CorpusMail[]): Promise<Verdict[]> {
  const messages = await Promise.all(mails.map((mail) => parseMessage(mail.bytes)));
  const wanted = mails.flatMap((mail, at) => {
    const message = messages[at];
    return message === undefined || (mail.set === 'archive' && !mayHoldDiff(message)) ? [] : [{ mail, message }];
  });
  const answers = await askGit(wanted.map(({ mail }) => mail));
  return wanted.map(({ mail, message }, at) => {
    const answer = answers[at] ?? { files: [], error: 'no answer' };
    return { mail, ...judge(mail, message, parsePatches(message), answer) };
  });
}

function* batches(): Iterable<CorpusMail[]> {
  let batch: CorpusMail[] = [];
  for (const mail of everyMail()) {
    batch.push(mail);
    if (batch.length === 200) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

function* everyMail(): Iterable<CorpusMail> {
  yield* folderMails();
  yield* archiveMails();
}

function mayHoldDiff(message: Message): boolean {
  return /^(?:diff -|@@ -|--- )/m.test(message.text) || parseSubject(message.subject).isPatch;
}

// git needs two processes a mail. A small shell starts them faster than we do, and what git once said of a mail it says
// again: answers are kept in the temporary folder under a hash of the mail.
const script = `for f in "$@"; do
  git mailinfo --scissors --encoding=utf-8 "$f.msg" "$f.patch" < "$f" > /dev/null 2> "$f.err" || continue
  [ -s "$f.patch" ] && git apply --numstat -z --unsafe-paths "$f.patch" > "$f.out" 2> "$f.err"
done; true`;

async function askGit(mails: readonly CorpusMail[]): Promise<GitAnswer[]> {
  const kept = join(tmpdir(), 'reveille-numstat');
  mkdirSync(kept, { recursive: true });
  const names = mails.map((mail) => join(kept, `1-${createHash('sha256').update(mail.bytes).digest('hex')}.json`));
  const missing = names.flatMap((name, at) => (existsSync(name) ? [] : [at]));
  const folder = mkdtempSync(join(tmpdir(), 'reveille-git-'));
  for (const at of missing) writeFileSync(join(folder, `${at}`), mails[at]?.bytes ?? '');
  await runScript(
    missing.map((at) => join(folder, `${at}`)),
    folder,
  );
  for (const at of missing) {
    const read = (end: string): string => {
      const path = join(folder, `${at}.${end}`);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    const files = read('out')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll('\t', ' '));
    const error = (read('err').split('\n')[0] ?? '').replace(/^error: /, '');
    writeFileSync(names[at] ?? '', JSON.stringify({ files, error } satisfies GitAnswer));
  }
  rmSync(folder, { recursive: true, force: true });
  return names.map((name) => JSON.parse(readFileSync(name, 'utf8')) as GitAnswer);
}

function runScript(files: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C', GIT_CEILING_DIRECTORIES: tmpdir() };
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', script, 'sh', ...files], { cwd, env }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

function judge(
  mail: CorpusMail,
  message: Message,
  parsed: ParsedPatches,
  git: GitAnswer,
): { rule: string; detail: string } {
  const ours = parsed.patches
    .flatMap((patch) => patch.files)
    .map((f) => (f.binary ? `- - ${f.path}` : `${f.added} ${f.removed} ${f.path}`));
  const problems = [...parsed.problems, ...parsed.patches.flatMap((p) => p.problems)];
  const detail = `git ${short(git.files)} ${git.error} | ours ${short(ours)} ${problems.map((p) => `${p.kind}@${p.mailLine}`).join(' ')}`;
  if (same(ours, git.files)) {
    if (ours.length > 0) return { rule: 'same', detail };
    return { rule: 'same-none', detail };
  }
  return {
    rule:
      explain(
        mail,
        message,
        ours,
        problems.map((p) => p.kind),
        git,
      ) ?? 'unexplained',
    detail,
  };
}

/** Why a difference is none of ours; undefined where it may be. */
function explain(
  mail: CorpusMail,
  message: Message,
  ours: string[],
  problems: string[],
  git: GitAnswer,
): string | undefined {
  const damaged = problems.some((kind) => /^(?:truncated-hunk|wrapped-line|hunk-count|bad-hunk-header)$/.test(kind));
  if (git.error !== '' && problems.includes('wrapped-header')) return 'git refuses a hunk header that a mailer wrapped';
  if (git.error !== '' && damaged) return 'git refuses the whole patch for a damaged hunk that we report';
  if (/corrupt patch/.test(git.error) && keepsReturns(mail.bytes))
    return 'CR inside base64 or quoted-printable: git takes it for damage';
  if (/fragment without header/.test(git.error)) return 'git refuses a hunk behind a gap';
  if (/corrupt patch/.test(git.error) && isFlowed(mail.bytes) && joiningBreaks(message.text))
    return 'git joins flowed lines and ruins the diff';
  if (/corrupt patch/.test(git.error) && isFlowed(mail.bytes) && unstuffingBreaks(message.text))
    return 'git takes context lines of flowed text for space-stuffed';
  if (/lacks filename/.test(git.error)) return 'git refuses a wrapped "diff" line';
  const quotesMail = /^-----\s?Original Message|^Sent: /m.test(message.text) && parseSubject(message.subject).isReply;
  if (ours.length === 0 && quotesMail) return 'git takes a quote without marks for a patch';
  if (same(ours.map(withoutFirst), git.files)) return 'a diff without prefixes: git takes the first folder off';
  if (
    same(
      ours,
      git.files.map((file) => file.replace(/ [ab]\//, ' ')),
    )
  )
    return 'git leaves a/ and b/ on after a bare name';
  return undefined;
}

function isFlowed(bytes: Uint8Array): boolean {
  return /format="?flowed/i.test(Buffer.from(bytes).toString('latin1'));
}

/** Whether lines that end in a blank are part of hunks: joined with the next line, as git does, fewer hunks close. */
function joiningBreaks(text: string): boolean {
  const joined = text.replace(/(?<!\n--) \r?\n/g, ' ');
  return countHunks(joined).closed < countHunks(text).closed;
}

/** Whether the first blank of lines belongs to the hunk and is no stuffing (RFC 3676 section 4.4). */
function unstuffingBreaks(text: string): boolean {
  return countHunks(text.replace(/^ /gm, '')).closed < countHunks(text).closed;
}

function keepsReturns(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  if (/=0D=?$/m.test(text)) return true;
  return (text.match(/^(?:[A-Za-z0-9+/=]{40,80}\r?\n)+/gm) ?? []).some((block) =>
    Buffer.from(block, 'base64').includes('\r\n'),
  );
}

function withoutFirst(file: string): string {
  return file.replace(/^(\S+ \S+) [^/]*\//, '$1 ');
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function short(files: readonly string[]): string {
  return `${files.length}[${files.slice(0, 3).join(', ').slice(0, 200)}]`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await scoreNumstat();

/**
 * A list archive through the command: once, four (and with REVEILLE_LONG=1 sixteen) times, and the peers on it in the same run:
 * git, Python, checkpatch.pl. The archive is REVEILLE_BENCH_ARCHIVE, else the shared one.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isReplySubject, parseMessage, splitMbox } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import { sharedFolder } from '../support/shared.js';
import { costOf, hasTime, medianOf, report, type Cost } from './parts/child.js';
import { findCheckpatch } from './parts/checkpatch.js';

const program = join(import.meta.dirname, '..', '..', 'dist', 'shell', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'reveille-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
/** Patches that checkpatch.pl is run on. */
const sampled = 60;
const isLong = process.env['REVEILLE_LONG'] === '1';

const path = process.env['REVEILLE_BENCH_ARCHIVE'] ?? sharedArchive();
if (!hasTime) console.log('GNU time is missing (apt-get install time): nothing measured');
else if (path === undefined || !existsSync(path))
  console.log('archive: none (REVEILLE_BENCH_ARCHIVE=FILE names an mbox)');
else await archive(path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path));

function file(name: string, text: string | Buffer): string {
  const at = join(folder, name);
  writeFileSync(at, text);
  return at;
}

async function archive(bytes: Buffer): Promise<void> {
  const once = file('x1.mbox', bytes);
  const review = (mbox: string, keep = false): Cost =>
    costOf(process.execPath, [program, 'review', '--all', '--format', 'ndjson', mbox], { keep });
  const { stdout, ...whole } = medianOf(isLong ? 5 : 3, () => review(once, true));
  const mails = stdout.split('\n').length - 1;
  const rate = (cost: Omit<Cost, 'stdout'>, count: number): Record<string, number> => ({
    mails: count,
    'ms CPU a mail': perMail(cost, count),
    'mails a second': Math.round(count / cost.wall),
  });
  console.log('command: reveille review --all --format ndjson ARCHIVE');
  report('archive x1', whole, rate(whole, mails));
  await besideCheckpatch(
    bytes,
    whole,
    medianOf(5, () => review(file('nothing.mbox', ''))),
  );
  for (const times of isLong ? [4, 16] : [4]) {
    const many = file(`x${times}.mbox`, Buffer.concat(Array.from({ length: times }, () => bytes)));
    const cost = medianOf(isLong ? 5 : 1, () => review(many));
    const share = perMail(cost, mails * times) / perMail(whole, mails);
    report(`archive x${times}`, cost, { ...rate(cost, mails * times), 'of x1 a mail': Number(share.toFixed(2)) });
    rmSync(many);
  }
  peers(once, mails);
}

type Costs = Pick<Cost, 'cpu'>;

/**
 * checkpatch.pl on some of the archive's patches beside the review of all of it: what a patch costs with the start of the
 * program, and what a diff line costs without. Ours counts replies, splitting and printing to the patches.
 */
async function besideCheckpatch(bytes: Buffer, whole: Costs, start: Costs): Promise<void> {
  const script = findCheckpatch();
  if (script === undefined) return;
  const splitter = splitMbox();
  const patches: { readonly path: string; readonly lines: number }[] = [];
  for (const mail of [...splitter.push(bytes), ...splitter.end()]) {
    const message = await parseMessage(mail.bytes);
    const lines = parsePatches(message)
      .patches.flatMap(({ files }) => files)
      .flatMap(({ hunks }) => hunks)
      .reduce((sum, hunk) => sum + hunk.lines.length, 0);
    if (lines > 0 && !isReplySubject(message.subject))
      patches.push({ path: file(`patch-${patches.length}.eml`, Buffer.from(mail.bytes)), lines });
  }
  const every = Math.max(1, Math.floor(patches.length / sampled));
  const sample = patches.filter((_, n) => n % every === 0);
  const one = (path: string): Cost => costOf('perl', [script, '--no-tree', '--terse', '--strict', path]);
  const empty = medianOf(5, () => one(file('empty.eml', 'Subject: x\n\nx\n'))).cpu;
  const costs = sample.map(({ path }) => one(path).cpu);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const theirs = {
    patch: sum(costs) / sample.length,
    line: sum(costs.map((cpu) => Math.max(0, cpu - empty))) / sum(sample.map(({ lines }) => lines)),
  };
  const ours = {
    patch: whole.cpu / patches.length,
    line: (whole.cpu - start.cpu) / sum(patches.map(({ lines }) => lines)),
  };
  const ms = (seconds: number): string => `${(seconds * 1e3).toFixed(3)} ms`;
  console.log(
    [
      `checkpatch.pl --no-tree --terse --strict on ${sample.length} of ${patches.length} patches: ${ms(theirs.patch)} CPU a patch, ${ms(theirs.line)} a diff line without its start (${ms(empty)})`,
      `reveille review --all on the archive: ${ms(ours.patch)} CPU a patch, ${ms(ours.line)} a diff line without its start`,
      `ratio: ${(theirs.patch / ours.patch).toFixed(0)} a patch, ${(theirs.line / ours.line).toFixed(0)} a diff line`,
    ].join('\n'),
  );
}

/** What git and Python take for a part of it: splitting, mail to patch, counting lines. */
function peers(at: string, mails: number): void {
  const out = join(folder, 'split');
  const steps = [
    `mkdir -p ${out} && git mailsplit -o${out} ${at} >/dev/null`,
    `for f in ${out}/*; do git mailinfo $f.msg $f.patch <$f >/dev/null 2>&1; git apply --numstat $f.patch >/dev/null 2>&1; done; true`,
  ];
  console.log(`commands: ${steps.join(' && ')}`);
  const git = costOf('bash', ['-c', steps.join(' && ')], { cwd: folder });
  report('git mailsplit, mailinfo, apply --numstat', git, { 'ms CPU a mail': perMail(git, mails) });
  const script =
    'import mailbox,sys\nfor m in mailbox.mbox(sys.argv[1]):\n for p in m.walk():\n  p.get_payload(decode=True)';
  const python = costOf('python3', ['-c', script, at]);
  if (python.status === 0) report("Python's mailbox and email", python, { 'ms CPU a mail': perMail(python, mails) });
  else console.log("Python's mailbox and email: not here");
}

function sharedArchive(): string | undefined {
  const at = join(sharedFolder, 'corpus', 'archives', 'linux-nvme-2019-04_2020-06.mbox.gz');
  return existsSync(at) ? at : undefined;
}

function perMail(cost: Costs, mails: number): number {
  return Number(((cost.cpu * 1e3) / Math.max(mails, 1)).toFixed(3));
}

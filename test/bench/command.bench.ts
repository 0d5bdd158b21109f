/**
 * The command as people run it, and its peers beside it in one run: start-up, one mail, a hostile mail, growing series, an
 * archive one, four (and with REVEILLE_LONG=1 sixteen) times. The archive is REVEILLE_BENCH_ARCHIVE, else the shared one.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sharedFolder } from '../support/shared.js';
import { costOf, hasTime, medianOf, report, type Cost } from './parts/child.js';
import { findCheckpatch } from './parts/checkpatch.js';
import { hostileMail, seriesMail, seriesMbox } from './parts/mails.js';

const program = join(import.meta.dirname, '..', '..', 'dist', 'shell', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'reveille-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (!hasTime) console.log('GNU time is missing (apt-get install time): nothing measured');
else {
  startUp();
  series();
  archive();
}

function reveille(...args: string[]): Cost {
  return costOf(process.execPath, [program, ...args]);
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function startUp(): void {
  const one = file('one.patch', seriesMail(3, 3).split('\n').slice(1).join('\n'));
  report(
    'node -e 0',
    medianOf(5, () => costOf(process.execPath, ['-e', '0'])),
  );
  report(
    'reveille --version',
    medianOf(5, () => reveille('--version')),
  );
  report(
    'reveille review one.patch',
    medianOf(5, () => reveille('review', one)),
  );
  report(
    'reveille review hostile.patch',
    medianOf(3, () => reveille('review', file('hostile.patch', hostileMail()))),
  );
  const script = findCheckpatch();
  if (script === undefined) console.log('checkpatch.pl: missing (apt-get install linux-source-6.12)');
  else
    report(
      'checkpatch.pl one.patch',
      medianOf(5, () => costOf('perl', [script, '--no-tree', '--terse', one])),
    );
}

function series(): void {
  for (const total of [10, 100, 200, 1000]) {
    const path = file(`series-${total}.mbox`, seriesMbox(total));
    const cost = medianOf(3, () => reveille('review', '--all', '--format', 'ndjson', path));
    report(`series of ${total}`, cost, { 'ms CPU a mail': perMail(cost, total) });
  }
}

function archive(): void {
  const path = process.env['REVEILLE_BENCH_ARCHIVE'] ?? sharedArchive();
  if (path === undefined || !existsSync(path)) {
    console.log('archive: none (REVEILLE_BENCH_ARCHIVE=FILE names an mbox)');
    return;
  }
  const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const once = join(folder, 'x1.mbox');
  writeFileSync(once, bytes);
  const records: number[] = [];
  for (const times of process.env['REVEILLE_LONG'] === '1' ? [1, 4, 16] : [1, 4]) {
    const many = join(folder, `x${times}.mbox`);
    if (times > 1) writeFileSync(many, Buffer.concat(Array.from({ length: times }, () => bytes)));
    const cost = medianOf(times === 1 ? 3 : 1, () =>
      costOf(process.execPath, [program, 'review', '--all', '--format', 'ndjson', many], { keep: times === 1 }),
    );
    if (times === 1) records.push(cost.stdout.split('\n').length - 1);
    const mails = (records[0] ?? 0) * times;
    report(`archive x${times}`, cost, {
      mails,
      'ms CPU a mail': perMail(cost, mails),
      'mails a second': Math.round(mails / cost.wall),
    });
    if (times > 1) rmSync(many);
  }
  peers(once, records[0] ?? 0);
}

/** What git and Python take for a part of it: splitting, mail to patch, counting lines. */
function peers(path: string, mails: number): void {
  const out = join(folder, 'split');
  const steps = [
    `mkdir -p ${out} && git mailsplit -o${out} ${path} >/dev/null`,
    `for f in ${out}/*; do git mailinfo $f.msg $f.patch <$f >/dev/null 2>&1; git apply --numstat $f.patch >/dev/null 2>&1; done; true`,
  ];
  console.log(`commands: ${steps.join(' && ')}`);
  const git = costOf('bash', ['-c', steps.join(' && ')], { cwd: folder });
  report('git mailsplit, mailinfo, apply --numstat', git, { 'ms CPU a mail': perMail(git, mails) });
  const script =
    'import mailbox,sys\nfor m in mailbox.mbox(sys.argv[1]):\n for p in m.walk():\n  p.get_payload(decode=True)';
  const python = costOf('python3', ['-c', script, path]);
  if (python.status === 0) report("Python's mailbox and email", python, { 'ms CPU a mail': perMail(python, mails) });
  else console.log("Python's mailbox and email: not here");
}

function sharedArchive(): string | undefined {
  const path = join(sharedFolder, 'corpus', 'archives', 'linux-nvme-2019-04_2020-06.mbox.gz');
  return existsSync(path) ? path : undefined;
}

function perMail(cost: Cost, mails: number): number {
  return Number(((cost.cpu * 1e3) / Math.max(mails, 1)).toFixed(3));
}

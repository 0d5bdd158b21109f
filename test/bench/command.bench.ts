/**
 * The command as people run it, and checkpatch.pl beside it in one run: start-up, one mail, a hostile mail, growing series.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  numbers();
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

/** Two files of numbers compared, by ours and by FreeBSD's ministat. */
function numbers(): void {
  const lines = (from: number): string =>
    Array.from({ length: 1000 }, (_, n) => `${from + ((n * 37) % 101)}`).join('\n');
  const [before, after] = [file('before.txt', lines(2000)), file('after.txt', lines(1900))];
  report(
    'reveille measure of 2,000 numbers',
    medianOf(5, () => reveille('measure', '--before', before, '--after', after)),
  );
  const theirs = medianOf(5, () => costOf('sh', ['-c', 'ministat "$0" "$1"', before, after]));
  if (theirs.status === 0) report('ministat on the same', theirs);
  else console.log('ministat: missing (apt-get install ministat)');
}

function perMail(cost: Cost, mails: number): number {
  return Number(((cost.cpu * 1e3) / Math.max(mails, 1)).toFixed(3));
}

import { splitMbox, type MboxMail } from '../../core/mail/index.js';
import { Failure } from '../config/index.js';
import { startGit } from './git-process.js';
import type { SourceMail } from './source-mail.js';

// What a repository's format.* and diff.* settings could change is said here, so that they change nothing.
const plain = [
  '--stdout',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-attach',
  '--no-cover-letter',
  '--no-thread',
  '--no-to',
  '--no-cc',
  '--no-add-header',
  '--no-notes',
  '--no-base',
  '--no-signoff',
  '--no-from',
  '--subject-prefix=PATCH',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--patch-with-stat',
  '-M',
  '-U3',
];

/** The commits of a range as mails, as `git format-patch` would send them. */
export async function* readGitRange(
  range: string,
  repository: string,
  onBytes: (count: number) => void,
): AsyncGenerator<SourceMail> {
  if (range === '' || range.startsWith('-')) throw new Failure('git-range', `"${range}" is no commit range`);
  const { child, ended } = startGit(repository, ['format-patch', ...plain, '--end-of-options', range]);
  child.stdin.end();
  let count = 0;
  try {
    const splitter = splitMbox();
    for await (const chunk of child.stdout) {
      const bytes = Buffer.from(chunk);
      onBytes(bytes.length);
      for (const mail of splitter.push(bytes)) {
        count++;
        yield patchMail(mail, range);
      }
    }
    for (const mail of splitter.end()) {
      count++;
      yield patchMail(mail, range);
    }
    await ended;
  } finally {
    child.kill();
  }
  if (count === 0) throw new Failure('git-range', `no commit in ${range}`);
}

function patchMail({ bytes, separator }: MboxMail, range: string): SourceMail {
  const commit = /^From ([0-9a-f]{40,64}) /.exec(separator)?.[1];
  return { bytes, source: { path: range, ...(commit === undefined ? {} : { commit }) } };
}

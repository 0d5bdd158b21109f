/** What `git mailinfo` says of mails, kept in the temporary folder under a hash of each: it is slow and never changes its mind. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type GitReading = {
  /** Whether git read the mail at all. */
  readonly isRead: boolean;
  readonly author: string;
  readonly email: string;
  readonly subject: string;
  readonly body: Buffer;
  readonly patch: Buffer;
  /** Author and log with in-body headers and scissors applied, as `git am --scissors` has them. */
  readonly applied: { readonly author: string; readonly email: string; readonly log: string };
};

type Kept = {
  readonly info: string;
  readonly body: string;
  readonly patch: string;
  readonly applied: string;
  readonly log: string;
};

const script = `for f in "$@"; do
  git mailinfo -k --no-inbody-headers --no-scissors --quoted-cr=nowarn "$f.msg" "$f.patch" < "$f" > "$f.info" 2> /dev/null || rm -f "$f.info"
  git mailinfo -k --scissors --quoted-cr=nowarn "$f.log" "$f.rest" < "$f" > "$f.applied" 2> /dev/null
done; true`;

/** The readings of mails, in their order. */
export async function askMailinfo(mails: readonly Uint8Array[]): Promise<readonly GitReading[]> {
  const kept = join(tmpdir(), 'reveille-mailinfo');
  mkdirSync(kept, { recursive: true });
  const names = mails.map((bytes) => join(kept, `1-${createHash('sha256').update(bytes).digest('hex')}.json`));
  const missing = names.flatMap((name, at) => (existsSync(name) ? [] : [at]));
  const folder = mkdtempSync(join(tmpdir(), 'reveille-git-'));
  for (const at of missing) writeFileSync(join(folder, `${at}`), mails[at] ?? '');
  const paths = missing.map((at) => join(folder, `${at}`));
  const half = Math.ceil(paths.length / 2);
  await Promise.all([runScript(paths.slice(0, half), folder), runScript(paths.slice(half), folder)]);
  for (const at of missing) {
    const read = (end: string): string => {
      const path = join(folder, `${at}.${end}`);
      return existsSync(path) ? readFileSync(path).toString('base64') : '';
    };
    const answer = {
      info: read('info'),
      body: read('msg'),
      patch: read('patch'),
      applied: read('applied'),
      log: read('log'),
    };
    writeFileSync(names[at] ?? '', JSON.stringify(answer satisfies Kept));
  }
  rmSync(folder, { recursive: true, force: true });
  return names.map((name) => readingOf(JSON.parse(readFileSync(name, 'utf8')) as Kept));
}

function readingOf(kept: Kept): GitReading {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const info = bytes(kept.info).toString('utf8');
  const applied = bytes(kept.applied).toString('utf8');
  return {
    isRead: info !== '',
    author: field(info, 'Author'),
    email: field(info, 'Email'),
    subject: field(info, 'Subject'),
    body: bytes(kept.body),
    patch: bytes(kept.patch),
    applied: {
      author: field(applied, 'Author'),
      email: field(applied, 'Email'),
      log: bytes(kept.log).toString('utf8'),
    },
  };
}

function field(info: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(info)?.[1] ?? '';
}

function runScript(files: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' };
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', script, 'sh', ...files], { cwd, env }, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

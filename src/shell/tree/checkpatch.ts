import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Message } from '../../core/mail/index.js';

/** One message of checkpatch, in its own words. */
export type CheckpatchMessage = {
  readonly level: 'error' | 'warning' | 'check';
  readonly type: string;
  readonly text: string;
  /** 1-based in the mail's body; absent where it is about the header or the whole mail. */
  readonly mailLine?: number;
};

export type CheckpatchReason =
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'timeout'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

export type CheckpatchOutcome =
  | { readonly ok: true; readonly messages: readonly CheckpatchMessage[] }
  | { readonly ok: false; readonly reason: CheckpatchReason };

export type CheckpatchOptions = {
  /** Milliseconds until the script is ended; median patches take 0.2 s, the longest of 1,520 took 1.5 s. */
  readonly timeLimit?: number;
  readonly strict?: boolean;
};

const usualLimit = 10_000;
const outputCap = 4 * 1024 * 1024;

/**
 * Runs the kernel tree's own scripts/checkpatch.pl (or the script itself, if `path` is a file) on a cleaned mail, in a child
 * process of its own group with a time limit, and gives what it says as it says it.
 */
export async function runCheckpatch(
  path: string,
  mailText: string,
  { timeLimit = usualLimit, strict = false }: CheckpatchOptions = {},
): Promise<CheckpatchOutcome> {
  const script = checkpatchIn(path);
  if (script === undefined) {
    return { ok: false, reason: { kind: 'missing', text: `${path}: no scripts/checkpatch.pl there` } };
  }
  const root = dirname(dirname(script));
  const inTree = existsSync(join(root, 'MAINTAINERS')) && existsSync(join(root, 'Kbuild'));
  const args = [
    script,
    '--terse',
    '--show-types',
    '--no-summary',
    // Without history every commit is unknown to it (170 of 1,520 patches): that says nothing about the patch.
    ...(existsSync(join(root, '.git')) ? [] : ['--ignore', 'UNKNOWN_COMMIT_ID']),
    ...(inTree ? [`--root=${root}`] : ['--no-tree']),
    ...(strict ? ['--strict'] : []),
    '-',
  ];
  const run = await runPerl(args, mailText, timeLimit, inTree ? root : dirname(script));
  if (!run.ok) return run;
  return { ok: true, messages: parseTerse(run.output, bodyStart(mailText)) };
}

/** The script of a kernel tree, or `path` itself where it is one. */
export function checkpatchIn(path: string): string | undefined {
  const inTree = join(path, 'scripts', 'checkpatch.pl');
  if (existsSync(inTree)) return inTree;
  return existsSync(path) && statSync(path).isFile() ? path : undefined;
}

type Run = { readonly ok: true; readonly output: string } | { readonly ok: false; readonly reason: CheckpatchReason };

// No shell, no home directory, nothing of our environment: the mail's text is read by the script and by nobody else.
function runPerl(args: readonly string[], input: string, timeLimit: number, cwd: string): Promise<Run> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };
    const child = spawn('perl', args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, timeLimit);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.length < outputCap) output += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (errors.length < 2000) errors += chunk;
    });
    child.stdin.on('error', () => undefined); // a script that ends early closes the pipe; its status says why
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, reason: { kind: 'missing', text: `perl cannot be started: ${error.message}` } });
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      if (timedOut) {
        resolve({ ok: false, reason: { kind: 'timeout', text: `checkpatch took longer than ${timeLimit} ms` } });
      } else if (status === 0 || status === 1) resolve({ ok: true, output });
      else {
        const why = errors.trim().split('\n', 1)[0] ?? '';
        resolve({ ok: false, reason: { kind: 'failed', text: `checkpatch ended with ${status}: ${why}` } });
      }
    });
    child.stdin.end(input);
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Number of lines before the body: the header and its blank line. */
function bodyStart(mail: string): number {
  const end = mail.indexOf('\n\n');
  return end === -1 ? 0 : mail.slice(0, end + 2).split('\n').length - 1;
}

function parseTerse(output: string, skipped: number): CheckpatchMessage[] {
  const found: CheckpatchMessage[] = [];
  for (const line of output.split('\n')) {
    const match = /^[^:]*:(\d+): (ERROR|WARNING|CHECK):([A-Z0-9_]+): (.*)$/.exec(line);
    if (match === null) continue;
    const mailLine = Number(match[1]) - skipped;
    const level = match[2] === 'ERROR' ? 'error' : match[2] === 'WARNING' ? 'warning' : 'check';
    found.push({ level, type: match[3] ?? '', text: match[4] ?? '', ...(mailLine > 0 ? { mailLine } : {}) });
  }
  return found;
}

/**
 * The mail as checkpatch should see it: the headers it reads, decoded, and the text without the list's footer, which it would
 * take for the author's.
 */
export function cleanMail(message: Pick<Message, 'from' | 'date' | 'subject' | 'text'>): string {
  const { from, date, subject, text } = message;
  const headers = [
    ...(from === undefined
      ? []
      : [`From: ${oneLine(from.name === '' ? from.address : `${from.name} <${from.address}>`)}`]),
    ...(date === undefined ? [] : [`Date: ${oneLine(date)}`]),
    `Subject: ${oneLine(subject)}`,
  ];
  return `${headers.join('\n')}\n\n${withoutFooter(text.replaceAll('\r\n', '\n'))}`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

function withoutFooter(text: string): string {
  const lines = text.split('\n');
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - 8); at--) {
    const rule = /^_{20,}$/.test(lines[at] ?? '');
    if (rule && /mailing list|list@|lists\./i.test(lines.slice(at + 1).join(' ')))
      return `${lines.slice(0, at).join('\n')}\n`;
  }
  return text;
}

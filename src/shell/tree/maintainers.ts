import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Failure } from '../config/index.js';

/** Somebody whom the kernel tree names for files, as scripts/get_maintainer.pl writes it: `maintainer:NVM EXPRESS DRIVER`. */
export type NamedMaintainer = { readonly name: string; readonly address: string; readonly role: string };
export type TreeNames = { readonly subsystems: readonly string[]; readonly maintainers: readonly NamedMaintainer[] };

// A series over half the tree is nobody's in particular.
const mostFiles = 40;
const usualLimit = 20_000;

/**
 * Opens a kernel tree's own scripts/get_maintainer.pl: who is named for files, and for which subsystem. It runs in a child
 * process with a time limit, without git and without our environment; the same files are asked for once.
 */
export function openMaintainers(
  tree: string,
  { timeLimit = usualLimit, say }: { readonly timeLimit?: number; readonly say: (line: string) => void },
): (files: readonly string[]) => Promise<TreeNames> {
  if (!existsSync(join(tree, 'scripts', 'get_maintainer.pl')) || !existsSync(join(tree, 'MAINTAINERS')))
    throw new Failure('unreadable', `${tree}: no kernel tree: it has no scripts/get_maintainer.pl or no MAINTAINERS`);
  const root = realpathSync(tree);
  const known = new Map<string, Promise<TreeNames>>();
  return (files) => {
    const asked = [...new Set(files.slice(0, mostFiles).flatMap((file) => inTree(root, file) ?? []))].sort();
    if (asked.length === 0) return Promise.resolve({ subsystems: [], maintainers: [] });
    const key = asked.join('\n');
    const answer = known.get(key) ?? ask(root, asked, timeLimit, say);
    known.set(key, answer);
    return answer;
  };
}

/** The file, or the nearest folder of it that the tree has: a patch may add it. Paths come from strangers and must not lead out. */
function inTree(root: string, file: string): string | undefined {
  if (!/^[\w+@%=,.~ -][\w+@%=,.~ /-]{0,400}$/.test(file) || file.startsWith('-')) return undefined;
  if (file.split('/').some((part) => part === '..')) return undefined;
  for (let here = file; here !== '.' && here !== '/'; here = dirname(here)) {
    const path = join(root, here);
    if (existsSync(path)) return realpathSync(path).startsWith(root + sep) ? here : undefined;
  }
  return undefined;
}

function ask(
  root: string,
  files: readonly string[],
  timeLimit: number,
  say: (line: string) => void,
): Promise<TreeNames> {
  const script = join(root, 'scripts', 'get_maintainer.pl');
  const args = [script, '--no-git', '--no-git-fallback', '--no-keywords', '--rolestats', '-f', ...files];
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: '/nonexistent' };
  return new Promise((resolve) => {
    execFile(
      'perl',
      args,
      { cwd: root, env, timeout: timeLimit, killSignal: 'SIGKILL', maxBuffer: 1 << 20, encoding: 'utf8' },
      (error, output, errors) => {
        if (error !== null) {
          const why = error.killed === true ? `took longer than ${timeLimit} ms` : errors.trim().split('\n', 1)[0];
          say(`get_maintainer.pl: ${why === undefined || why === '' ? error.message : why}`);
        }
        resolve(error === null ? parseMaintainers(output) : { subsystems: [], maintainers: [] });
      },
    );
  });
}

/** Reads lines such as `A Name <a@example.org> (maintainer:A SUBSYSTEM)`; lists are not people, and THE REST is no subsystem. */
export function parseMaintainers(output: string): TreeNames {
  const maintainers: NamedMaintainer[] = [];
  const subsystems = new Set<string>();
  for (const line of output.split('\n').slice(0, 1000)) {
    const open = line.lastIndexOf(' (');
    if (open < 0 || !line.endsWith(')')) continue;
    const role = line.slice(open + 2, -1);
    const colon = role.indexOf(':');
    const subsystem = colon < 0 ? undefined : role.slice(colon + 1).trim();
    if (subsystem !== undefined && subsystem !== '' && subsystem !== 'THE REST') subsystems.add(subsystem);
    if (/\blist\b/.test(colon < 0 ? role : role.slice(0, colon))) continue;
    const person = /^(.{0,200}?) ?<([^<>\s]{1,200}@[^<>\s]{1,200})>$/.exec(line.slice(0, open));
    if (person !== null)
      maintainers.push({ name: (person[1] ?? '').replace(/^"|"$/g, ''), address: person[2] ?? '', role });
  }
  return { subsystems: [...subsystems], maintainers };
}

/**
 * Every guard that keeps a mail back is taken out, one at a time, in a copy of the tree: a test must then fail. A guard whose
 * absence no test notices is printed as `survived`. Words on the command line name the guards to try.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Mutant = { readonly guard: string; readonly file: string; readonly find: string; readonly put: string };

const guards = 'src/core/review/guards.ts';
const delivery = 'src/core/review/delivery.ts';
const command = 'src/core/review/command.ts';
const unquoted = 'src/core/review/unquoted.ts';
const send = 'src/shell/bot/send.ts';
const of = (file: string, guard: string, find: string, put = ''): Mutant => ({ guard, file, find, put });

const mutants: readonly Mutant[] = [
  of(guards, 'own address', 'senders.some((sender) => self.has(sender))', 'false'),
  of(guards, 'own address with a tag', '...mail.authors].map(withoutTag)', '...mail.authors]'),
  of(guards, 'own Message-ID', '(mail.id !== undefined && ownIds.has(mail.id))', 'false'),
  of(guards, 'bounces', "if (isBounce(mail)) return 'bounce';"),
  of(guards, 'automatic replies', 'if (mail.headers.autoSubmitted !== undefined &&', 'if (false &&'),
  of(guards, 'AUTOSEL', '/\\bAUTOSEL\\b/.test(mail.subject)', 'false'),
  of(guards, 'robots, stable, notifications, patches in talk', '      return mail.kind;', '      return undefined;'),
  of(guards, 'no Message-ID', "if (mail.id === undefined) return 'no-message-id';"),
  of(
    guards,
    'X-Patchwork-Hint: ignore',
    "if (/^\\s*ignore\\b/i.test(mail.headers.patchworkHint ?? '')) return 'patchwork-ignore';",
  ),
  of(guards, 'ignored senders', 'return ignore.some(', 'return ([] as string[]).some('),
  of(guards, 'the exact List-Id', 'arrived.lists.includes(list.listId)', 'true'),
  of(delivery, 'the kill file', "if (history.killed) return silent('kill-file');"),
  of(
    delivery,
    'mutes of authors and series',
    'const muted = checkMutes(thread, own, history.mutes);',
    'const muted = undefined;',
  ),
  of(
    delivery,
    'a newer version',
    "if (thread.posting.supersededBy !== undefined) return silent('newer-version', thread.posting.supersededBy);",
  ),
  of(delivery, 'before the first start', "return silent('before-first-start');", 'return undefined;'),
  of(delivery, 'older than a day', "silent('too-old')", 'undefined'),
  of(
    delivery,
    'a clock that runs ahead',
    'Math.min(arrived.mail.date ?? arrived.at, arrived.at, now)',
    'arrived.mail.date ?? arrived.at',
  ),
  of(delivery, 'applied, queued, NAK', ' ?? checkWords(thread, policy.self.address)'),
  of(delivery, 'one answer a series', "return silent('series-answered');", 'Boolean(0);'),
  of(delivery, 'settle time', 'if (settled > at.now)', 'if (settled < 0)'),
  of(delivery, 'embargo', 'return embargo > at.now ?', 'return embargo < 0 ?'),
  of(delivery, 'channel none', "named.filter((list) => list.channel !== 'none')", 'named'),
  of(delivery, 'paths', "return silent('path-filtered');", 'Boolean(0);'),
  of(delivery, 'subsystems', "return silent('subsystem-filtered');", 'Boolean(0);'),
  of(delivery, 'mutes of lists', "return silent('list-muted');", 'Boolean(0);'),
  of(delivery, 'rules that are off', "if (off.has(point.rule) || (point.nit && off.has('all'))) return 'rule-muted';"),
  of(delivery, 'mutes of rules and findings', "if (history.mutes.some(silenced)) return 'rule-muted';"),
  of(delivery, 'reasons', "return 'reason-filtered';", 'Boolean(0);'),
  of(delivery, 'said before', "return 'said-before';", 'Boolean(0);'),
  of(delivery, 'said by somebody', "? 'said-by-someone'", '? undefined'),
  of(delivery, 'nits never cause a mail', 'if (causing === 0) return silent(why);'),
  of(delivery, 'the limit of nits', 'if (point.nit && ++nits > home.nits.limit) continue;'),
  of(delivery, 'cap of the day', "if (sent.length >= caps.day) return silent('cap-day');"),
  of(delivery, 'cap of the author', "return silent('cap-author');", 'Boolean(0);'),
  of(delivery, 'cap of the hour', 'if (hour.length >= caps.hour)', 'if (hour.length < 0)'),
  of(delivery, 'dry runs counted apart', 'sent.live === live && ', ''),
  of(delivery, 'the first twenty', "? 'first-twenty' : undefined", '? undefined : undefined'),
  of(delivery, 'approval of all', "return 'approval';", 'return undefined;'),
  of(command, 'strangers', "if (role === 'stranger') return", "if (role === 'stranger' && words.length < 0) return"),
  of(
    command,
    "an author's stop is for all his mail",
    "case 'author':\n      return 'author';",
    "case 'author':\n      return 'series';",
  ),
  of(unquoted, 'commands in a copy of our mail', 'if (bare.length >= 24 && own.has(bare)) break;'),
  of(unquoted, 'quoted lines', 'if (/^\\s{0,2}>/.test(line)) continue;'),
  of(send, 'the kill file, before sending', 'if (deps.killed()) return undefined;\n    for', 'for'),
  of(send, 'all of it again, before sending', "if (open.kind === 'silent') return refuse(tx, reply, open.reason);"),
  of(
    send,
    'the list still wants it',
    "if (lists === undefined) return refuse(tx, reply, 'list-off');",
    'if (lists === undefined) return true;',
  ),
  of(send, 'caps, before sending', 'if (capped === undefined) return true;', 'if (capped !== null) return true;'),
  of(send, 'what has grown too old', 'await cancelExpired(tx, now);'),
  of(send, 'leave: still due', "reply?.state !== 'due' || ", 'reply === undefined || '),
];

const root = join(import.meta.dirname, '..', '..');
const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const folder = mkdtempSync(join(tmpdir(), 'reveille-guards-'));
for (const name of ['src', 'test', 'config', 'package.json', 'tsconfig.json']) {
  cpSync(join(root, name), join(folder, name), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

/** The quick tests first: most guards are noticed there. */
function passes(): boolean {
  return run('test/review') && run('test/bot/scenario.test.ts', 'test/bot/send.test.ts');
}

function run(...tests: readonly string[]): boolean {
  const args = ['run', '--config', 'test/vitest.config.ts', '--project', 'unit', '--bail', '1', ...tests];
  // A guard that ends a loop leaves one without end: it is stopped by its memory or by the clock, and that is noticing.
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=1024' };
  const limits = { timeout: 300_000, killSignal: 'SIGKILL' } as const;
  const vitest = join(folder, 'node_modules', '.bin', 'vitest');
  return spawnSync(vitest, args, { cwd: folder, stdio: 'ignore', env, ...limits }).status === 0;
}

try {
  const chosen = mutants.filter(({ guard }) => asked.length === 0 || asked.some((word) => guard.includes(word)));
  if (!passes()) throw new Error('the tests fail with every guard in its place');
  let seen = 0;
  for (const { guard, file, find, put } of chosen) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) {
      console.log(`${guard}: not found once in ${file}`);
      continue;
    }
    writeFileSync(
      path,
      text.replace(find, () => put),
    );
    const survived = passes();
    if (!survived) seen++;
    console.log(`${guard}: ${survived ? 'SURVIVED' : 'its absence is noticed'}`);
    writeFileSync(path, text);
  }
  console.log(`guards whose absence a test notices: ${seen} of ${chosen.length} (target: all)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

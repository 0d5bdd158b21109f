/** Scores the nits against checkpatch's recorded answers, and counts their hits on real list mail. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { splitMbox } from '../../src/core/mail/index.js';
import { checkRules, rules, type Finding } from '../../src/core/rules/index.js';
import { findCheckpatch } from '../bench/parts/checkpatch.js';
import { ruleInputs } from '../support/rule-inputs.js';
import { sharedFolder } from '../support/shared.js';

const corpus = join(sharedFolder, 'corpus');
const typesOf = new Map(rules.map((rule) => [rule.id, rule.checkpatch === undefined ? [] : [rule.checkpatch].flat()]));
const script = findScript();
const implemented = new Set([...typesOf.values()].flat());

// Where our answer is another on purpose, and why ours is right. By type and by what the case shows.
const differences: readonly { readonly types: readonly string[]; readonly cases: RegExp; readonly why: string }[] = [
  { types: ['EMAIL_SUBJECT'], cases: /folded/, why: 'the subject is read unfolded' },
  { types: ['COMMIT_LOG_LONG_LINE'], cases: /utf8/, why: '60 characters are 60 columns, whatever their bytes' },
  {
    types: ['USLEEP_RANGE'],
    cases: /usleep-if|2_A_2_A/,
    why: 'equal ends are equal under an if and in arithmetic too',
  },
  { types: ['PREFER_LORE_ARCHIVE'], cases: /footer/, why: 'the footer is the list server’s, not the author’s' },
  { types: ['DOS_LINE_ENDINGS'], cases: /crlf/, why: 'mail travels in CR LF; all of the mail has it' },
  {
    types: ['BAD_COMMIT_SEPARATOR', 'DIFF_IN_COMMIT_MSG', 'NO_AUTHOR_SIGN_OFF', 'BAD_SIGN_OFF', 'COMMIT_LOG_LONG_LINE'],
    cases: /git-show/,
    why: 'git show output is no mail: no header, no author',
  },
];

type Pairs = { both: number; ours: string[]; theirs: string[] };

await micro();
await patches('checkpatch-strict.tsv', 'strict', () => true);
await patches('checkpatch.tsv', 'default', speaksByDefault);
if (!process.argv.includes('--quick')) await lists();

/** checkpatch without --strict keeps its CHECKs to itself but for the trees that turn it strict. */
function speaksByDefault(finding: Finding): boolean {
  return finding.level !== 'note' || /^(?:drivers\/net|net|drivers\/staging)\//.test(finding.file ?? '');
}

function typesIn(findings: readonly Finding[]): Set<string> {
  return new Set(findings.flatMap(({ rule }) => typesOf.get(rule) ?? []));
}

async function micro(): Promise<void> {
  const folder = join(corpus, 'checkpatch', 'micro');
  const golden = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')) as Record<
    string,
    Record<string, string[]>
  >;
  let same = 0;
  const listed = new Map<string, string>();
  const wrong: string[] = [];
  for (const [name, answers] of Object.entries(golden)) {
    const inputs = await ruleInputs(readFileSync(join(folder, `${name}.patch`)), false);
    for (const [version, lines] of Object.entries(answers)) {
      const kernel = version.replace(/s$/, '');
      const findings = inputs.flatMap((input) => checkRules(input, { nitsOnly: true, kernel }));
      const ours = typesIn(version.endsWith('s') ? findings : findings.filter(speaksByDefault));
      const theirs = new Set(lines.map((line) => line.split(':')[2] ?? ''));
      for (const type of new Set([...ours, ...theirs])) {
        if (!implemented.has(type)) continue;
        const why = differences.find((one) => one.types.includes(type) && one.cases.test(name))?.why;
        if (ours.has(type) === theirs.has(type)) same++;
        else if (why !== undefined) listed.set(`${name} ${type}`, why);
        else wrong.push(`${name} ${version} ${type} ${ours.has(type) ? 'ours only' : 'theirs only'}`);
      }
    }
  }
  console.log(`micro cases: ${Object.keys(golden).length}, five versions, default and strict`);
  console.log(
    `micro answers the same: ${same}; listed differences: ${listed.size}; other differences: ${wrong.length} (0)`,
  );
  for (const [what, why] of listed) console.log(`  listed: ${what}: ${why}`);
  for (const one of wrong) console.log(`  WRONG: ${one}`);
}

// Even and odd names: only one half was looked at while the rules were written.
function half(name: string): 'even' | 'odd' {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return hash % 2 === 0 ? 'even' : 'odd';
}

async function patches(answers: string, mode: string, counts: (finding: Finding) => boolean): Promise<void> {
  const base = join(corpus, 'checkpatch');
  const theirs = new Map<string, Set<string>>();
  const remarks = new Map<string, { readonly at: number; readonly text: string }>();
  for (const line of readFileSync(join(base, answers), 'utf8').split('\n').slice(1)) {
    const [file = '', at, , type, text = ''] = line.split('\t');
    if (type === undefined) continue;
    theirs.set(file, (theirs.get(file) ?? new Set()).add(type));
    remarks.set(`${file} ${type}`, { at: Number(at), text });
  }
  const halves = { even: new Map<string, Pairs>(), odd: new Map<string, Pairs>() };
  const files = readdirSync(join(base, 'patches')).sort();
  const severals: string[] = [];
  const named: string[] = [];
  const whole: Pairs = { both: 0, ours: [], theirs: [] };
  for (const file of files) {
    const bytes = readFileSync(join(base, 'patches', file));
    const pieces = script === undefined ? [bytes] : mailsOf(bytes);
    const several = pieces.length > 1;
    if (several) severals.push(`${file} (${pieces.length})`);
    const together = new Set<string>();
    for (const [at, piece] of pieces.entries()) {
      const inputs = await ruleInputs(piece, false);
      const kernel = several ? script?.kernel : undefined;
      const findings = inputs.flatMap((input) => checkRules(input, { nitsOnly: true, kernel }));
      const ours = typesIn(findings.filter(counts));
      for (const type of ours) together.add(type);
      const name = several ? `${file}#${at + 1}` : file;
      const said = several ? ask(piece, mode === 'strict') : theirs.get(file);
      const pairs = halves[half(file)];
      for (const type of implemented) {
        const [mine, its] = [ours.has(type), said?.has(type) === true];
        if (!mine && !its) continue;
        const pair = pairs.get(type) ?? { both: 0, ours: [], theirs: [] };
        pairs.set(type, pair);
        if (mine && its) pair.both++;
        else (mine ? pair.ours : pair.theirs).push(name);
        const remark = several || mine ? undefined : remarks.get(`${file} ${type}`);
        const why = remark === undefined ? undefined : whySilent(type, bytes, remark);
        if (why !== undefined) named.push(`${type} ${name}: ${why}`);
      }
    }
    for (const type of implemented) {
      const [mine, its] = [together.has(type), theirs.get(file)?.has(type) === true];
      if (mine && its) whole.both++;
      else if (mine || its) whole.ours.push(file);
    }
  }
  const all = new Map<string, Pairs>();
  for (const pairs of [halves.even, halves.odd]) {
    for (const [type, { both, ours, theirs: its }] of pairs) {
      const sum = all.get(type) ?? { both: 0, ours: [], theirs: [] };
      all.set(type, { both: sum.both + both, ours: [...sum.ours, ...ours], theirs: [...sum.theirs, ...its] });
    }
  }
  console.log(`\npatches, ${mode}: ${files.length} files`);
  for (const [name, pairs] of [
    ['looked at', halves.even],
    ['not looked at', halves.odd],
    ['all', all],
  ] as const) {
    console.log(`pairs where both speak, ${mode}, ${name}: ${rate(pairs.values())} (>= 97 %)`);
  }
  console.log(
    script === undefined
      ? '  no checkpatch.pl here: files of several patches are compared as one, as it reads them'
      : `  files of several patches, each patch given to checkpatch.pl of ${script.kernel} alone: ${severals.join(', ')}`,
  );
  console.log(`  the same with each file as one patch, as recorded: ${rate([whole])}`);
  for (const one of named) console.log(`  named difference: ${one}`);
  for (const [type, pair] of [...all].sort((a, b) => size(b[1]) - size(a[1]))) {
    if (size(pair) < 5 && pair.ours.length + pair.theirs.length === 0) continue;
    const target = size(pair) >= 5 ? ' (>= 90 %)' : '';
    console.log(
      `  ${type}: ${rate([pair])}${target}, ours only ${pair.ours.length}, theirs only ${pair.theirs.length}`,
    );
    if (process.argv.includes('--names'))
      console.log(`    ours ${pair.ours.join(' ')}\n    theirs ${pair.theirs.join(' ')}`);
  }
}

/** Where checkpatch speaks and we are silent on purpose, told by what its remark is about; it counts as a difference all the same. */
function whySilent(type: string, bytes: Uint8Array, { at, text }: { at: number; text: string }): string | undefined {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const line = lines[at - 1] ?? '';
  if (type === 'TABSTOP' && /^\+\t*\/\*/.test(line))
    return 'what stands between tab stops is behind a comment that starts on one';
  if (
    type === 'PREFER_LORE_ARCHIVE' &&
    (/\/listinfo\//.test(line) || lines.slice(Math.max(0, at - 6), at).some((l) => /^_{20,}/.test(l)))
  )
    return 'the footer is the list server’s, not the author’s';
  if (type === 'FROM_SIGN_OFF_MISMATCH' && /\\x[0-9a-f]{2}/.test(text))
    return 'the name is the same, its header is not UTF-8';
  return undefined;
}

// checkpatch reads a file of several patches as one: a signature that stands in two is a duplicate, one author's sign-off is
// enough for all. We read each, so each is given to it alone.
function mailsOf(bytes: Uint8Array): Uint8Array[] {
  const splitter = splitMbox();
  const mails = [...splitter.push(bytes), ...splitter.end()];
  return mails.length > 1 ? mails.map((mail) => mail.bytes) : [bytes];
}

function findScript(): { readonly path: string; readonly kernel: string } | undefined {
  const path = findCheckpatch();
  const kernel = /linux-source-(\d+\.\d+)/.exec(path ?? '')?.[1];
  return path === undefined || kernel === undefined ? undefined : { path, kernel };
}

function ask(piece: Uint8Array, isStrict: boolean): Set<string> {
  const flags = ['--no-tree', '--terse', '--show-types', ...(isStrict ? ['--strict'] : [])];
  const { stdout } = spawnSync('perl', [script?.path ?? '', ...flags, '-'], { input: piece, encoding: 'utf8' });
  return new Set(
    [...stdout.matchAll(/^\S*:\d+: (?:ERROR|WARNING|CHECK):([A-Z0-9_]+):/gm)].map((match) => match[1] ?? ''),
  );
}

function size({ both, ours, theirs }: Pairs): number {
  return both + ours.length + theirs.length;
}

function rate(pairs: Iterable<Pairs>): string {
  let [both, all] = [0, 0];
  for (const pair of pairs) {
    both += pair.both;
    all += size(pair);
  }
  return all === 0 ? 'none' : `${both} of ${all}, ${((100 * both) / all).toFixed(1)} %`;
}

async function lists(): Promise<void> {
  const hits = new Map<string, string[]>();
  let count = 0;
  for (const mail of mails()) {
    for (const input of await ruleInputs(mail)) {
      count++;
      const seen = new Set<string>();
      for (const { rule, text, mailLine } of checkRules(input)) {
        if (seen.has(rule)) continue;
        seen.add(rule);
        const line = mailLine === undefined ? '' : (input.message.text.split('\n')[mailLine - 1] ?? '');
        hits.set(rule, [
          ...(hits.get(rule) ?? []),
          `${input.patch.title.slice(0, 60)} | ${text} | ${line.trim().slice(0, 100)}`,
        ]);
      }
    }
  }
  console.log(`\nmail/lists and the archives: ${count} patches`);
  for (const { id, default: on, confidence } of rules) {
    const found = hits.get(id) ?? [];
    const share = ((1000 * found.length) / Math.max(1, count)).toFixed(1);
    console.log(
      `  ${id}: ${found.length} patches, ${share} per thousand, confidence ${confidence}, ${on ? 'on' : 'off'}`,
    );
    if (!process.argv.includes('--samples')) continue;
    const step = Math.max(1, Math.floor(found.length / 10));
    for (const one of found.filter((_, at) => at % step === 0).slice(0, 10)) console.log(`      ${one}`);
  }
}

function* mails(): Iterable<Uint8Array> {
  for (const path of filesUnder(join(corpus, 'mail', 'lists'))) yield readFileSync(path);
  const archives = join(corpus, 'archives');
  for (const name of readdirSync(archives).filter((n) => n.endsWith('.gz'))) {
    const splitter = splitMbox();
    const bytes = gunzipSync(readFileSync(join(archives, name)));
    for (const one of splitter.push(bytes)) yield one.bytes;
    for (const one of splitter.end()) yield one.bytes;
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? filesUnder(path) : [path];
    });
}

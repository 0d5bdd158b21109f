/**
 * The wait finder over a whole kernel tree (Debian's linux-source-6.12, unpacked; its folder in KERNEL_TREE): agreement with a
 * plain search for the catalogue's names, and how many times it can tell, with the tree's own constants as `--tree` has them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCalls, tokenise } from '../../src/core/csource/index.js';
import { findApi, resolveWait, waitsOfSource, type Api } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';
import { openConstants } from '../../src/shell/tree/index.js';

const tree = process.env.KERNEL_TREE ?? '';
if (!existsSync(join(tree, 'drivers'))) {
  console.log('no kernel tree: set KERNEL_TREE to an unpacked linux-source-6.12');
  process.exit(0);
}
const isVerbose = process.argv.includes('--failures');
const only = process.argv.find((a) => a.startsWith('--only='))?.slice('--only='.length);
const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const names = new Set(catalogue.apis.filter((a) => a.flavour === 'linux').map((a) => a.name));
const constants = openConstants(tree);

function sources(folder: string): string[] {
  return readdirSync(join(tree, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.c') ? [path] : [];
  });
}

/** The plain search: comments and strings taken out character by character, then `name (`, prototypes and members aside. */
function plainSearch(text: string): string[] {
  const bare = text
    .replace(/\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g, (m) => m.replace(/[^\n]/g, ' '))
    .replace(/^[ \t]*#(?![ \t]*define)[^\n]*$/gm, '');
  const found: string[] = [];
  for (const match of bare.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)) {
    if (!names.has(match[1] ?? '')) continue;
    const before = bare.slice(Math.max(0, match.index - 60), match.index).trimEnd();
    if (/(?:\.|->)$/.test(before) || /#\s*define$/.test(before)) continue;
    const isBody = /#[ \t]*define[ \t]+\w+(?:\([^)]*\))?$/.test(before);
    if (!isBody && /\w$/.test(before) && !/\b(?:return|else|do|case)$/.test(before)) continue;
    if (/(?:^|[;}])\s*(?:static|extern|struct|const|unsigned|void|int|bool|long)[\w\s]*\*+$/.test(before)) continue;
    found.push(`${bare.slice(0, match.index).split('\n').length} ${match[1] ?? ''}`);
  }
  return found;
}

const sites = { plain: 0, found: 0, agree: 0 };
const times = { sleep: [0, 0], other: [0, 0] };
let files = 0;
let read = 0;
let readTime = 0n;

/** Only literals and macros can be told without running the code; variables, members and calls cannot. */
function isOpen(text: string): boolean {
  const tokens = tokenise(text);
  return tokens.some(
    (t, i) =>
      t.kind === 'name' &&
      (/[a-z]/.test(t.text) || tokens[i - 1]?.text === '->') &&
      !/^(?:[mun]?secs_to_jiffies|jiffies|min|max|min_t|max_t|u32|u64|int|unsigned|long|ms_to_ktime|us_to_ktime|ns_to_ktime|ktime_set)$/.test(
        t.text,
      ),
  );
}

function count(tally: number[], known: boolean): void {
  tally[0] = (tally[0] ?? 0) + (known ? 1 : 0);
  tally[1] = (tally[1] ?? 0) + 1;
}

/** Units of which a number says nothing about time. */
function isTime(api: Api | undefined): boolean {
  return api !== undefined && !['loops', 'xloops', 'struct', 'ms-table'].includes(api.span?.unit ?? 's');
}

for (const folder of only === undefined ? ['drivers', 'sound', 'net', 'block', 'fs'] : only.split(',')) {
  for (const path of sources(folder)) {
    const text = readFileSync(join(tree, path), 'latin1');
    files++;
    const plain = plainSearch(text);
    const calls = findCalls(tokenise(text), (name) => names.has(name));
    sites.plain += plain.length;
    sites.found += calls.length;
    sites.agree += Math.min(plain.length, calls.length);
    if (isVerbose && plain.length !== calls.length) {
      const seen = new Set(calls.map((c) => `${c.line + 1} ${c.name}`));
      const missed = plain.filter((p) => !seen.has(p));
      const extra = [...seen].filter((s) => !plain.includes(s));
      console.log(
        `sites ${path}: plain ${plain.length} found ${calls.length} - ${missed.slice(0, 3).join(', ')} + ${extra.slice(0, 3).join(', ')}`,
      );
    }
    if (calls.length === 0) continue;
    read++;
    const began = process.hrtime.bigint();
    const waits = waitsOfSource(path, text, catalogue);
    readTime += process.hrtime.bigint() - began;
    for (const { kind, wait, line } of waits) {
      const api = findApi(catalogue, 'linux', wait.api ?? '');
      if (!isTime(api)) continue;
      const told =
        wait.span !== undefined || wait.unknown.length === 0
          ? wait
          : resolveWait(wait, { constants: constants.lookUp(path, wait.unknown), units: {} });
      const isDelay = api?.kind === 'sleep' || api?.kind === 'busy';
      if (isDelay) count(times.sleep, told.span !== undefined);
      else if (!isOpen(wait.question?.expressions.join(' ') ?? '')) count(times.other, told.span !== undefined);
      if (isVerbose && told.span === undefined && isDelay)
        console.log(`time ${path}:${line} ${kind} ${wait.text.slice(0, 100)} ? ${told.unknown.slice(0, 3).join(' ')}`);
    }
  }
}

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} % (${part}/${whole})`;
console.log(`files: ${files}; with waits ${read}, ${(read / (Number(readTime) / 1e9)).toFixed(0)} of them a second`);
console.log(`call sites as by a plain search: ${share(sites.agree, Math.max(sites.plain, sites.found))} (>= 99.5 %)`);
console.log(`times of sleeps and delays told: ${share(times.sleep[0] ?? 0, times.sleep[1] ?? 0)} (>= 92 %)`);
console.log(`literals and macros of the others told: ${share(times.other[0] ?? 0, times.other[1] ?? 0)} (>= 90 %)`);

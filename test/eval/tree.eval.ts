/**
 * The wait finder over a whole kernel tree (Debian's linux-source-6.12, unpacked; its folder in KERNEL_TREE): agreement with a
 * plain search for the catalogue's names, and how many times it can tell.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCalls, readFragment, tokenise } from '../../src/core/csource/index.js';
import { findApi, readCall, type Api } from '../../src/core/delay/index.js';
import { loadCatalogue } from '../../src/shell/config/index.js';

const tree = process.env.KERNEL_TREE ?? '';
if (!existsSync(join(tree, 'drivers'))) {
  console.log('no kernel tree: set KERNEL_TREE to an unpacked linux-source-6.12');
  process.exit(0);
}
const catalogue = loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays'));
const names = new Set(catalogue.apis.filter((a) => a.flavour === 'linux').map((a) => a.name));
const WHOLE_FILE = 16 * 1024 * 1024;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.c') ? [path] : [];
  });
}

/** The plain search: comments and strings taken out character by character, then `name (`, prototypes and members aside. */
function plainSearch(text: string): number {
  const bare = text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g, (m) =>
    m.replace(/[^\n]/g, ' '),
  );
  let found = 0;
  for (const match of bare.matchAll(/\b([A-Za-z_]\w*)\s*\(/g)) {
    if (!names.has(match[1] ?? '')) continue;
    const before = bare.slice(Math.max(0, match.index - 60), match.index).trimEnd();
    if (/(?:\.|->)$/.test(before) || /#\s*define$/.test(before)) continue;
    if (/\w$/.test(before) && !/\b(?:return|else|do|case)$/.test(before)) continue;
    if (/(?:^|[;}])\s*(?:static|extern|struct|const|unsigned|void|int|bool|long)[\w\s]*\*+$/.test(before)) continue;
    found++;
  }
  return found;
}

const sites = { plain: 0, found: 0, agree: 0 };
const times = { sleep: [0, 0], other: [0, 0] };
const headers = new Map<string, string>();
let files = 0;
const began = process.hrtime.bigint();

function isOpen(text: string): boolean {
  // Only literals and macros can be told without running the code; variables, members and calls cannot.
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

function score(api: Api, known: { span?: unknown; limit?: unknown }, args: readonly string[]): void {
  const isDelay = api.kind === 'sleep' || api.kind === 'busy';
  if (api.span !== undefined && !['loops', 'xloops', 'struct', 'ms-table'].includes(api.span.unit)) {
    const texts = [args[api.span.from] ?? '', args[api.span.to] ?? ''];
    if (isDelay) count(times.sleep, known.span !== undefined);
    else if (!texts.some(isOpen)) count(times.other, known.span !== undefined);
  }
  if (api.limit !== undefined && !isOpen(args[api.limit.argument] ?? '')) count(times.other, known.limit !== undefined);
}

for (const folder of ['drivers', 'sound', 'net', 'block', 'fs']) {
  for (const path of sources(join(tree, folder))) {
    const text = readFileSync(path, 'latin1');
    files++;
    const plain = plainSearch(text);
    const calls = findCalls(tokenise(text), (name) => names.has(name));
    sites.plain += plain;
    sites.found += calls.length;
    sites.agree += Math.min(plain, calls.length);
    if (calls.length === 0) continue;
    const defines = definesOf(path, text);
    for (const call of calls) {
      const api = findApi(catalogue, 'linux', call.name);
      if (api === undefined) continue;
      const known = readCall(`${call.name}(${call.args.join(', ')})`, catalogue, 'linux', (name) => {
        const body = defines.get(name);
        return body === undefined ? undefined : { text: body, from: 'tree' };
      });
      score(api, known ?? {}, call.args);
    }
  }
}

/** #defines and enums of the file, of the headers beside it that it includes, and of the kernel's own. */
function definesOf(path: string, text: string): Map<string, string> {
  const all = new Map<string, string>();
  const folder = path.slice(0, path.lastIndexOf('/'));
  for (const match of text.matchAll(/^#\s*include\s+(?:"([^"]+)"|<([^>]+)>)/gm)) {
    const file = match[1] === undefined ? join(tree, 'include', match[2] ?? '') : join(folder, match[1]);
    if (!headers.has(file)) headers.set(file, existsSync(file) ? readFileSync(file, 'latin1') : '');
    collect(headers.get(file) ?? '', all);
  }
  collect(text, all);
  return all;
}

function collect(text: string, into: Map<string, string>): void {
  for (const match of text.matchAll(/^#[ \t]*define[ \t]+([A-Z]\w*)[ \t]([^\n\\]+)$/gm)) {
    into.set(match[1] ?? '', (match[2] ?? '').replace(/\/[*/].*$/, '').trim());
  }
  if (!/\benum\b/.test(text)) return;
  for (const e of readFragment(text, '', { cap: WHOLE_FILE }).enums) into.set(e.name, e.value);
}

const seconds = Number(process.hrtime.bigint() - began) / 1e9;
const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} % (${part}/${whole})`;
console.log(`files: ${files}, ${(files / seconds).toFixed(0)} a second`);
console.log(`call sites as by a plain search: ${share(sites.agree, Math.max(sites.plain, sites.found))} (>= 99.5 %)`);
console.log(`times of sleeps and delays told: ${share(times.sleep[0] ?? 0, times.sleep[1] ?? 0)} (>= 92 %)`);
console.log(`literals and macros of the others told: ${share(times.other[0] ?? 0, times.other[1] ?? 0)} (>= 90 %)`);

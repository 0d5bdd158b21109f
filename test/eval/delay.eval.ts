/** Scores findChanges on the labelled corpus by LABELS.md, and on the negatives. Failures are shown for one half only. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findChanges, type DelayChange } from '../../src/core/delay/index.js';
import type { Patch } from '../../src/core/patch/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';
import { patchesOf } from '../support/read-mail.js';
import { sharedFolder } from '../support/shared.js';
import { renamed, substance, type Renaming } from './parts/rename.js';

type LabelSide = { expr: string; us_min: number | null; us_max: number | null } | null;
type Label = {
  file: string;
  function: string | null;
  kind: string;
  old: LabelSide;
  new: LabelSide;
  in_loop: boolean | 'unknown';
  boot_path: string;
  role: string;
};
type Record_ = { file: string; changes: Label[]; unsure?: string; verdict: string };

const root = join(import.meta.dirname, '..', '..');
const corpus = join(sharedFolder, 'corpus');
const verbose = process.argv.includes('--failures');
const kit = { parser: await openCParser(), catalogue: loadCatalogue(join(root, 'config', 'delays')) };

type Score = ReturnType<typeof emptyScore>;

function emptyScore() {
  return {
    labels: 0,
    reported: 0,
    hits: 0,
    baitFiles: 0,
    baitHit: 0,
    values: [0, 0],
    functions: [0, 0],
    roles: [0, 0],
    paths: [0, 0],
    loops: [0, 0],
  };
}

function isShownHalf(name: string): boolean {
  return Number.parseInt(createHash('sha1').update(name).digest('hex').slice(0, 2), 16) % 2 === 0;
}

function family(kind: string): string {
  return ['sleep', 'busy', 'poll-interval'].includes(kind) ? 'wait' : kind;
}

function effectOf(label: Label): string {
  return label.old === null ? 'added' : label.new === null ? 'removed' : 'changed';
}

function effectClass(change: DelayChange): string {
  return change.effect === 'added' || change.effect === 'removed' ? change.effect : 'changed';
}

function valueRight(side: LabelSide, wait: DelayChange['before']): boolean | undefined {
  if (side === null || side.us_min === null || side.us_max === null) return undefined;
  if (wait?.span === undefined) return false;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1e-6, 0.01 * Math.abs(b));
  return near(wait.span.min / 1e3, side.us_min) && near(wait.span.max / 1e3, side.us_max);
}

function closeness(label: Label, change: DelayChange): number {
  if (label.file !== change.file && !label.file.endsWith(`/${change.file}`) && !change.file.endsWith(`/${label.file}`))
    return -1;
  if (family(label.kind) !== family(change.kind)) return -1;
  if (effectOf(label) !== effectClass(change)) return -1;
  let score = 1;
  if ((label.function ?? undefined) === change.function) score += 4;
  for (const right of [valueRight(label.old, change.before), valueRight(label.new, change.after)]) {
    if (right === true) score += 2;
    if (right === false) score -= 1;
  }
  if (label.kind === change.kind) score += 0.5;
  if (label.in_loop === change.inLoop) score += 0.25;
  return Math.max(score, 0);
}

function count(tally: number[], right: boolean | undefined): void {
  if (right === undefined) return;
  tally[0] = (tally[0] ?? 0) + (right ? 1 : 0);
  tally[1] = (tally[1] ?? 0) + 1;
}

const tallies = { shown: new Map<string, number>(), hidden: new Map<string, number>() };
function tally(what: string, shown: boolean): void {
  const map = tallies[shown ? 'shown' : 'hidden'];
  map.set(what, (map.get(what) ?? 0) + 1);
}
/** What went wrong without saying where: the hidden half shows only this. */
function detailOf(name: string, label: Label, change: DelayChange): string {
  if (name === 'roles') return `${label.role} read ${change.role.is}`;
  if (name === 'paths') return `${label.boot_path} read ${change.path.is}`;
  if (name !== 'values') return '';
  const side = (l: LabelSide, w: DelayChange['before']): string =>
    l === null || l.us_min === null ? 'free' : w?.span === undefined ? 'none' : valueRight(l, w) ? 'right' : 'other';
  return `${change.before?.api ?? ''}>${change.after?.api ?? ''} ${side(label.old, change.before)} ${side(label.new, change.after)}`;
}

function extension(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function show(change: DelayChange): string {
  const side = (w: DelayChange['before']): string =>
    w === undefined ? '-' : `${w.text} [${w.span ? `${w.span.min / 1e3}..${w.span.max / 1e3}` : (w.count ?? '?')}]`;
  return `${basename(change.file)} ${change.function ?? '-'} ${change.effect} ${change.kind} ${change.role.is} loop ${String(change.inLoop)} ${change.path.is} :: ${side(change.before)} => ${side(change.after)}`;
}

function showLabel(l: Label): string {
  const side = (s: LabelSide): string => (s === null ? '-' : `${s.expr} [${s.us_min}..${s.us_max}]`);
  return `${basename(l.file)} ${l.function ?? '-'} ${effectOf(l)} ${l.kind} ${l.role} loop ${l.in_loop} ${l.boot_path} :: ${side(l.old)} => ${side(l.new)}`;
}

function scoreFile(record: Record_, changes: DelayChange[], scores: Score[], shown: boolean): void {
  const out: string[] = [];
  const free = new Set(changes);
  const pairs: { label: Label; change: DelayChange; c: number }[] = [];
  for (const label of record.changes)
    for (const change of changes) {
      const c = closeness(label, change);
      if (c >= 0) pairs.push({ label, change, c });
    }
  pairs.sort((a, b) => b.c - a.c);
  const met = new Set<Label>();
  const add = (f: (s: Score) => void): void => {
    for (const s of scores) f(s);
  };
  for (const { label, change } of pairs) {
    if (met.has(label) || !free.has(change)) continue;
    met.add(label);
    free.delete(change);
    const wrong: string[] = [];
    const check = (name: 'values' | 'functions' | 'roles' | 'paths' | 'loops', right: boolean | undefined): void => {
      add((s) => count(s[name], right));
      if (right === false) wrong.push(name);
      if (right === false) tally(`wrong ${name}: ${label.kind} ${detailOf(name, label, change)}`, shown);
    };
    check('values', valueRight(label.old, change.before));
    check('values', valueRight(label.new, change.after));
    check('functions', (label.function ?? undefined) === change.function);
    check('roles', label.role === change.role.is);
    if (label.boot_path !== 'unknown') check('paths', label.boot_path === change.path.is);
    if (label.in_loop !== 'unknown') check('loops', label.in_loop === (change.inLoop ?? false));
    if (wrong.length > 0)
      out.push(`  ~ ${wrong.join(', ')}\n      label ${showLabel(label)}\n      found ${show(change)}`);
  }
  const missed = record.changes.filter((l) => !met.has(l));
  for (const l of missed) tally(`missed ${l.kind} ${effectOf(l)} ${extension(l.file)}`, shown);
  for (const c of free)
    tally(
      `extra${record.changes.length === 0 ? ' on bait' : ''} ${c.before && c.after && c.before.span === undefined && c.after.span === undefined ? 'unknown ' : ''}${c.before?.api ?? ''}>${c.after?.api ?? ''} ${c.kind} ${c.effect} ${extension(c.file)}`,
      shown,
    );
  const excused = record.unsure !== undefined;
  add((s) => {
    s.labels += record.changes.length - (excused ? missed.length : 0);
    s.hits += met.size;
    s.reported += changes.length - (excused ? free.size : 0);
    if (record.changes.length === 0 && !excused) {
      s.baitFiles++;
      if (changes.length > 0) s.baitHit++;
    }
  });
  for (const l of missed) out.push(`  - missed ${showLabel(l)}`);
  for (const c of free) out.push(`  + extra  ${show(c)}`);
  if (shown && verbose && out.length > 0)
    console.log(`${record.file}${excused ? ' (unsure)' : ''} ${record.verdict}\n${out.join('\n')}`);
}

const scores = { shown: emptyScore(), hidden: emptyScore(), all: emptyScore() };
const records = readFileSync(join(corpus, 'delay', 'labels.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((l) => JSON.parse(l) as Record_);
const renamings: Record<Renaming, { same: number; all: number }> = {
  names: { same: 0, all: 0 },
  'all but words of time': { same: 0, all: 0 },
};

/** Counts changes that are the same, in substance, after all names were changed. */
function rename(file: string, patches: readonly Patch[], changes: readonly DelayChange[], shown: boolean): void {
  for (const how of ['names', 'all but words of time'] as const) {
    const before = substance(changes);
    const after = substance(findChanges(renamed(patches, kit.catalogue, 'seed 1', how), kit));
    const left = [...after];
    for (const line of before) {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
    }
    renamings[how].same += after.length - left.length;
    renamings[how].all += Math.max(before.length, after.length);
    const gone = before.filter((l) => !after.includes(l));
    if (shown && process.argv.includes('--renamed') && gone.length + left.length > 0)
      console.log(`${file} (${how})\n${[...gone.map((g) => `  - ${g}`), ...left.map((l) => `  + ${l}`)].join('\n')}`);
  }
}

for (const record of records) {
  const shown = isShownHalf(basename(record.file));
  const patches = await patchesOf(join(corpus, 'delay', record.file));
  const changes = findChanges(patches, kit);
  rename(record.file, patches, changes, shown);
  scoreFile(record, changes, [shown ? scores.shown : scores.hidden, scores.all], shown);
}
let negatives = 0;
const false_ = { shown: 0, hidden: 0 };
for (const name of readdirSync(join(corpus, 'negatives')).filter((n) => n.endsWith('.eml') || n.endsWith('.patch'))) {
  negatives++;
  const changes = findChanges(await patchesOf(join(corpus, 'negatives', name)), kit);
  if (changes.length === 0) continue;
  const shown = isShownHalf(name);
  false_[shown ? 'shown' : 'hidden']++;
  if (shown && verbose) console.log(`negatives/${name}\n${changes.map((c) => `  + ${show(c)}`).join('\n')}`);
}
kit.parser.close();
if (process.argv.includes('--kinds')) {
  for (const [half, map] of Object.entries(tallies))
    for (const [what, n] of [...map].sort()) console.log(`${half}: ${what}: ${n}`);
}

const ratio = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${(part / whole).toFixed(3)} (${part}/${whole})`;
for (const [name, s] of Object.entries(scores)) {
  console.log(`\n${name} half`.replace('all half', 'both halves'));
  console.log(`precision: ${ratio(s.hits, s.reported)} (>= 0.97)`);
  console.log(`recall: ${ratio(s.hits, s.labels)} (>= 0.95)`);
  console.log(`values: ${ratio(s.values[0] ?? 0, s.values[1] ?? 0)} (>= 0.95)`);
  console.log(`function: ${ratio(s.functions[0] ?? 0, s.functions[1] ?? 0)} (>= 0.95)`);
  console.log(`role: ${ratio(s.roles[0] ?? 0, s.roles[1] ?? 0)} (>= 0.90)`);
  console.log(`path: ${ratio(s.paths[0] ?? 0, s.paths[1] ?? 0)} (>= 0.85)`);
  console.log(`in_loop: ${ratio(s.loops[0] ?? 0, s.loops[1] ?? 0)} (>= 0.95)`);
  console.log(`bait files with a report: ${s.baitHit}/${s.baitFiles} (0)`);
}
console.log(`\nnegatives with a report: ${false_.shown} + ${false_.hidden} of ${negatives} (0)`);
for (const [how, { same, all }] of Object.entries(renamings))
  console.log(`the same after a seeded renaming of ${how}: ${ratio(same, all)}`);

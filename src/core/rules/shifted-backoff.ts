import { evaluate } from '../kernel/index.js';
import type { Patch } from '../patch/index.js';
import { newSide, oldSide, type SideLine } from './changed-waits.js';
import type { Remark } from './finding.js';

/** An interval that is shifted by a growing exponent, as far as the patch tells its numbers (in the source's unit). */
export type Shifted = {
  readonly text: string;
  readonly exponent: string;
  readonly first?: number;
  readonly cap?: number;
  /** Width of the variable in which the product is computed. */
  readonly bits: number;
  /** Greatest exponent that the code lets through. */
  readonly exponentCap?: number;
  readonly where: Omit<Remark, 'text'>;
};

const shifts = [
  /\b(?<base>[A-Za-z_][\w.]*(?:->\w+)*)\s*\*\s*\(\s*(?:1|1[uU]|1[uU]?[lL]{1,2}|\(\w+\)\s*1)\s*<<\s*(?<exp>[A-Za-z_]\w*)\s*\)/,
  /\b(?<base>[A-Za-z_][\w.]*(?:->\w+)*)\s*\*\s*BIT\(\s*(?<exp>[A-Za-z_]\w*)\s*\)/,
  /\b(?<base>[A-Za-z_][\w.]*(?:->\w+)*)\s*<<=?\s*(?<exp>[A-Za-z_]\w*)\b/,
];
const waits = /\b(?:schedule_timeout\w*|mod_timer|\w*(?:sleep|delay|backoff|wait)\w*)\s*\(/i;
const reach = 6;

/** Backoffs whose shift stays as it is while the patch bounds its exponent: as they were, and as they are now. */
export function boundedBackoffs(patch: Patch): { readonly before: Shifted; readonly after: Shifted }[] {
  if (!hasShift(patch)) return [];
  const known = definesOf(patch);
  const found: { before: Shifted; after: Shifted }[] = [];
  for (const file of patch.files) {
    if (!/\.[ch]$/.test(file.path)) continue;
    for (const hunk of file.hunks) {
      const [old, now] = [oldSide(hunk), newSide(hunk)];
      for (const [at, line] of now.entries()) {
        if (line.kind !== 'context' || !holdsShift(line.code)) continue;
        const was = old.findIndex((one) => one.mailLine === line.mailLine);
        const [before, after] = [readAt(old, was, known, []), readAt(now, at, known, [])];
        if (before === undefined || after?.exponentCap === undefined || before.exponentCap !== undefined) continue;
        const { newNumber, mailLine } = line;
        const where = { file: file.path, ...(newNumber === undefined ? {} : { line: newNumber }), mailLine };
        found.push({ before: { ...before, where }, after: { ...after, where } });
      }
    }
  }
  return found;
}

/** Backoffs by a shift on added lines whose result is waited for within a few lines. */
export function backoffsIn(patch: Patch): Shifted[] {
  if (!hasShift(patch)) return [];
  const known = definesOf(patch);
  const whole = patch.files.flatMap((file) =>
    file.hunks.map((hunk) =>
      newSide(hunk)
        .map(({ code }) => code)
        .join('\n'),
    ),
  );
  const found: Shifted[] = [];
  for (const file of patch.files) {
    if (!/\.[ch]$/.test(file.path)) continue;
    for (const hunk of file.hunks) {
      const lines = newSide(hunk);
      for (const [at, line] of lines.entries()) {
        if (line.kind !== 'added' || !holdsShift(line.code)) continue;
        const one = readAt(lines, at, known, whole);
        if (one === undefined) continue;
        const { newNumber, mailLine } = line;
        found.push({
          ...one,
          where: { file: file.path, ...(newNumber === undefined ? {} : { line: newNumber }), mailLine },
        });
      }
    }
  }
  return found;
}

const shiftKept = new WeakMap<Patch, boolean>();

/** Nearly no patch has a shift by a variable and a wait near it: the rest costs a look at its lines. */
function hasShift(patch: Patch): boolean {
  const known = shiftKept.get(patch);
  if (known !== undefined) return known;
  const has = (holds: (text: string) => boolean): boolean =>
    patch.files.some(
      ({ path, hunks }) =>
        /\.[ch]$/.test(path) &&
        hunks.some(({ lines }) => lines.some(({ kind, text }) => kind !== 'removed' && holds(text))),
    );
  const found = has(holdsShift) && has((text) => waits.test(text));
  shiftKept.set(patch, found);
  return found;
}

// By a name with a small letter: constants are written in capitals.
function holdsShift(code: string): boolean {
  if (!code.includes('<<') && !code.includes('BIT(')) return false;
  return /(?:<<=?|\*\s*BIT\()\s*(?![A-Z_0-9]+\b)[A-Za-z_]/.test(code);
}

/** The interval at exponent k, wrapping as unsigned C arithmetic does, then capped. */
export function stepOf(
  { first = 1, cap = Infinity, bits, exponentCap = Infinity }: Pick<Shifted, 'first' | 'cap' | 'bits' | 'exponentCap'>,
  k: number,
): number {
  const exponent = Math.min(k, exponentCap);
  const product = Number((BigInt(Math.trunc(first)) << BigInt(exponent)) % (1n << BigInt(bits)));
  return Math.min(product, cap);
}

type Defines = ReadonlyMap<string, number>;

function definesOf(patch: Patch): Defines {
  const known = new Map<string, number>();
  for (const { lines } of patch.files.flatMap((file) => file.hunks)) {
    for (const { kind, text } of lines) {
      const match = kind === 'removed' ? null : /^#\s*define\s+(\w+)\s+(\S[^/]*)/.exec(text);
      const value = match === null ? undefined : evaluate((match[2] ?? '').trim());
      if (match !== null && value !== undefined) known.set(match[1] ?? '', value);
    }
  }
  return known;
}

function readAt(
  lines: readonly SideLine[],
  at: number,
  known: Defines,
  whole: readonly string[],
): Omit<Shifted, 'where'> | undefined {
  const code = lines[at]?.code ?? '';
  const match = shifts.map((shift) => shift.exec(code)).find((one) => one !== null);
  const base = match?.groups?.['base'];
  const exponent = match?.groups?.['exp'];
  if (match === undefined || match === null || base === undefined || exponent === undefined) return undefined;
  const target = /^\s*(?:\w+\s+)?(\w+)\s*=[^=]/.exec(code)?.[1] ?? base;
  const scope = functionAround(lines, at);
  const below = scope.lines.slice(scope.at, scope.at + reach).map((line) => line.code);
  const slept = below.some((line) => isWaited(line, target));
  // The exponent must grow: counted up here, or handed in.
  if (!slept || known.has(exponent) || /^[A-Z_0-9]+$/.test(exponent)) return undefined;
  const all = scope.lines.map((line) => line.code);
  const bits = bitsOf(code, all, base, target);
  const least = numberOf(base, known) ?? leastOf(all.slice(0, scope.at + 1), base, known);
  const handed = handedIn(all, base, whole, known);
  const first = handed === undefined ? least : Math.max(handed, least ?? 0);
  const cap = capOf(all.slice(scope.at), target, known) ?? capOf([code], target, known);
  const exponentCap = capOfExponent(all, exponent, known);
  return {
    text: match[0].trim(),
    exponent,
    bits,
    ...(first === undefined ? {} : { first }),
    ...(cap === undefined ? {} : { cap }),
    ...(exponentCap === undefined ? {} : { exponentCap }),
  };
}

function functionAround(lines: readonly SideLine[], at: number): { lines: readonly SideLine[]; at: number } {
  let from = at;
  while (from > 0 && !/^\{/.test(lines[from]?.code ?? '') && !/^\}/.test(lines[from - 1]?.code ?? '')) from--;
  // With the signature above the brace: it declares the parameters.
  while (from > 0 && /\S/.test(lines[from - 1]?.code ?? '') && !/^[}#]/.test(lines[from - 1]?.code ?? '')) from--;
  let to = at;
  while (to < lines.length - 1 && !/^\}/.test(lines[to]?.code ?? '')) to++;
  return { lines: lines.slice(from, to + 1), at: at - from };
}

const widths: readonly (readonly [RegExp, number])[] = [
  [/\b(?:u64|uint64_t|s64|unsigned long long|long long|ktime_t)\b/, 64],
  [/\b(?:u16|uint16_t|s16|unsigned short|short)\b/, 16],
  [/\b(?:u8|uint8_t|s8|unsigned char)\b/, 8],
  [/\b(?:u32|uint32_t|s32|int|unsigned)\b/, 32],
  [/\b(?:unsigned long|long|size_t)\b/, 64],
];

// min_t(u32, ...) computes in that type; a 1ULL makes the shift 64 bits wide; else the variable's own width counts.
function bitsOf(code: string, all: readonly string[], base: string, target: string): number {
  if (/\b1[uU]?[lL]{2}\b|\bBIT_ULL\b/.test(code)) return 64;
  const typed = callOfName(code, /\b(?:min|max)_t\s*\(/)?.[0];
  const declared = [base, target].map((name) =>
    all.find((line) =>
      new RegExp(
        `\\b(?:u\\d+|s\\d+|int|long|short|char|unsigned|uint\\d+_t|size_t|ktime_t)\\s+(?:\\w+\\s*,\\s*)*${escape(name)}\\b`,
      ).test(line),
    ),
  );
  const type = typed ?? declared.find((line) => line !== undefined) ?? 'int';
  return widths.find(([name]) => name.test(type))?.[1] ?? 32;
}

function escape(name: string): string {
  return name.replace(/[.*+?^$()[\]{}|\\>-]/g, '\\$&');
}

function numberOf(text: string, known: Defines): number | undefined {
  return known.get(text.trim()) ?? evaluate(text.trim());
}

/** What the base is at least, or is set to: max_t(u32, MIN, base), base = MIN. */
function leastOf(lines: readonly string[], base: string, known: Defines): number | undefined {
  for (const line of [...lines].reverse()) {
    const most = boundOf(line, 'max');
    if (most !== undefined && line.includes(base)) {
      const value = most.map((part) => numberOf(part, known)).find((part) => part !== undefined);
      if (value !== undefined) return value;
    }
    const set = new RegExp(`\\b${escape(base)}\\s*=\\s*([^;=]+);`).exec(line);
    const value = set === null ? undefined : numberOf(set[1] ?? '', known);
    if (value !== undefined) return value;
  }
  return undefined;
}

function capOf(lines: readonly string[], target: string, known: Defines): number | undefined {
  for (const line of lines.slice(0, reach)) {
    const least = boundOf(line, 'min') ?? boundOf(line, 'clamp');
    if (least !== undefined && line.includes(target)) {
      const value = least.map((part) => numberOf(part, known)).findLast((part) => part !== undefined);
      if (value !== undefined) return value;
    }
    const over = new RegExp(`if\\s*\\(\\s*${escape(target)}\\s*>=?\\s*(\\w+)\\s*\\)`).exec(line);
    const value = over === null ? undefined : numberOf(over[1] ?? '', known);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A bound on the exponent itself; where it is there but its number is not, it is taken for good. */
function capOfExponent(lines: readonly string[], exponent: string, known: Defines): number | undefined {
  for (const line of lines) {
    const least = boundOf(line, 'min') ?? boundOf(line, 'clamp');
    const compared = new RegExp(`\\b${exponent}\\s*[<>]=?\\s*(\\w+)`).exec(line)?.[1];
    const bound = least?.includes(exponent) === true ? least.find((part) => part !== exponent) : compared;
    if (bound === undefined) continue;
    return numberOf(bound, known) ?? 0;
  }
  return undefined;
}

/** The two values of a min(), min_t() or a project's own; the type of min_t() left out. */
function boundOf(line: string, name: 'min' | 'max' | 'clamp'): readonly string[] | undefined {
  const pattern = new RegExp(`\\b\\w*${name}(?:_t|_val|\\d+)?\\s*\\(`, 'i');
  const args = callOfName(line, pattern);
  return args === undefined ? undefined : args.slice(/_t\s*\($/.test(pattern.exec(line)?.[0] ?? '') ? 1 : 0);
}

function callOfName(line: string, name: RegExp): readonly string[] | undefined {
  const match = name.exec(line);
  if (match === null) return undefined;
  const args: string[] = [''];
  let depth = 0;
  for (const char of line.slice(match.index + match[0].length)) {
    if (char === ')' && depth-- === 0) return args.map((arg) => arg.trim());
    if (char === '(') depth++;
    if (char === ',' && depth === 0) args.push('');
    else args[args.length - 1] += char;
  }
  return undefined;
}

/** Whether the line calls something that waits, with the variable among its arguments. */
function isWaited(line: string, name: string): boolean {
  const call = waits.exec(line);
  return call !== null && new RegExp(`\\b${escape(name)}\\b`).test(line.slice(call.index + call[0].length));
}

/** What the function's callers hand in for its parameter, where a call and the value (or the field's) stand in the patch. */
function handedIn(
  all: readonly string[],
  parameter: string,
  whole: readonly string[],
  known: Defines,
): number | undefined {
  const open = all.findIndex((line) => line.startsWith('{'));
  const signature = all.slice(0, Math.max(open, 0)).join(' ');
  const name = /(\w+)\s*\(/.exec(signature)?.[1];
  if (name === undefined) return undefined;
  const parameters = callOfName(signature, /\w+\s*\(/) ?? [];
  const place = parameters.findIndex((one) => new RegExp(`\\b${escape(parameter)}$`).test(one));
  if (place === -1) return undefined;
  for (const text of whole) {
    for (const call of text.matchAll(new RegExp(`\\b${escape(name)}\\s*\\(`, 'g'))) {
      const arg = callOfName(text.slice(call.index, call.index + 400), /\(/)?.[place];
      if (arg === undefined || parameters.includes(arg)) continue;
      const value = numberOf(arg, known) ?? fieldValue(/(?:->|\.)(\w+)$/.exec(arg)?.[1], whole, known);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function fieldValue(field: string | undefined, whole: readonly string[], known: Defines): number | undefined {
  if (field === undefined) return undefined;
  const set = new RegExp(`(?:->|\\.)${escape(field)}\\s*=\\s*([^;=\\n]{1,80})[;,]`);
  for (const text of whole) {
    const value = numberOf(set.exec(text)?.[1] ?? '', known);
    if (value !== undefined) return value;
  }
  return undefined;
}

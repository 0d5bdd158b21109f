import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMap, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import type { Api, Catalogue } from '../../core/delay/index.js';

const unit = z.enum([
  's',
  'ms',
  'us',
  'ns',
  'jiffies',
  'jiffies-deadline',
  'ktime',
  'ticks',
  'sbintime',
  'delta',
  'ms-table',
  'loops',
  'xloops',
  'struct',
]);
const position = z.int().min(0).max(31);
const version = z.string().regex(/^\d+\.\d+$/);

const entry = z.strictObject({
  name: z.string().min(1),
  flavour: z.enum(['linux', 'freebsd', 'u-boot', 'barebox', 'coreboot', 'rust']).default('linux'),
  path: z.string().optional(),
  kind: z.enum(['sleep', 'busy', 'poll', 'wait', 'work', 'timer', 'conversion', 'yield']),
  clock: z.enum(['wheel', 'hrtimer', 'busy', 'auto', 'scheduler', 'none']),
  span: z
    .union([z.strictObject({ argument: position, unit }), z.strictObject({ from: position, to: position, unit })])
    .optional(),
  limit: z.strictObject({ argument: position, unit }).optional(),
  atomic: z.boolean().nullable(),
  arguments: z.array(z.string()).default([]),
  since: version.optional(),
  until: version.optional(),
  seen: z.array(z.string()).default([]),
  source: z.string().min(1),
  reads: z
    .array(z.strictObject({ call: z.string(), span: z.string().optional(), limit: z.string().optional() }))
    .default([]),
  note: z.string().optional(),
});

/** The catalogue of delaying calls from a folder of YAML files; an error names the file, the line and the nearest key. */
export function loadCatalogue(folder: string): Catalogue {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  if (names.length === 0) throw new Error(`${folder}: no catalogue file (*.yaml)`);
  return {
    apis: names.flatMap((name) => parseCatalogue(readFileSync(join(folder, name), 'utf8'), join(folder, name))),
  };
}

/** The entries of one catalogue file. */
export function parseCatalogue(text: string, path: string): Api[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) throw new Error(`${path}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  const parsed = z.array(entry).safeParse(document.toJS());
  if (!parsed.success) {
    // A misspelt key also shows as a missing one: the misspelling is what helps.
    const { issues } = parsed.error;
    const first = issues.find((i) => i.code === 'unrecognized_keys') ?? issues[0];
    throw new Error(describe(first, document, lines, path));
  }
  return parsed.data.map((e) => toApi(e, basename(path)));
}

function toApi(e: z.infer<typeof entry>, file: string): Api {
  const { span, limit, atomic, since, until, note, path: _path, ...rest } = e;
  return {
    ...rest,
    ...(span === undefined
      ? {}
      : { span: 'argument' in span ? { from: span.argument, to: span.argument, unit: span.unit } : span }),
    ...(limit === undefined ? {} : { limit }),
    ...(atomic === null ? {} : { atomic }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(note === undefined ? {} : { note }),
    file,
  };
}

function describe(
  issue: z.core.$ZodIssue | undefined,
  document: Document.Parsed,
  lines: LineCounter,
  path: string,
): string {
  if (issue === undefined) return `${path}: not a catalogue`;
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const line = lineOf(document, keys[0] === undefined ? issue.path : [...issue.path, keys[0]], lines);
  const where = `${path}:${line}`;
  const [key] = keys;
  if (key === undefined) return `${where}: ${issue.path.join('.')}: ${issue.message}`;
  const near = nearest(key, [...Object.keys(entry.shape), 'argument', 'from', 'to', 'unit', 'call']);
  return `${where}: unknown key "${key}"${near === undefined ? '' : `, did you mean "${near}"?`}`;
}

function lineOf(document: Document.Parsed, path: readonly PropertyKey[], lines: LineCounter): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isSeq(node) && typeof step === 'number') node = node.items[step];
    else if (isMap(node)) {
      const pair = node.items.find((p) => String(p.key) === String(step));
      const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
      if (range !== undefined) offset = range[0];
      node = pair?.value;
    } else break;
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range !== undefined && range[0] > offset && !isMap(node)) offset = range[0];
    else if (range !== undefined && offset === 0) offset = range[0];
  }
  return lines.linePos(offset).line;
}

/** The known key with the fewest edits from `key`, if it is near at all. */
function nearest(key: string, known: readonly string[]): string | undefined {
  const scored = known.map((k) => ({ k, d: edits(key, k) })).sort((a, b) => a.d - b.d);
  const [best] = scored;
  return best !== undefined && best.d <= Math.max(2, key.length / 3) ? best.k : undefined;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

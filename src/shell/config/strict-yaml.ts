import { isMap, isScalar, LineCounter, parseDocument, type Document, type Pair } from 'yaml';
import { z } from 'zod';
import { findNearest } from './nearest.js';

/** What is wrong with a file, by line. */
export type Complaint = { readonly line: number; readonly text: string };
export type Strict<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: readonly Complaint[] };

const largest = 1024 * 1024;

/**
 * Reads YAML against a schema. Nothing is passed over: an unknown or repeated key, a wrong value, an alias that grows too
 * large is a complaint that names its line, and the nearest known key where there is one.
 */
export function readStrictYaml<T>(text: string, schema: z.ZodType<T>): Strict<T> {
  if (text.length > largest) return { ok: false, reason: [{ line: 1, text: 'is larger than a megabyte' }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, version: '1.2' });
  if (document.errors.length > 0) {
    const reason = document.errors.map((e) => ({ line: lines.linePos(e.pos[0]).line, text: e.message }));
    return { ok: false, reason };
  }
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { ok: false, reason: [{ line: 1, text: error.message }] };
  }
  const result = schema.safeParse(plain ?? {});
  if (result.success) return { ok: true, value: result.data };
  const at = (path: readonly PropertyKey[], key?: string): number => lineOf(document, lines, path, key);
  return { ok: false, reason: result.error.issues.flatMap((issue) => complain(issue, schema, at)) };
}

function complain(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  at: (path: readonly PropertyKey[], key?: string) => number,
): Complaint[] {
  const where = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys')
    return [{ line: at(issue.path), text: `${where === '' ? 'the file' : where}: ${issue.message}` }];
  const known = knownKeys(schema, issue.path);
  return issue.keys.map((key) => {
    const near = findNearest(key, known);
    const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
    return { line: at(issue.path, key), text: `unknown key "${key}"${where === '' ? '' : ` in ${where}`}; ${hint}` };
  });
}

/** The line of the value at a path, or of a key in it; that of the nearest thing around it where it is missing. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[], key?: string): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (depth === path.length && key !== undefined && isMap(node)) {
      const pair = node.items.find((item: Pair) => isScalar(item.key) && String(item.key.value) === key);
      const range = isScalar(pair?.key) ? pair.key.range : undefined;
      if (range) return lines.linePos(range[0]).line;
    }
    const range = (node as { range?: readonly number[] } | undefined)?.range;
    if (range?.[0] !== undefined) return lines.linePos(range[0]).line;
  }
  return 1;
}

/** The keys that a schema knows at a path: objects by name, records and arrays by what they hold. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const step of path) here = stepInto(bare(here), step);
  const at = bare(here);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function stepInto(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return (schema.shape as Record<PropertyKey, unknown>)[step];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** The schema behind defaults, optionals and transforms. */
export function bare(schema: unknown): unknown {
  let here = schema;
  for (let depth = 0; depth < 10; depth++) {
    if (here instanceof z.ZodPipe) here = here.in;
    else if (here instanceof z.ZodDefault || here instanceof z.ZodPrefault || here instanceof z.ZodOptional)
      here = here.unwrap();
    else return here;
  }
  return here;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Profile } from '../../core/estimate/index.js';
import { isHz, parseNs, parseVersion } from '../../core/kernel/index.js';
import { Failure } from './failure.js';

const time = z.string().transform((text, context) => {
  const value = parseNs(text);
  if (value === undefined) context.addIssue({ code: 'custom', message: `"${text}" is no time; write 200us, 1.5 ms` });
  return value ?? z.NEVER;
});

const schema = z.strictObject({
  title: z.string().min(1),
  /** Used without being asked for. */
  default: z.boolean(),
  files: z.array(z.string().min(1)).min(1),
  functions: z.array(z.string().min(1)).optional(),
  ready: z
    .array(z.strictObject({ share: z.number().min(0).max(1), at: time }))
    .min(1)
    .refine((points) => points.every((p, i) => i === 0 || isAfter(points[i - 1], p)), {
      message: 'shares and times must rise',
    }),
  hz: z.int().refine(isHz, { message: 'no kernel has this HZ (24..1200)' }).optional(),
  kernel: z
    .string()
    .refine((text) => parseVersion(text) !== undefined, { message: 'not a kernel version, such as "6.12"' })
    .optional(),
  source: z.string().min(1),
});

/** The hardware profiles of a folder: those that apply by default, and those asked for by name. */
export function loadProfiles(folder: string, wanted: readonly string[] = []): Profile[] {
  const all = readProfiles(folder);
  const missing = wanted.find((name) => !all.some(({ profile }) => profile.name === name));
  if (missing !== undefined) {
    const known = all.map(({ profile }) => profile.name).join(', ');
    throw new Failure('usage', `there is no profile "${missing}"; there are: ${known}`);
  }
  return all
    .filter(({ isDefault, profile }) => isDefault || wanted.includes(profile.name))
    .map(({ profile }) => profile);
}

/** Every profile of a folder, by name, with whether it applies without being asked for. */
export function readProfiles(folder: string): { readonly profile: Profile; readonly isDefault: boolean }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) =>
      parseProfile(readFileSync(join(folder, name), 'utf8'), name.slice(0, -'.yaml'.length), join(folder, name)),
    );
}

/** One profile; what is wrong with it is told with file, line and key. */
export function parseProfile(text: string, name: string, path: string): { profile: Profile; isDefault: boolean } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new Failure('configuration', `${path}:${String(lines.linePos(broken.pos[0]).line)}: ${broken.message}`);
  }
  const parsed = schema.safeParse(document.toJS());
  if (parsed.success) {
    const { default: isDefault, functions, hz, kernel, ...rest } = parsed.data;
    const profile = {
      name,
      ...rest,
      ...(functions === undefined ? {} : { functions }),
      ...(hz === undefined ? {} : { hz }),
      ...(kernel === undefined ? {} : { kernel }),
    };
    return { profile, isDefault };
  }
  const issue = parsed.error.issues.find((i) => i.code === 'unrecognized_keys') ?? parsed.error.issues[0];
  const at = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? []);
  const line = lineOf(text, String(at.findLast((step) => typeof step === 'string') ?? ''));
  const what =
    issue?.code === 'unrecognized_keys'
      ? `unknown key "${issue.keys[0] ?? ''}"; known are ${Object.keys(schema.shape).join(', ')}`
      : `${at.join('.')}: ${issue?.message ?? 'not a profile'}`;
  throw new Failure('configuration', `${path}:${String(line)}: ${what}`);
}

/** Profiles are short and their keys are few: the first line that has the key is the one. */
function lineOf(text: string, key: string): number {
  const found = text.split('\n').findIndex((line) => new RegExp(`(?:^|[\\s{,])${escaped(key)}\\s*:`).test(line));
  return found < 0 ? 1 : found + 1;
}

function escaped(key: string): string {
  return key.replace(/[^\w-]/g, '.');
}

function isAfter(
  a: { readonly share: number; readonly at: number } | undefined,
  b: { readonly share: number; readonly at: number },
): boolean {
  return a !== undefined && b.share > a.share && b.at >= a.at;
}

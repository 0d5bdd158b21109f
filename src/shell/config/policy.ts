import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PolicyState } from '../../core/review/index.js';
import { policySchema } from './policy-schema.js';
import { readStrictYaml } from './strict-yaml.js';

/** The policy in a text. `path` only names it in what is wrong. */
export function parsePolicy(text: string, path: string): PolicyState {
  const read = readStrictYaml(text, policySchema);
  if (!read.ok)
    return { kind: 'none', why: read.reason.map(({ line, text: what }) => `${path}:${line}: ${what}`).join('\n') };
  return { kind: 'policy', policy: read.value, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

/** Reads the policy. A missing or broken file is a value that sends nothing and says why, never an error to pass over. */
export async function loadPolicy(path: string | undefined): Promise<PolicyState> {
  if (path === undefined) return { kind: 'none', why: 'no policy is given' };
  try {
    return parsePolicy(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { kind: 'none', why: `${path}: cannot be read (${String(error.code)})` };
  }
}

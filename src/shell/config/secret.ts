import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Failure } from './failure.js';
import type { SecretReference } from './settings-schema.js';

/** Fetches a secret from where its reference points; a last line end is not part of it. What goes wrong never shows it. */
export async function readSecret(
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const secret = (await fetchSecret(reference, env)).replace(/\r?\n$/, '');
  if (secret === '') throw new Failure('secret-missing', `${nameOf(reference)} is empty`);
  return secret;
}

async function fetchSecret(
  reference: SecretReference,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if ('env' in reference) {
    const value = env[reference.env];
    if (value === undefined) throw new Failure('secret-missing', `${nameOf(reference)} is not set`);
    return value;
  }
  try {
    if ('file' in reference) return await readFile(reference.file, 'utf8');
    const [program = '', ...args] = reference.command;
    return (await promisify(execFile)(program, args, { timeout: 30_000, maxBuffer: 65_536 })).stdout;
  } catch (error) {
    // The error of a failed command carries its output: it is left out on purpose.
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Failure('secret-missing', `${nameOf(reference)} gives nothing${code}`);
  }
}

function nameOf(reference: SecretReference): string {
  if ('env' in reference) return `the variable ${reference.env}`;
  return 'file' in reference ? `the file ${reference.file}` : `the command ${reference.command[0] ?? ''}`;
}

import { readFile } from 'node:fs/promises';
import { Failure } from './failure.js';

/** Further certificates to trust, as PEM text. */
export async function readCertificates(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure(
      'settings-missing',
      `${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`,
      error,
    );
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new Failure('configuration', `${path}:1: holds no certificate in PEM form`);
}

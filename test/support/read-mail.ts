import { readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';
import { parsePatches, type Patch } from '../../src/core/patch/index.js';
import { mailOf } from './mail-text.js';

/** The patches of a saved mail or format-patch file. */
export async function patchesOf(path: string): Promise<readonly Patch[]> {
  const bytes = readFileSync(path);
  const mail = await simpleParser(
    bytes.subarray(0, 5).toString() === 'From ' ? bytes.subarray(bytes.indexOf(10) + 1) : bytes,
    { skipHtmlToText: true, skipTextToHtml: true },
  );
  return parsePatches(mailOf(mail.text ?? '', { subject: mail.subject ?? '' })).patches;
}

/** What the rules get to see of a mail, read as the product reads it: one input a patch. */
import { join } from 'node:path';
import { findChanges, type DelayKit } from '../../src/core/delay/index.js';
import { readEvidence, relateEvidence } from '../../src/core/evidence/index.js';
import { looksLikeDiff, looksLikeMail, parseMessage } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import type { RuleInput } from '../../src/core/rules/index.js';
import { loadCatalogue, openCParser } from '../../src/shell/config/index.js';

let kit: Promise<DelayKit> | undefined;

async function openKit(): Promise<DelayKit> {
  const parser = await openCParser();
  return { parser, catalogue: loadCatalogue(join(import.meta.dirname, '..', '..', 'config', 'delays')) };
}

/** Without `waits` no change is looked for and no claim read, which is most of the time. */
export async function ruleInputs(bytes: Uint8Array, waits = true): Promise<RuleInput[]> {
  // A bare diff is read as a mail without a subject, as the source does.
  const bare = !looksLikeMail(bytes) && looksLikeDiff(bytes);
  const message = await parseMessage(bare ? Buffer.concat([Buffer.from('Subject:\n\n'), bytes]) : bytes);
  const { patches } = parsePatches(message);
  if (patches.length === 0) return [];
  kit ??= openKit();
  const changes = waits ? findChanges(patches, await kit) : [];
  const evidence = waits
    ? relateEvidence([{ ...readEvidence(message), id: message.id ?? '', byAuthor: true }], changes)
    : { logs: [], claims: [], measurements: [] };
  return patches.map((patch, patchIndex) => ({ message, patch, patchIndex, changes, evidence }));
}

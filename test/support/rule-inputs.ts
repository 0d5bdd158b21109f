/** What the rules get to see of a mail: one input a patch, without changes and evidence. */
import { parseMessage } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import type { RuleInput } from '../../src/core/rules/index.js';

export async function ruleInputs(mail: Uint8Array): Promise<RuleInput[]> {
  const message = await parseMessage(mail);
  const evidence = { logs: [], claims: [], measurements: [] };
  return parsePatches(message).patches.map((patch, patchIndex) => ({
    message,
    patch,
    patchIndex,
    changes: [],
    evidence,
  }));
}

import { checkRules, type Finding } from '../rules/index.js';
import type { Reading } from './reading.js';

const rule = 'subject-length';

/** A mail's findings with the subject judged by a list's own limit, in characters: a Reading was made without knowing the list. */
export function limitSubject(about: Reading, summaryLimit: number): readonly Finding[] {
  const { message, patches, changes, logs, claims, findings } = about;
  if (about.kind !== 'patch') return findings;
  const evidence = { logs, claims, measurements: [] };
  const anew = patches.flatMap((patch, patchIndex) =>
    checkRules({ message, patch, patchIndex, changes, evidence, summaryLimit }, { only: [rule] }),
  );
  return [...findings.filter((finding) => finding.rule !== rule), ...anew];
}

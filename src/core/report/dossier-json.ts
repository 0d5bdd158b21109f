import { monthCount, repliesPerMonth, type Dossier } from './dossier.js';
import { seriesToJson } from './summary-json.js';

/** The contract `reveille.replay.v1` (config/schema). Within v1 fields may be added. */
export function dossierToJson(dossier: Dossier): Record<string, unknown> {
  const { made } = dossier;
  return {
    schema: 'reveille.replay.v1',
    made: { ...made, policy: made.policy ?? null, tree: made.tree ?? null },
    archive: dossier.archive,
    first: dossier.first ?? null,
    last: dossier.last ?? null,
    mails: dossier.mails,
    patches: dossier.patches,
    months: monthCount(dossier),
    replies: dossier.replies,
    repliesPerMonth: repliesPerMonth(dossier),
    byMonth: dossier.byMonth,
    byRule: dossier.byRule,
    samples: dossier.samples,
    quiet: dossier.quiet.map(seriesToJson),
    silent: dossier.silent,
  };
}

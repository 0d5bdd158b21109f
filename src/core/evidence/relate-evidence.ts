import type { DelayChange } from '../delay/index.js';
import { comparable } from './comparable.js';
import { checkClaim } from './claim-check.js';
import type { BootLog, Claim, Evidence, Measurement } from './evidence.js';
import { measureLabelled } from './measure.js';
import { judgeReach } from './reach.js';
import type { MailEvidence } from './read-evidence.js';

/** The evidence of one mail of a thread. `byAuthor`: written by the author of the series. */
export type ThreadMail = MailEvidence & { readonly id: string; readonly byAuthor: boolean };

/**
 * The evidence of a thread: what was quoted again is counted once, before and after are measured mail by mail, claims are
 * checked against logs and diff, and every measurement is asked whether it can have met the changed wait.
 */
export function relateEvidence(mails: readonly ThreadMail[], changes: readonly DelayChange[]): Evidence {
  const logs: BootLog[] = [];
  const claims: { readonly claim: Claim; readonly mail: number }[] = [];
  const measurements: Measurement[] = [];
  const seenLogs = new Set<string>();
  const seenClaims = new Set<string>();
  const own: { readonly logs: readonly BootLog[]; readonly measurements: readonly Measurement[] }[] = [];
  for (const [index, mail] of mails.entries()) {
    const fresh = mail.logs.filter((log) => isNew(seenLogs, fingerprintOf(log)));
    logs.push(...fresh);
    const measured = comparable(fresh).flatMap((group) => {
      const from = group[0]?.quoted ? {} : { byAuthor: mail.byAuthor };
      return judgeReach(measureLabelled(group), changes, hzOf(group)).map((m) => ({ ...m, mail: mail.id, ...from }));
    });
    measurements.push(...measured);
    own.push({ logs: fresh, measurements: measured });
    for (const claim of mail.claims) {
      if (isNew(seenClaims, claimKey(claim))) claims.push({ claim, mail: index });
    }
  }
  // The claim is checked against its own mail first: another mail's boots are another machine's.
  const checked = claims.map(({ claim, mail }) => {
    const local = own[mail];
    const against = local && local.logs.length > 0 ? local : { logs, measurements };
    return checkClaim(claim, { ...against, changes });
  });
  return { logs, claims: checked, measurements };
}

/** HZ where all logs that tell agree. */
function hzOf(logs: readonly BootLog[]): number | undefined {
  const rates = new Set(logs.flatMap((l) => l.fingerprint?.hz ?? []));
  const [only] = rates;
  return rates.size === 1 ? only : undefined;
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function fingerprintOf(log: BootLog): string {
  const stamps = (log.stamps ?? []).slice(0, 50).map((s) => String(s.at));
  const calls = log.initcalls.slice(0, 20).map((c) => `${c.name} ${String(c.logged)}`);
  const samples = (log.samples ?? []).slice(0, 50).map((s) => String(s.value));
  return [log.label, ...stamps, ...calls, ...samples].join('\n');
}

function claimKey(claim: Claim): string {
  return [
    claim.text.toLowerCase().replace(/\s+/g, ' '),
    claim.before,
    claim.after,
    claim.delta,
    claim.factor,
    claim.percent,
  ].join('|');
}

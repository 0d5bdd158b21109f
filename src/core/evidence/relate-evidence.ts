import type { DelayChange } from '../delay/index.js';
import { comparable } from './comparable.js';
import { checkClaim } from './claim-check.js';
import type { BootLog, Claim, Evidence, Measurement } from './evidence.js';
import { measureLabelled } from './measure.js';
import { judgeReach } from './reach.js';
import type { MailEvidence } from './read-evidence.js';

/** The evidence of one mail of a thread. `byAuthor`: written by the author of the series. `from`: the writer's address. */
export type ThreadMail = MailEvidence & { readonly id: string; readonly byAuthor: boolean; readonly from?: string };

type Shown = { readonly logs: readonly BootLog[]; readonly measurements: readonly Measurement[] };

/**
 * The evidence of a thread: what was quoted again is counted once, before and after are measured mail by mail and where one
 * writer's mails have a side each, claims are checked against logs and diff, and every measurement is asked whether it can have
 * met the changed wait.
 */
export function relateEvidence(mails: readonly ThreadMail[], changes: readonly DelayChange[]): Evidence {
  const logs: BootLog[] = [];
  const claims: { readonly claim: Claim; readonly mail: number }[] = [];
  const measurements: Measurement[] = [];
  const seenLogs = new Set<string>();
  const seenClaims = new Set<string>();
  const own: (readonly BootLog[])[] = [];
  const oneSided: OneSided[] = [];
  for (const [index, mail] of mails.entries()) {
    const fresh = mail.logs.filter((log) => isNew(seenLogs, fingerprintOf(log)));
    logs.push(...fresh);
    const groups = comparable(fresh);
    const measured = groups.flatMap((group) => {
      const from = group[0]?.quoted ? {} : { byAuthor: mail.byAuthor };
      return judgeReach(measureLabelled(group), changes, hzOf(group)).map((m) => ({ ...m, mail: mail.id, ...from }));
    });
    measurements.push(...measured);
    own.push(fresh);
    for (const group of groups.filter(isOneSided)) oneSided.push(...group.map((log) => ({ log, mail: index })));
    for (const claim of mail.claims) {
      if (isNew(seenClaims, claimKey(claim))) claims.push({ claim, mail: index });
    }
  }
  measurements.push(...measureAcross(mails, oneSided, changes));
  const checked = claims.map(({ claim, mail }) => {
    const mine = { logs: own[mail] ?? [], measurements: measurements.filter((m) => m.mail === mails[mail]?.id) };
    return checkClaim(claim, { ...against(claim, mine, { logs, measurements }), changes });
  });
  return { logs, claims: checked, measurements };
}

/**
 * A claim is held against its own mail's logs first: another mail's boots are another machine's. One that was quoted is another
 * writer's: what was quoted with it is his, the boots of who quotes him are not.
 */
function against(claim: Claim, mine: Shown, all: Shown): Shown {
  const quoted = claim.quoted ?? false;
  const logs = mine.logs.filter((log) => (log.quoted ?? false) === quoted);
  if (logs.length > 0) {
    return { logs, measurements: mine.measurements.filter((m) => (m.byAuthor === undefined) === quoted) };
  }
  if (!quoted) return all;
  return {
    logs: all.logs.filter((log) => !mine.logs.includes(log)),
    measurements: all.measurements.filter((m) => !mine.measurements.includes(m)),
  };
}

/** A log of a mail that has nothing of the other side to compare it with. */
type OneSided = { readonly log: BootLog; readonly mail: number };

function isOneSided(group: readonly BootLog[]): boolean {
  return !group.some((l) => l.quoted) && new Set(group.map((l) => l.label)).size === 1;
}

/** Before in one mail and after in another of the same writer: boots of one machine, as far as anyone can tell. */
function measureAcross(
  mails: readonly ThreadMail[],
  oneSided: readonly OneSided[],
  changes: readonly DelayChange[],
): Measurement[] {
  const writers = new Map<string, OneSided[]>();
  for (const entry of oneSided) {
    const from = mails[entry.mail]?.from?.toLowerCase();
    if (from !== undefined) writers.set(from, [...(writers.get(from) ?? []), entry]);
  }
  const found: Measurement[] = [];
  for (const entries of writers.values()) {
    for (const group of comparable(entries.map((e) => e.log))) {
      const last = mails[Math.max(...entries.filter((e) => group.includes(e.log)).map((e) => e.mail))];
      if (last === undefined || isOneSided(group)) continue;
      const measured = judgeReach(measureLabelled(group), changes, hzOf(group));
      found.push(...measured.map((m) => ({ ...m, mail: last.id, byAuthor: last.byAuthor })));
    }
  }
  return found;
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

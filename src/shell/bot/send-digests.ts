import { isEmptySummary } from '../../core/report/index.js';
import type { Instant, Knowledge, ListPolicy, Policy, PolicyState } from '../../core/review/index.js';
import { readMark, removeMark, writeMark, type Store } from '../store/index.js';
import type { SendResult, Transport } from '../transport/index.js';
import { composeDigest, digestPeriod, type DigestPeriod } from './digest.js';
import type { Log } from './log.js';
import { summariseStore, type SummaryAsk } from './summarise-store.js';

export type DigestParts = {
  readonly store: Store;
  readonly policy: () => PolicyState;
  readonly killed: () => boolean;
  /** Where mails to people go; without it no digest leaves. */
  readonly transport: Transport | undefined;
  readonly knowledge: Knowledge;
  readonly seed: number;
  readonly secret: string;
  readonly domain: string;
  readonly log: Log;
  readonly now: () => Instant;
  /** Subsystems and maintainers by a kernel tree. */
  readonly lookUp?: SummaryAsk['lookUp'];
};

export type DigestOutcome = {
  readonly list: string;
  readonly period: string;
  readonly result: SendResult['kind'] | 'empty' | 'sent-before';
  readonly why?: string;
};

/** Sends the digests that are due by the policy, each period of a list once; gives what became of those that were looked at. */
export async function sendDueDigests(parts: DigestParts, done: Set<string>): Promise<DigestOutcome[]> {
  const state = parts.policy();
  if (state.kind === 'none' || parts.transport === undefined || parts.killed()) return [];
  const outcomes: DigestOutcome[] = [];
  for (const list of state.policy.lists) {
    const period = digestPeriod(list.digest ?? 'none', parts.now());
    if (period === undefined || list.maintainers.length === 0) continue;
    const mark = markOf(list, period);
    if (done.has(mark)) continue;
    if ((await parts.store.read((db) => readMark(db, mark))) !== undefined) {
      done.add(mark);
      continue;
    }
    const outcome = await sendDigest(parts, { list, period, policy: state.policy });
    // A scheduled period is over: what it has not now it will never have.
    if (outcome.result === 'empty') await parts.store.write((tx) => writeMark(tx, mark, 'empty'));
    if (outcome.result !== 'refused') done.add(mark);
    outcomes.push(outcome);
    const { result, why } = outcome;
    parts.log.info('digest.done', {
      list: list.listId,
      period: period.name,
      result,
      ...(why === undefined ? {} : { why }),
    });
  }
  return outcomes;
}

/**
 * Makes and sends one digest. Never an empty one. That it leaves is noted before its first byte does: after a crash it may be
 * missing, but it never comes twice.
 */
export async function sendDigest(
  parts: DigestParts,
  { list, period, policy }: { readonly list: ListPolicy; readonly period: DigestPeriod; readonly policy: Policy },
): Promise<DigestOutcome> {
  const { store, transport, knowledge, seed, now, lookUp } = parts;
  const about = { list: list.listId, period: period.name };
  const mark = markOf(list, period);
  const own = [policy.self.address, ...policy.aliases];
  const ask = { from: period.from, until: period.until, list: list.listId, seed, own, activity: true, lookUp };
  const summary = await store.read((db) => summariseStore(db, knowledge, ask));
  if (isEmptySummary(summary)) return { ...about, result: 'empty' };
  if (transport === undefined) return { ...about, result: 'refused', why: 'the settings name no SMTP server' };
  const mail = await composeDigest({ ...parts, summary, list, policy, period: period.name, now: now() });
  const leave = (): Promise<boolean> => store.write((tx) => writeMark(tx, mark, 'sending'));
  let result: SendResult;
  try {
    result = await transport.send(mail, leave);
  } catch (error) {
    result = { kind: 'ambiguous', why: String(error).slice(0, 300) };
  }
  // What was refused for now is tried again; what may have left never is.
  if (result.kind === 'refused' && result.retry === 'later') await store.write((tx) => removeMark(tx, mark));
  else if (result.kind === 'withdrawn') return { ...about, result: 'sent-before' };
  const why = 'why' in result ? result.why : undefined;
  return { ...about, result: result.kind, ...(why === undefined ? {} : { why }) };
}

function markOf(list: ListPolicy, period: DigestPeriod): string {
  return `digest ${list.listId} ${period.name}`;
}

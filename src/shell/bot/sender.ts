import { existsSync } from 'node:fs';
import type { PolicyState } from '../../core/review/index.js';
import { markOutcome, type Queued, type SendOutcome, type Store, type Tx } from '../store/index.js';
import type { SendResult, Transport } from '../transport/index.js';
import type { Health, Metrics } from './health.js';
import type { Log } from './log.js';
import { takeForSending } from './send.js';

export type SenderParts = {
  readonly store: Store;
  readonly policy: () => PolicyState;
  /** By channel; what has none is refused for now. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly killed: () => boolean;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
};

/** Sends the next reply whose turn it is: intent first, then the stored bytes, then what became of it. False when none is. */
export async function sendNext(parts: SenderParts): Promise<boolean> {
  const { store, policy, killed, now } = parts;
  const queued = await takeForSending(store, { policy, killed }, now());
  if (queued === undefined) return false;
  const began = now();
  const result = await handOver(parts, queued);
  await store.write((tx) => noteResult(tx, queued, result, now()));
  report(parts, { queued, result, took: now() - began });
  return true;
}

async function handOver({ transports }: SenderParts, queued: Queued): Promise<SendResult> {
  const transport = transports.get(queued.channel);
  if (transport === undefined) return { kind: 'refused', retry: 'later', why: 'no transport for this channel' };
  try {
    return await transport.send(queued);
  } catch (error) {
    // It has not said whether the mail left.
    return { kind: 'ambiguous', why: String(error).slice(0, 300) };
  }
}

/**
 * Recipients that were refused for now, while others have the mail, stay in the envelope and get the same bytes later; those who
 * have it are taken out.
 */
async function noteResult(tx: Tx, queued: Queued, result: SendResult, now: number): Promise<void> {
  const waiting = result.kind === 'sent' ? result.refused.filter((one) => one.retry === 'later') : [];
  if (waiting.length > 0) {
    const envelope = JSON.stringify({ ...queued.envelope, to: waiting.map((one) => one.address) });
    await tx.updateTable('outbox').set({ envelope }).where('id', '=', queued.id).execute();
  }
  await markOutcome(tx, queued.id, outcomeOf(result), now);
}

function outcomeOf(result: SendResult): SendOutcome {
  if (result.kind !== 'sent') return result;
  const waiting = result.refused.find((one) => one.retry === 'later');
  return waiting === undefined ? { kind: 'sent' } : { kind: 'refused', retry: 'later', why: waiting.why };
}

function report(
  { metrics, log }: SenderParts,
  { queued, result, took }: { readonly queued: Queued; readonly result: SendResult; readonly took: number },
): void {
  metrics.sendSeconds.observe(took / 1000);
  metrics.sends.inc({ channel: queued.channel, result: result.kind });
  const seen = { reply: queued.id, channel: queued.channel, attempts: queued.attempts + 1, ms: took };
  switch (result.kind) {
    case 'sent':
      log.info('send.done', { ...seen, refused: result.refused.length });
      for (const { address, retry, why } of result.refused) log.debug('send.refused', { ...seen, address, retry, why });
      return;
    case 'refused':
      log.warn('send.refused', { ...seen, retry: result.retry, why: result.why });
      return;
    case 'ambiguous':
      log.warn('send.ambiguous', { ...seen, why: result.why });
      return;
    default:
      result satisfies never;
  }
}

/** Looks for the kill file and says once that it came or went. */
export function killSwitch(path: string, health: Health, log: Log): () => boolean {
  return () => {
    const killed = existsSync(path);
    if (killed && !health.killed) log.warn('kill-file.found', { path });
    if (!killed && health.killed) log.info('kill-file.gone', { path });
    health.killed = killed;
    return killed;
  };
}

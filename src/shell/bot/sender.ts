import { existsSync } from 'node:fs';
import type { PolicyState } from '../../core/review/index.js';
import type { Queued, SendOutcome, Store, Turns } from '../store/index.js';
import type { SendResult, Transport } from '../transport/index.js';
import type { Health, Metrics } from './health.js';
import type { Log } from './log.js';
import { sendOne } from './send.js';

export type SenderParts = {
  readonly store: Store;
  readonly policy: () => PolicyState;
  /** By channel; what has none is refused for now. */
  readonly transports: ReadonlyMap<string, Transport>;
  readonly killed: () => boolean;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => number;
  readonly turns?: Turns;
  /** Does work on the store, and waits while it does not answer. */
  readonly patiently?: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Sends the next reply whose turn it is over the transport of its channel. False when it is nobody's turn. */
export async function sendNext(parts: SenderParts): Promise<boolean> {
  const { store, policy, killed, now, turns, patiently } = parts;
  const began = now();
  let tried: Tried | undefined;
  const send = async (queued: Queued, leave: () => Promise<boolean>): Promise<SendOutcome> => {
    const result = await handOver(parts, queued, leave);
    tried = { queued, result, took: now() - began };
    return outcomeOf(result);
  };
  const sent = await sendOne(
    store,
    {
      policy,
      killed,
      send,
      ...(turns === undefined ? {} : { turns }),
      ...(patiently === undefined ? {} : { patiently }),
    },
    now,
  );
  if (tried !== undefined) report(parts, tried);
  return sent !== undefined;
}

type Tried = { readonly queued: Queued; readonly result: SendResult; readonly took: number };

async function handOver(
  { transports }: SenderParts,
  queued: Queued,
  leave: () => Promise<boolean>,
): Promise<SendResult> {
  const transport = transports.get(queued.channel);
  if (transport === undefined) return { kind: 'refused', retry: 'later', why: 'no transport for this channel' };
  let left = false;
  const noting = async (): Promise<boolean> => (left = await leave());
  try {
    return await transport.send(queued, noting);
  } catch (error) {
    // It has not said whether the mail left.
    const why = String(error).slice(0, 300);
    return left ? { kind: 'ambiguous', why } : { kind: 'refused', retry: 'later', why };
  }
}

/** Recipients that were refused for now, while others have the mail, get the same bytes later; the others nothing more. */
function outcomeOf(result: SendResult): SendOutcome {
  if (result.kind !== 'sent') return result;
  const waiting = result.refused.find((one) => one.retry === 'later');
  if (waiting === undefined) return { kind: 'sent' };
  const only = result.refused.filter((one) => one.retry === 'later').map((one) => one.address);
  return { kind: 'refused', retry: 'later', why: waiting.why, only };
}

function report({ metrics, log }: SenderParts, { queued, result, took }: Tried): void {
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
    case 'withdrawn':
      log.info('send.withdrawn', seen);
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

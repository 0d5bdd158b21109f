import { existsSync } from 'node:fs';
import { openLog, openConfiguredStore, openSmtp, sendDigest, type DigestParts } from '../bot/index.js';
import { Failure, loadPolicy, loadSettings, openKnowledge, readSecret } from '../config/index.js';
import { openMaintainers } from '../tree/index.js';

export type SendAsk = {
  readonly config: string;
  readonly from: number;
  readonly until: number;
  readonly seed: number;
  readonly list?: string;
  /** A kernel tree, where another than that of the settings is meant. */
  readonly tree?: string;
  readonly print: (text: string) => Promise<void>;
};

/** Mails the summary of each list to the maintainers that the policy names for it; says of each what became of it. */
export async function sendSummaries(ask: SendAsk): Promise<number> {
  const settings = await loadSettings(ask.config);
  const state = await loadPolicy(settings.policy);
  if (state.kind === 'none') throw new Failure('configuration', state.why);
  const { policy } = state;
  if (existsSync(settings.killFile))
    throw new Failure('configuration', `${settings.killFile}: the kill file is there: nothing is sent`);
  const named = policy.lists.filter((list) => ask.list === undefined || list.listId === ask.list);
  if (named.length === 0) throw new Failure('configuration', `${settings.policy}: names no list ${ask.list ?? ''}`);
  const lists = named.filter((list) => list.maintainers.length > 0);
  if (lists.length === 0)
    throw new Failure(
      'configuration',
      `${settings.policy}: no maintainers are named for ${named.map((list) => list.listId).join(', ')}`,
    );
  const tree = ask.tree ?? settings.tree;
  const say = (line: string): void => void process.stderr.write(`reveille: ${line}\n`);
  const log = openLog('error');
  const secret = await readSecret(settings.instance.secret, process.env);
  log.hide(secret);
  const transport = await openSmtp(settings, log);
  if (transport === undefined)
    throw new Failure('configuration', `${ask.config}: names no \`smtp\`: there is nothing to send by`);
  const store = await openConfiguredStore(settings, log);
  const parts: DigestParts = {
    store,
    policy: () => state,
    killed: () => existsSync(settings.killFile),
    transport,
    knowledge: await openKnowledge(),
    seed: ask.seed,
    secret,
    domain: settings.instance.domain,
    log,
    now: Date.now,
    ...(tree === undefined ? {} : { lookUp: openMaintainers(tree, { say }) }),
  };
  let status = 0;
  try {
    for (const list of lists) {
      // By days, not by moments: who gives the same command twice does not want the mail twice.
      const span = [ask.from, ask.until].map((at) => new Date(at).toISOString().slice(0, 10)).join(' to ');
      const period = { name: `by hand, ${span}`, from: ask.from, until: ask.until };
      const { result, why } = await sendDigest(parts, { list, period, policy });
      const to = list.maintainers.join(', ');
      await ask.print(`${list.listId}: ${resultWords(result, to)}${why === undefined ? '' : `: ${why}`}\n`);
      if (result === 'refused' || result === 'ambiguous') status = 3;
    }
  } finally {
    await transport.close();
    await store.close();
  }
  return status;
}

function resultWords(result: Awaited<ReturnType<typeof sendDigest>>['result'], to: string): string {
  switch (result) {
    case 'sent':
      return `sent to ${to}`;
    case 'empty':
      return 'nothing about waits, so nothing is sent';
    case 'sent-before':
    case 'withdrawn':
      return `was sent before to ${to}`;
    case 'refused':
      return `not sent to ${to}`;
    case 'ambiguous':
      return `may have been sent to ${to}; it is not sent again by itself`;
    default:
      return result satisfies never;
  }
}

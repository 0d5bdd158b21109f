import { formatMail, type Address } from '../../core/mail/index.js';
import { deriveMessageId, hours, type Instant, type PolicyState } from '../../core/review/index.js';
import {
  findConfirmation,
  markTold,
  readLastTold,
  readNotices,
  writeLastTold,
  type Confirmation,
  type Notice,
  type Store,
} from '../store/index.js';
import type { SendResult, Transport } from '../transport/index.js';
import type { Log } from './log.js';

export type TellParts = {
  readonly store: Store;
  readonly policy: () => PolicyState;
  /** Where mails to people go; without it nobody is told by mail. */
  readonly transport: Transport | undefined;
  readonly killed: () => boolean;
  readonly secret: string;
  readonly domain: string;
  readonly log: Log;
  readonly now: () => Instant;
};

/** One mail an hour to the operator, whatever comes. */
const tellEvery = hours(1);
const mostLines = 50;

/** Words to a person: to whom, and which notices are told when it has left. */
type Telling = { readonly ids: readonly number[]; readonly toOperator: boolean; readonly mail: ComposedTelling };
type ComposedTelling = { readonly to: string; readonly messageId: string; readonly bytes: Uint8Array };

/**
 * Sends the next mail to a person: what the operator should know, or a confirmation to a verified sender. False when there is none.
 * A mail that may have been lost is sent again: to be told twice is better than not at all, and it is the same mail.
 */
export async function tellNext(parts: TellParts): Promise<boolean> {
  const { store, policy, transport, killed, now, log } = parts;
  const state = policy();
  if (transport === undefined || state.kind === 'none' || killed()) return false;
  const { self, operator } = state.policy;
  const telling = (await tellOperator(parts, self, operator)) ?? (await tellSender(parts, self));
  if (telling === undefined) return false;
  const { ids, mail, toOperator } = telling;
  const leave = async (): Promise<boolean> =>
    store.write(async (tx) => {
      if (toOperator) await writeLastTold(tx, now());
      return markTold(tx, ids, true);
    });
  const envelope = { from: self.address, to: [mail.to] };
  let result: SendResult;
  try {
    result = await transport.send({ messageId: mail.messageId, envelope, bytes: mail.bytes }, leave);
  } catch (error) {
    result = { kind: 'refused', retry: 'later', why: String(error).slice(0, 300) };
  }
  log.info('notice.sent', { to: toOperator ? 'operator' : 'sender', notices: ids.length, result: result.kind });
  if (result.kind === 'sent' || result.kind === 'withdrawn') return result.kind === 'sent';
  // A wrong address must not be tried for ever; what is for later waits for the next hour.
  const again = toOperator && !(result.kind === 'refused' && result.retry === 'never');
  await store.write(async (tx) => {
    if (toOperator) await writeLastTold(tx, now());
    await markTold(tx, ids, !again);
  });
  return false;
}

async function tellOperator(
  parts: TellParts,
  self: Address,
  operator: string | undefined,
): Promise<Telling | undefined> {
  const { store, now } = parts;
  if (operator === undefined) return undefined;
  const [notices, last] = await store.read(async (db) => [await readNotices(db), await readLastTold(db)] as const);
  // What strangers write is told along with something that counts, and causes no mail itself.
  if (!notices.some(({ kind }) => kind !== 'command-ignored')) return undefined;
  if (last !== undefined && last > now() - tellEvery) return undefined;
  const mail = wordNotices(notices, { self, to: operator, ...parts });
  return { ids: notices.map(({ id }) => id), toOperator: true, mail };
}

async function tellSender(parts: TellParts, self: Address): Promise<Telling | undefined> {
  const found = await parts.store.read((db) => findConfirmation(db, parts.now()));
  if (found === undefined) return undefined;
  return { ids: [found.id], toOperator: false, mail: wordConfirmation(found, { self, ...parts }) };
}

type Who = { readonly self: Address; readonly secret: string; readonly domain: string; readonly now: () => Instant };

function wordNotices(notices: readonly Notice[], who: Who & { readonly to: string }): ComposedTelling {
  const { self, to, secret, domain, now } = who;
  const muted = notices.filter(({ kind }) => kind === 'rule-muted').map(({ text }) => text.split(' ')[0] ?? '');
  const subject =
    muted.length > 0
      ? `Reveille: muted after two "wrong": ${[...new Set(muted)].join(', ')}`
      : `Reveille: people have answered with commands (${notices.length})`;
  const lines = notices
    .slice(0, mostLines)
    .map(({ at, kind, text }) => `${new Date(at).toISOString().slice(0, 16)}  ${kind}: ${oneLine(text)}`);
  if (notices.length > mostLines) lines.push(`and ${notices.length - mostLines} more`);
  const rules = [...new Set(muted)].map((rule) => `  reveille queue unmute rule ${rule} --config FILE`);
  const mend =
    rules.length === 0 ? [] : ['', 'It stays silent until you have looked. To let it speak again:', ...rules];
  const body = [...lines, ...mend, '', '`reveille queue mutes` lists who and what is muted, by whom and why.', ''].join(
    '\n',
  );
  const messageId = deriveMessageId(secret, `notice ${notices.map(({ id }) => id).join(' ')}`, 'notice', domain);
  const extra = [
    { name: 'Auto-Submitted', value: 'auto-generated' },
    { name: 'X-Reveille-Kind', value: 'notice' },
  ];
  const date = new Date(now()).toISOString();
  const bytes = formatMail({ from: self, to: [{ name: '', address: to }], subject, messageId, date, extra }, body);
  return { to, messageId, bytes };
}

function wordConfirmation(told: Confirmation & { readonly id: number }, who: Who): ComposedTelling {
  const { self, secret, domain, now } = who;
  const subject = /^re:/i.test(told.subject) ? told.subject : `Re: ${told.subject}`;
  const body = `Understood. ${told.what}\n\n-- \nReveille, a bot. No need to answer.\n`;
  const messageId = deriveMessageId(secret, told.inReplyTo, 'notice', domain);
  const extra = [
    { name: 'Auto-Submitted', value: 'auto-replied' },
    { name: 'X-Reveille-Kind', value: 'notice' },
  ];
  const { to, inReplyTo } = told;
  const date = new Date(now()).toISOString();
  const headers = { from: self, to: [{ name: '', address: to }], subject, messageId, date, extra };
  return { to, messageId, bytes: formatMail({ ...headers, inReplyTo, references: [inReplyTo] }, body) };
}

/** Strangers' words on one line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
}

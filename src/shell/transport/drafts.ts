import type { ImapFlow } from 'imapflow';
import { closeClient, openClient, openMailbox, sortError, ImapError, type ImapAccount } from '../source/index.js';
import { findUnsendable } from './outgoing-guard.js';
import type { Leave, OutgoingMail, SendResult, Transport } from './send-result.js';

/** Puts mails into an IMAP folder of drafts, threading headers and all; a person looks at them and sends. */
export function draftsTransport(account: ImapAccount, folder: string): Transport {
  return {
    async send(mail, leave) {
      const unsendable = findUnsendable(mail);
      if (unsendable !== undefined) return { kind: 'refused', retry: 'never', why: unsendable };
      return withClient(account, (client) => append(client, { folder, mail, leave }));
    },
    async check() {
      const client = await openClient(account);
      try {
        await openMailbox(client, folder);
      } finally {
        await closeClient(client);
      }
    },
    close: () => Promise.resolve(),
  };
}

async function withClient(account: ImapAccount, work: (client: ImapFlow) => Promise<SendResult>): Promise<SendResult> {
  let client: ImapFlow | undefined;
  try {
    client = await openClient(account);
    return await work(client);
  } catch (error) {
    const why = error instanceof ImapError ? error.message : sortError(error, account).message;
    return { kind: 'refused', retry: 'later', why };
  } finally {
    if (client !== undefined) await closeClient(client);
  }
}

/** A draft that is there already stays the only one: an append whose answer was lost is found by its Message-ID. */
async function append(
  client: ImapFlow,
  { folder, mail, leave }: { readonly folder: string; readonly mail: OutgoingMail; readonly leave: Leave },
): Promise<SendResult> {
  await openMailbox(client, folder);
  const there = await client.search({ header: { 'message-id': mail.messageId } }, { uid: true });
  if (!(await leave())) return { kind: 'withdrawn' };
  if (there !== false && there !== undefined && there.length > 0) return { kind: 'sent', refused: [] };
  const crlf = Buffer.from(mail.bytes).toString('latin1').replace(/\r?\n/g, '\r\n');
  const done = await client.append(folder, Buffer.from(crlf, 'latin1'), ['\\Draft', '\\Seen']);
  if (done === false) return { kind: 'refused', retry: 'later', why: `"${folder}" takes no drafts` };
  return { kind: 'sent', refused: [] };
}

import { formatMail } from '../mail/index.js';
import type { Reply } from './reply.js';

/** A reply's bytes as they go over the wire, line ends LF: these are stored, and sent as they are. `date` is ISO 8601. */
export function replyToMail(reply: Reply, date: string): Uint8Array {
  const extra = Object.entries(reply.headers).map(([name, value]) => ({ name, value }));
  const { from, to, cc, subject, messageId, inReplyTo, references } = reply;
  return formatMail({ from, to, cc, subject, messageId, inReplyTo, references, date, extra }, reply.body);
}

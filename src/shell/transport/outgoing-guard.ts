import type { OutgoingMail } from './send-result.js';

// Dot-atom and a host name, in ASCII: what goes into MAIL FROM and RCPT TO as it is. Quoted local parts are refused: they
// are how strings with more than one address come about.
const address = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const messageId = /^<[^<>\s@]{1,500}@[^<>\s@]{1,400}>$/;

export function isPlainAddress(text: string): boolean {
  return text.length <= 254 && address.test(text);
}

/** What is wrong with a mail so that it must never reach a server; undefined when nothing is. */
export function findUnsendable(mail: OutgoingMail): string | undefined {
  const { from, to } = mail.envelope;
  if (!isPlainAddress(from)) return 'the sender is no plain address';
  if (to.length === 0) return 'nobody to send to';
  if (!to.every(isPlainAddress)) return 'a recipient is no plain address';
  if (!messageId.test(mail.messageId)) return 'the Message-ID is none';
  return findBadHead(mail);
}

/** The header block must end, carry this very Message-ID once, and hold no bare CR or NUL. */
function findBadHead(mail: OutgoingMail): string | undefined {
  const text = Buffer.from(mail.bytes).toString('latin1').replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  if (end < 0) return 'the header block does not end';
  const head = text.slice(0, end);
  if (/[\r\0]/.test(head)) return 'the header block holds control characters';
  const fields = head.split('\n').filter((line) => !/^[ \t]/.test(line));
  if (!fields.every((line) => /^[!-9;-~]{1,100}:/.test(line))) return 'the header block holds a line that is no field';
  const ids = fields.filter((line) => /^message-id:/i.test(line));
  const unfolded = head.replace(/\n[ \t]+/g, ' ');
  if (ids.length !== 1 || !unfolded.includes(mail.messageId)) return 'the bytes do not carry the Message-ID of the row';
  return undefined;
}

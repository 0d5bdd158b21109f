import { cleanLine, isAddress } from './address.js';
import { isMessageId } from './message-id.js';
import type { Address } from './message.js';

/** What a mail of ours says in its header; `extra` fields come last, in the order given. */
export type MailHeaders = {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc?: readonly Address[];
  readonly subject: string;
  readonly messageId: string;
  /** ISO 8601; printed in UTC. */
  readonly date?: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly extra?: readonly { readonly name: string; readonly value: string }[];
};

/** A mail as kernel lists want it: text/plain, UTF-8, 7bit or 8bit by content, one part (Documentation/process/email-clients.rst). */
export function formatMail(headers: MailHeaders, body: string): Uint8Array {
  const ids = (values: readonly string[]): string[] => values.filter(isMessageId);
  const fields: string[] = [
    `From: ${formatAddress(headers.from)}`,
    ...addressField('To', headers.to),
    ...addressField('Cc', headers.cc ?? []),
    ...(headers.date === undefined ? [] : [`Date: ${formatDate(headers.date)}`]),
    ...encodedField('Subject', headers.subject),
    ...ids([headers.messageId]).map((id) => `Message-ID: ${id}`),
    ...ids(headers.inReplyTo === undefined ? [] : [headers.inReplyTo]).map((id) => `In-Reply-To: ${id}`),
    ...folded('References', ids(headers.references ?? []), ' '),
    ...(headers.extra ?? []).flatMap(({ name, value }) =>
      /^[A-Za-z][A-Za-z0-9-]*$/.test(name) ? encodedField(name, value) : [],
    ),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
  ];
  const text = body.replace(/\r\n?/g, '\n').replaceAll('\0', '');
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  fields.push(`Content-Transfer-Encoding: ${isAscii(ended) ? '7bit' : '8bit'}`);
  return Buffer.from(`${fields.join('\n')}\n\n${ended}`, 'utf8');
}

function addressField(name: string, addresses: readonly Address[]): string[] {
  return folded(name, addresses.filter(({ address }) => isAddress(address)).map(formatAddress), ', ');
}

/** Values one after another, a new line where the next would pass column 78 (RFC 5322 section 2.1.1). */
function folded(name: string, values: readonly string[], separator: string): string[] {
  if (values.length === 0) return [];
  const lines: string[] = [];
  let line = `${name}:`;
  for (const [index, value] of values.entries()) {
    const piece = index < values.length - 1 ? value + separator.trimEnd() : value;
    if (line.length + 1 + piece.length > 78 && line !== `${name}:`) {
      lines.push(line);
      line = '';
    }
    line += ` ${piece}`;
  }
  return [[...lines, line].join('\n')];
}

function formatAddress({ name, address }: Address): string {
  const clean = cleanLine(name);
  if (!isAddress(address)) throw new RangeError('an address that is none reached a header');
  if (clean === '') return address;
  // A plain text that looks like an encoded word would be decoded by readers, quoted or not.
  if (!isAscii(clean) || clean.includes('=?')) return `${encodeWords(clean)} <${address}>`;
  return /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(clean)
    ? `${clean} <${address}>`
    : `"${clean.replace(/(["\\])/g, '\\$1')}" <${address}>`;
}

function encodedField(name: string, value: string): string[] {
  const clean = cleanLine(value);
  return [`${name}: ${isAscii(clean) && !clean.includes('=?') ? clean : encodeWords(clean)}`];
}

/** RFC 2047 section 2: words of at most 75 characters, never cut inside a character. */
function encodeWords(text: string): string {
  const words: string[] = [];
  let chunk = '';
  for (const character of text) {
    if (Buffer.byteLength(chunk + character, 'utf8') > 42) {
      words.push(chunk);
      chunk = '';
    }
    chunk += character;
  }
  words.push(chunk);
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`).join('\n ');
}

function formatDate(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) throw new RangeError('a date that is none reached a header');
  return date.toUTCString().replace('GMT', '+0000');
}

function isAscii(text: string): boolean {
  return /^[\t\n\u0020-\u007e]*$/.test(text);
}

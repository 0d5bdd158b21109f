import { cleanLine, parseAddresses } from './address.js';
import { parseDate } from './date.js';
import { scanHead, type Head } from './head.js';
import { parseListId } from './list-id.js';
import type { Address, Message, Problem } from './message.js';
import { messageIds } from './message-id.js';
import { decodeWords } from './encoded-words.js';
import { readMimeParts } from './mime-parts.js';
import { assembleText, type Unxz } from './body.js';

/** What is read of a mail; the rest is cut off and reported. Two list archives of seven years hold nothing over 2 MB. */
export const mailSizeCap = 4 * 1024 * 1024;

// RFC 5322 section 2.1.1 has a line end at 998.
const subjectCap = 4000;

/** Bytes of one mail (RFC 5322, or an mbox entry with its separator) as a Message; any bytes give one, none throws. Attachments in xz are read where `unxz` is given. */
export async function parseMessage(bytes: Uint8Array, unxz?: Unxz): Promise<Message> {
  const head = scanHead(bytes.subarray(0, mailSizeCap));
  const problems: Problem[] = [];
  if (bytes.length > mailSizeCap) {
    problems.push({ kind: 'oversize', text: `longer than ${mailSizeCap} bytes, the rest is not read` });
  }
  if (head.fields.length === 0) problems.push({ kind: 'no-header', text: 'no header field: this is no mail' });
  const rawBody = bytes.subarray(head.bodyStart, mailSizeCap);
  const tree = await readMimeParts(head, rawBody);
  const body = await assembleText(tree, rawBody, 0, unxz);
  return {
    ...headersOf(head),
    text: body.text,
    attachments: body.attachments,
    problems: [...problems, ...headerProblems(head), ...body.problems],
  };
}

type MessageHead = Omit<Message, 'text' | 'attachments' | 'problems'>;

function headersOf(head: Head): MessageHead {
  const all = (name: string): readonly string[] => head.values.get(name) ?? [];
  const one = (name: string): Address | undefined => parseAddresses(all(name).slice(0, 1))[0];
  const id = all('message-id').flatMap(messageIds)[0];
  const from = one('from');
  const sender = one('sender');
  const date = all('date').slice(0, 1).map(parseDate)[0];
  return {
    ...(id === undefined ? {} : { id }),
    ...(from === undefined ? {} : { from }),
    ...(sender === undefined ? {} : { sender }),
    replyTo: parseAddresses(all('reply-to').slice(0, 1)),
    to: parseAddresses(all('to')),
    cc: parseAddresses(all('cc')),
    ...(date === undefined ? {} : { date }),
    subject: cleanLine(decodeWords((all('subject')[0] ?? '').slice(0, 4 * subjectCap)).slice(0, subjectCap)),
    inReplyTo: unique(all('in-reply-to').flatMap(messageIds)),
    references: unique(all('references').flatMap(messageIds)),
    lists: unique(all('list-id').flatMap(parseListId)),
    headers: head.fields,
  };
}

function headerProblems(head: Head): Problem[] {
  const problems: Problem[] = [];
  const ids = head.values.get('message-id') ?? [];
  const good = ids.flatMap(messageIds);
  if (ids.length === 0) problems.push({ kind: 'no-message-id', text: 'the mail has no Message-ID' });
  else if (good.length === 0) problems.push({ kind: 'bad-message-id', text: 'the Message-ID is none by RFC 5322' });
  if (new Set(good).size > 1)
    problems.push({ kind: 'several-message-ids', text: `several Message-IDs, the first is taken` });
  const date = head.values.get('date')?.[0];
  if (date !== undefined && parseDate(date) === undefined)
    problems.push({ kind: 'bad-date', text: 'the Date cannot be read' });
  if ((head.values.get('subject')?.[0]?.length ?? 0) > 4 * subjectCap) {
    problems.push({ kind: 'long-subject', text: `the Subject is cut at ${subjectCap} characters` });
  }
  return problems;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

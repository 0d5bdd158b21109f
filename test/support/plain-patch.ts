/** Reads plain format-patch mails for the rules' fixtures: unencoded headers, LF or CRLF. */
import { parsePatches } from '../../src/core/patch/index.js';
import type { Message } from '../../src/core/mail/index.js';
import type { RuleInput } from '../../src/core/rules/index.js';

/** One input a patch of the mail, without changes and evidence. */
export function plainInputs(mail: string): RuleInput[] {
  const message = plainMessage(mail);
  const { patches } = parsePatches(message);
  const evidence = { logs: [], claims: [], measurements: [] };
  return patches.map((patch, patchIndex) => ({ message, patch, patchIndex, changes: [], evidence }));
}

export function plainMessage(mail: string): Message {
  const { headers, body } = split(mail.replace(/\r\n/g, '\n'));
  const header = (name: string): string | undefined => headers.find((field) => field.name === name)?.value;
  const from = person(header('from') ?? '');
  return {
    ...(from === undefined ? {} : { from }),
    replyTo: [],
    to: [],
    cc: [],
    subject: header('subject') ?? '',
    inReplyTo: words(header('in-reply-to')),
    references: words(header('references')),
    lists: [],
    headers,
    text: body,
    attachments: [],
    problems: [],
  };
}

function split(mail: string): { headers: { name: string; value: string }[]; body: string } {
  const text = mail.startsWith('From ') ? mail.slice(mail.indexOf('\n') + 1) : mail;
  const end = text.indexOf('\n\n');
  const head = text
    .slice(0, end === -1 ? 0 : end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = head.flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [{ name: line.slice(0, at).toLowerCase(), value: line.slice(at + 1).trim() }];
  });
  return { headers, body: end === -1 ? text : text.slice(end + 2) };
}

function words(value: string | undefined): string[] {
  return value?.split(/\s+/).filter((word) => word !== '') ?? [];
}

function person(value: string): { name: string; address: string } | undefined {
  const match = /^"?([^"<]*?)"?\s*<([^>]+)>/.exec(value);
  if (match !== null) return { name: match[1] ?? '', address: match[2] ?? '' };
  return value.includes('@') ? { name: '', address: value } : undefined;
}

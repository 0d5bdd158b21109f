import type { Message } from '../mail/index.js';
import { bootLogsIn, readBootLogs } from './boot-log.js';
import { parseClaims } from './claim.js';
import type { BootLog, Claim } from './evidence.js';
import { labelOf } from './label.js';
import { unquote, type Unquoted } from './quoting.js';
import { sentencesOf, type Sentence } from './sentence.js';

export type MailEvidence = { readonly logs: readonly BootLog[]; readonly claims: readonly Claim[] };

const maxText = 8_000_000;

/** Boot logs and timing claims of one mail: subject, text and attached text. Claims are not checked yet. */
export function readEvidence(message: Pick<Message, 'subject' | 'text' | 'attachments'>): MailEvidence {
  const text = message.text.length > maxText ? message.text.slice(0, maxText) : message.text;
  const lines = text.split('\n').map(unquote);
  const logs = [...bootLogsIn(lines, 'mail')];
  for (const attachment of message.attachments) {
    if (attachment.text === undefined || attachment.mailLine !== undefined) continue;
    const named = attachment.name === undefined ? undefined : labelOf(attachment.name.replace(/[._-]/g, ' '));
    for (const log of readBootLogs(attachment.text.slice(0, maxText), 'file')) {
      const source = attachment.name === undefined ? {} : { source: attachment.name };
      const label = named && log.label === 'unknown' ? { label: named.label, labelBy: named.by } : {};
      logs.push({ ...log, ...source, ...label });
    }
  }
  return { logs, claims: readClaims(message.subject, lines) };
}

/** Claims of a subject and of a mail's prose, in order, each sentence's once. */
function readClaims(subject: string, lines: readonly Unquoted[]): Claim[] {
  const title: Sentence = {
    text: subject.replace(/^(?:(?:re|fwd?): |\[[^\]]{0,80}\] ?)+/i, ''),
    mailLine: 1,
    quoted: /^re:/i.test(subject),
  };
  const fromSubject = parseClaims(title).map((c) => ({ ...c, from: 'subject' as const }));
  const fromText = sentencesOf(lines).flatMap((s) => parseClaims(s).map((c) => ({ ...c, from: 'text' as const })));
  return [...fromSubject.filter((c) => c.kind !== 'no-number'), ...fromText];
}

import { answerTo, type MailKind, type Message } from '../mail/index.js';
import type { Patch, PatchHead } from '../patch/index.js';
import type { ThreadMail } from './thread-mail.js';
import { replyTextLimit } from './unquoted.js';

/** What is kept of a mail for decisions: made once, when it arrives, from the whole message. */
export function threadMailOf(
  message: Message,
  read: {
    readonly kind: MailKind;
    readonly kindReason?: string;
    readonly patches: readonly Patch[];
    readonly head?: PatchHead;
  },
): ThreadMail {
  const { kind, kindReason, patches, head } = read;
  const first = patches[0];
  const title = first?.title ?? head?.title ?? message.subject;
  const colon = title.indexOf(':');
  const posts = kind === 'patch' || kind === 'cover';
  const answered = answerTo(message, first?.author === undefined ? {} : { author: first.author }).to;
  const authors = [...answered, first?.author, message.from].flatMap((a) =>
    a === undefined ? [] : [a.address.toLowerCase()],
  );
  return {
    ...(message.id === undefined ? {} : { id: message.id }),
    kind,
    ...(kindReason === undefined ? {} : { kindReason }),
    ...(message.date === undefined ? {} : { date: Date.parse(message.date) }),
    ...(message.from === undefined ? {} : { from: message.from.address.toLowerCase() }),
    authors: [...new Set(authors)],
    people: [...message.to, ...message.cc].slice(0, 200).map((a) => a.address.toLowerCase()),
    subject: message.subject,
    inReplyTo: message.inReplyTo,
    references: message.references,
    headers: headersOf(message),
    paths: [...new Set(patches.flatMap((patch) => patch.files.map((file) => file.path)))].slice(0, 500),
    title,
    ...(colon > 0 ? { subsystem: title.slice(0, colon).trim().toLowerCase() } : {}),
    ...(head === undefined ? {} : { head }),
    text: posts ? '' : message.text.slice(0, replyTextLimit),
  };
}

function headersOf(message: Message): ThreadMail['headers'] {
  const first = (name: string): string | undefined =>
    message.headers.find((field) => field.name === name)?.value.slice(0, 200);
  const patchworkHint = first('x-patchwork-hint');
  const autoSubmitted = first('auto-submitted');
  const returnPath = first('return-path');
  return {
    ...(patchworkHint === undefined ? {} : { patchworkHint }),
    ...(autoSubmitted === undefined ? {} : { autoSubmitted }),
    ...(returnPath === undefined ? {} : { returnPath }),
  };
}

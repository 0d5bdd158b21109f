import {
  authorOf,
  guardMail,
  orderOf,
  parseCommand,
  roleOf,
  type Instant,
  type PolicyState,
  type Role,
  type ThreadMail,
} from '../../core/review/index.js';
import {
  findOwn,
  findRelated,
  readSpoken,
  writeConfirmation,
  writeMute,
  writeNotice,
  writeWrong,
  type Queued,
  type Tx,
} from '../store/index.js';
import type { Standing } from './authenticate.js';

/** Whether a mail may carry a command at all: cheap, so that only these are authenticated. */
export function mayCommand(mail: ThreadMail): boolean {
  return mail.inReplyTo.length > 0 && /^reveille:/im.test(mail.text);
}

export type Asking = {
  readonly mail: ThreadMail;
  readonly state: PolicyState;
  readonly at: Instant;
  readonly standing?: Standing;
};

/**
 * Does what a reply to our own mail asks, if the one who wrote it may ask it. An unverified sender is obeyed as well, since all
 * that a command does is silence; but only a verified one is told so, once a day.
 */
export async function obey(tx: Tx, { mail, state, at, standing }: Asking): Promise<string | undefined> {
  if (mail.text === '' || state.kind === 'none') return undefined;
  const ours = await findOwn(tx, mail.inReplyTo);
  if (ours === undefined) return undefined;
  const guard = guardMail(mail, state.policy);
  if (guard !== undefined && guard !== 'not-a-patch' && guard !== 'no-message-id' && guard !== 'counter-patch')
    return undefined;
  const command = parseCommand(mail.text, new TextDecoder().decode(ours.bytes).replace(/\r\n/g, '\n'));
  if (command === undefined) return undefined;
  const sender = mail.from ?? '';
  const spoken = await readSpoken(tx, ours.id);
  const role = await findRole(tx, sender, ours, state);
  const order = orderOf(command, role, [...new Set(spoken.map(({ rule }) => rule))]);
  const said = `${command.verb} ${command.words.join(' ')}`.trim();
  const whose = standing?.kind === 'verified' ? `${sender} (${standing.by})` : `${sender} (unverified)`;
  switch (order.kind) {
    case 'ignore':
      await writeNotice(tx, { at, kind: 'command-ignored', text: `${whose}: ${said}: ${order.why}` });
      return undefined;
    case 'mute':
      for (const key of muteKeys(order.scope, ours, { sender, role })) {
        await writeMute(tx, { scope: order.scope, key, at, by: sender, why: said });
      }
      await writeNotice(tx, { at, kind: 'muted', text: `${order.scope} by ${whose}, answering ${ours.messageId}` });
      await confirm(tx, { mail, at, standing, what: mutedWords[order.scope] });
      return said;
    case 'wrong':
      for (const { fingerprint } of spoken.filter(({ rule }) => order.rules.includes(rule))) {
        await writeMute(tx, { scope: 'finding', key: fingerprint, at, by: sender, why: said });
      }
      for (const rule of order.rules) {
        const mark = await writeWrong(tx, { rule, sender, messageId: ours.messageId, at });
        await writeNotice(tx, {
          at,
          kind: mark === 'muted' ? 'rule-muted' : 'rule-wrong',
          text: `${rule} by ${whose}, answering ${ours.messageId}`,
        });
      }
      await confirm(tx, { mail, at, standing, what: 'What it said is marked as wrong and will not be said again.' });
      return said;
    default:
      order satisfies never;
      return undefined;
  }
}

/** An author who writes from two addresses is muted under both. */
function muteKeys(
  scope: 'series' | 'author' | 'list',
  ours: Queued,
  who: { readonly sender: string; readonly role: Role },
): readonly string[] {
  switch (scope) {
    case 'list':
      return ours.lists;
    case 'author':
      return who.role === 'author' ? [ours.author, who.sender] : [ours.author];
    case 'series':
      return [ours.posting];
    default:
      return scope satisfies never;
  }
}

async function findRole(tx: Tx, sender: string, ours: Queued, state: PolicyState & { kind: 'policy' }): Promise<Role> {
  const mails = (await findRelated(tx, ours.parent)).map((kept) => kept.mail);
  const { policy } = state;
  const parent = mails.find((mail) => mail.id === ours.parent);
  return roleOf(sender, {
    ...(policy.operator === undefined ? {} : { operator: policy.operator }),
    maintainers: policy.lists.filter((list) => ours.lists.includes(list.listId)).flatMap((list) => list.maintainers),
    authors: [ours.author, ...(parent === undefined ? [] : [authorOf(parent), ...parent.authors])],
    participants: [...ours.envelope.to, ...mails.flatMap((mail) => [mail.from ?? '', ...mail.people])],
  });
}

const mutedWords = {
  author: 'You will get no more mail from it, on any list.',
  series: 'It will say nothing more about this series.',
  list: 'It will send nothing more to this list.',
} as const;

/** Asks for a confirmation to a sender who is known to be the one he says. */
async function confirm(
  tx: Tx,
  told: {
    readonly mail: ThreadMail;
    readonly at: Instant;
    readonly standing: Standing | undefined;
    readonly what: string;
  },
): Promise<void> {
  const { mail, at, standing, what } = told;
  if (standing?.kind !== 'verified' || mail.id === undefined || mail.from === undefined) return;
  await writeConfirmation(tx, { at, to: mail.from, inReplyTo: mail.id, subject: mail.subject, what });
}

import { answerTo, formatMail, kindOf, parseMessage, type Message } from '../../src/core/mail/index.js';
import { headOf, parsePatches, parseSubject } from '../../src/core/patch/index.js';
import {
  threadMailOf,
  type Candidate,
  type Instant,
  type ListPolicy,
  type Point,
  type PolicyState,
} from '../../src/core/review/index.js';
import {
  arrive,
  decideDue,
  sendDue,
  type ArrivalResult,
  type DecideDeps,
  type Outcome,
  type ReadMail,
  type SendDeps,
} from '../../src/shell/bot/index.js';
import { openStore, type Kept, type Queued, type SendOutcome, type Store } from '../../src/shell/store/index.js';
import { listPolicy, policyOf } from './policies.js';

/** What the tests' own reading keeps: enough to word a reply. */
type Kin = {
  readonly points: readonly Point[];
  readonly message: Omit<Message, 'text'>;
  readonly author?: { name: string; address: string };
};

/** Reads a mail with the product's own mail and patch rooms; a removed msleep() is what there is to say about it. */
export async function readMail(bytes: Uint8Array): Promise<ReadMail> {
  const message = await parseMessage(bytes);
  if (message.subject.includes('POISON')) throw new Error('cannot be read');
  const { patches } = parsePatches(message);
  const subject = parseSubject(message.subject);
  const facts = {
    hasDiff: patches.some((p) => p.files.length > 0),
    tagged: subject.isPatch,
    index: subject.index,
    total: subject.total,
  };
  const { kind, reason } = kindOf(message, {
    hasDiff: facts.hasDiff,
    tagged: facts.tagged,
    ...(facts.index === undefined ? {} : { index: facts.index }),
    ...(facts.total === undefined ? {} : { total: facts.total }),
  });
  const head = headOf(message, patches);
  const points = patches
    .flatMap((patch) => patch.files)
    .flatMap((file) => {
      const lines = file.hunks.flatMap((hunk) => hunk.lines);
      const before = lines.find((line) => line.kind === 'removed' && line.text.includes('msleep('));
      const after = lines.find((line) => line.kind === 'added');
      if (before === undefined) return [];
      const quote = [`-${before.text}`, ...(after === undefined ? [] : [`+${after.text}`])];
      return [
        {
          fingerprint: `${file.path} ${quote.join(' ')}`,
          rule: 'boot-path-change',
          nit: false,
          reason: 'boot-path-change',
          quote,
        },
      ];
    });
  const author = patches[0]?.author;
  const { text: _, ...slim } = message;
  const reading: Kin = { points, message: slim, ...(author === undefined ? {} : { author }) };
  const mail = threadMailOf(message, { kind, kindReason: reason, patches, ...(head === undefined ? {} : { head }) });
  return { mail, lists: message.lists, reading };
}

export type WorldCandidate = Candidate & { readonly about: Kin };

/** One patch with something to say is answered itself; several through their cover. */
export function reviewKin(
  thread: Parameters<DecideDeps<WorldCandidate>['review']>[0],
  mails: readonly Kept[],
): WorldCandidate {
  const { posting } = thread;
  const kin = (id: string): Kin | undefined => {
    const kept = mails.find((mail) => mail.key === id);
    return kept === undefined ? undefined : (JSON.parse(kept.reading) as Kin);
  };
  const speaking = posting.members.filter((id) => (kin(id)?.points.length ?? 0) > 0);
  const only = speaking.length === 1 ? speaking[0] : (posting.cover ?? speaking[0] ?? posting.id);
  const target = only ?? posting.id;
  const about = kin(target);
  if (about === undefined) throw new Error(`no reading of ${target}`);
  return { target, worth: speaking.length > 0, points: speaking.flatMap((id) => kin(id)?.points ?? []), about };
}

const secret = 'instance secret of the tests';

export function composeKin({
  candidate,
  speak,
  policy,
  messageId,
  now,
}: Parameters<DecideDeps<WorldCandidate>['compose']>[0]): ReturnType<DecideDeps<WorldCandidate>['compose']> {
  const { message, author } = candidate.about;
  const lists = policy.lists.filter((list) => speak.lists.includes(list.listId)).map((list) => list.address);
  const answer = answerTo(
    { ...message, text: '' },
    { lists, own: [policy.self.address], ...(author === undefined ? {} : { author }) },
  );
  const body = `Predicted: it sleeps less.\n\nAnswer with a line that begins with\nreveille: stop\nto get no more of these mails.\n`;
  const { id } = message;
  const bytes = formatMail(
    {
      from: policy.self,
      to: answer.to,
      cc: answer.cc,
      subject: `Re: ${message.subject}`,
      messageId,
      date: new Date(now).toISOString(),
      ...(id === undefined ? {} : { inReplyTo: id, references: [...message.references, id] }),
      extra: [{ name: 'Auto-Submitted', value: 'auto-replied' }],
    },
    body,
  );
  return { bytes, envelope: { from: policy.self.address, to: [...answer.to, ...answer.cc].map((a) => a.address) } };
}

export const worldDeps = { review: reviewKin, compose: composeKin, secret, domain: 'bot.example.org' };

/** A daemon's life on a store and a clock of its own: mails come in, time passes, replies go out. */
export class World {
  now: Instant;
  policy: PolicyState;
  killed = false;
  store: Store;
  readonly sent: Queued[] = [];
  readonly outcomes: Outcome<WorldCandidate>[] = [];
  sending: (reply: Queued) => SendOutcome = () => ({ kind: 'sent' });

  private constructor(store: Store, now: Instant, policy: PolicyState) {
    this.store = store;
    this.now = now;
    this.policy = policy;
  }

  static async open(
    more: { lists?: readonly ListPolicy[]; policy?: PolicyState; url?: string; approved?: number } = {},
  ): Promise<World> {
    const now = Date.UTC(2026, 0, 5, 9);
    const lists = more.lists ?? [listPolicy()];
    const store = await openStore(more.url ?? 'sqlite::memory:', { now });
    const world = new World(store, now, more.policy ?? policyOf(lists));
    const count = more.approved ?? 20;
    await store.write(async (tx) => {
      for (const { listId } of lists) await tx.insertInto('approvals').values({ list: listId, count }).execute();
    });
    return world;
  }

  deps(): DecideDeps<WorldCandidate> {
    return { ...worldDeps, policy: () => this.policy, killed: () => this.killed };
  }

  sendDeps(): SendDeps {
    return {
      policy: () => this.policy,
      killed: () => this.killed,
      send: async (reply, leave) => {
        const outcome = this.sending(reply);
        if (outcome.kind !== 'refused' && !(await leave())) return { kind: 'withdrawn' };
        if (outcome.kind === 'sent') this.sent.push(reply);
        return outcome;
      },
    };
  }

  async mail(text: string): Promise<ArrivalResult> {
    const raw = new TextEncoder().encode(text);
    return arrive(this.store, { read: readMail, policy: () => this.policy }, { raw, at: this.now, source: 'test' });
  }

  /** Lets time pass, deciding and sending once at its end. */
  async pass(minutes: number): Promise<void> {
    this.now += minutes * 60_000;
    this.outcomes.push(...(await decideDue(this.store, this.deps(), this.now)));
    await sendDue(this.store, this.sendDeps(), () => this.now);
  }

  /** Reasons of silence so far, in order. */
  get silences(): string[] {
    return this.outcomes.flatMap((outcome) => (outcome.kind === 'silent' ? [outcome.reason] : []));
  }

  async close(): Promise<void> {
    await this.store.close();
  }
}

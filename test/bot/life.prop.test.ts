import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hours, minutes, type PolicyState } from '../../src/core/review/index.js';
import { arrive, decideDue, sendDue } from '../../src/shell/bot/index.js';
import {
  findNextDue,
  listQueue,
  openStore,
  readDecisions,
  type Queued,
  type SendOutcome,
  type Store,
} from '../../src/shell/store/index.js';
import { mailText, patchBody } from '../support/mails.js';
import { listPolicy, policyOf } from '../support/policies.js';
import { readMail, worldDeps } from '../support/world.js';

const lists = ['one.lists.example.org', 'two.lists.example.org'];
const caps = { hour: 2, day: 4, author: 2 };
const [one, two] = lists.map((listId) =>
  listPolicy({ listId, address: `${listId.split('.')[0] ?? ''}@lists.example.org`, caps }),
);
const policies: readonly PolicyState[] = [
  policyOf([one ?? listPolicy(), two ?? listPolicy()], { caps: { hour: 3, day: 5, author: 2 } }),
  policyOf([{ ...(one ?? listPolicy()), caps: { hour: 1, day: 2, author: 1 } }]),
  policyOf([{ ...(one ?? listPolicy()), channel: 'dry-run' }, two ?? listPolicy()]),
  policyOf([]),
  { kind: 'none', why: 'broken' },
];

type Posting = {
  readonly id: string;
  readonly author: string;
  readonly series: number;
  readonly version: number;
  readonly at: number;
  readonly tick: number;
  readonly lists: readonly string[];
};
type Sent = {
  readonly reply: Queued;
  readonly at: number;
  readonly tick: number;
  readonly policy: number;
  readonly killed: boolean;
};

/** The model: what was posted and what left, in plain lists. It knows nothing of stores or threads. */
type Model = {
  now: number;
  policy: number;
  killed: boolean;
  postings: Posting[];
  stops: { author: string; tick: number }[];
  tick: number;
};

/** Two processes on one store, and the world they send into. */
class Life {
  readonly model: Model;
  readonly sent: Sent[] = [];
  readonly stores: Store[] = [];
  outcome: SendOutcome = { kind: 'sent' };
  readonly url: string;

  constructor(url: string, model: Model) {
    this.url = url;
    this.model = model;
  }

  async start(which: number): Promise<void> {
    await this.stores[which]?.close();
    this.stores[which] = await openStore(this.url, { now: this.model.now });
  }

  store(which: number): Store {
    const store = this.stores[which];
    if (store === undefined) throw new Error('not started');
    return store;
  }

  async take(which: number, text: string): Promise<void> {
    const state = policies[this.model.policy] ?? { kind: 'none', why: 'none' };
    const raw = new TextEncoder().encode(text);
    await arrive(
      this.store(which),
      { read: readMail, policy: () => state },
      { raw, at: this.model.now, source: 'box' },
    );
  }

  async work(which: number): Promise<void> {
    const { model } = this;
    const shared = {
      policy: () => policies[model.policy] ?? { kind: 'none' as const, why: 'none' },
      killed: () => model.killed,
    };
    await decideDue(this.store(which), { ...worldDeps, ...shared }, model.now);
    const send = async (reply: Queued, leave: () => Promise<boolean>): Promise<SendOutcome> => {
      await Promise.resolve();
      if (this.outcome.kind !== 'refused' && !(await leave())) return { kind: 'withdrawn' };
      // What is ambiguous may have left: it counts as sent.
      if (this.outcome.kind !== 'refused')
        this.sent.push({ reply, at: model.now, tick: model.tick++, policy: model.policy, killed: model.killed });
      return this.outcome;
    };
    await sendDue(this.store(which), { ...shared, send }, () => model.now);
  }

  check(): void {
    const { model, sent } = this;
    const ids = sent.map(({ reply }) => reply.messageId);
    expect(new Set(ids).size, 'never twice').toBe(ids.length);
    const postings = sent.map(({ reply }) => reply.posting);
    expect(new Set(postings).size, 'one mail a posting').toBe(postings.length);
    for (const [index, { reply, at, tick, policy, killed }] of sent.entries()) {
      const state = policies[policy];
      const posting = model.postings.find((p) => `<${p.id}@example.org>` === reply.parent);
      if (state?.kind !== 'policy' || posting === undefined) throw new Error('sent without a policy or a posting');
      expect(killed, 'never past the kill file').toBe(false);
      const listPolicies = reply.lists.map((id) => state.policy.lists.find((list) => list.listId === id));
      expect(
        listPolicies.every((list) => list?.channel === reply.channel),
        'never outside the policy',
      ).toBe(true);
      expect(reply.lists.every((id) => posting.lists.includes(id))).toBe(true);
      expect(at - posting.at, 'never late').toBeLessThanOrEqual(hours(24));
      const newer = model.postings.filter((p) => p.series === posting.series && p.version > posting.version);
      expect(
        newer.filter((p) => p.tick < tick),
        'never after a newer version',
      ).toEqual([]);
      expect(
        model.stops.some((stop) => stop.author === posting.author && stop.tick < tick),
        'never to who said stop',
      ).toBe(false);
      this.checkCaps(index, state.policy);
    }
  }

  private checkCaps(index: number, policy: (PolicyState & { kind: 'policy' })['policy']): void {
    const last = this.sent[index];
    if (last === undefined) return;
    const before = this.sent.slice(0, index + 1).filter((s) => s.reply.live === last.reply.live);
    const scopes = [
      ...policy.lists
        .filter((list) => last.reply.lists.includes(list.listId))
        .map((list) => ({ caps: list.caps, in: before.filter((s) => s.reply.lists.includes(list.listId)) })),
      { caps: policy.caps, in: before },
    ];
    for (const scope of scopes) {
      const day = scope.in.filter((s) => s.at > last.at - hours(24));
      expect(day.filter((s) => s.at > last.at - hours(1)).length, 'cap of the hour').toBeLessThanOrEqual(
        scope.caps.hour,
      );
      expect(day.length, 'cap of the day').toBeLessThanOrEqual(scope.caps.day);
      expect(day.filter((s) => s.reply.author === last.reply.author).length, 'cap of the author').toBeLessThanOrEqual(
        scope.caps.author,
      );
    }
  }
}

type Command = fc.AsyncCommand<Model, Life>;

function command(
  name: string,
  run: (life: Life) => Promise<void>,
  may: (model: Model) => boolean = () => true,
): Command {
  return {
    check: may,
    async run(_model, life) {
      await run(life);
      life.check();
    },
    toString: () => name,
  };
}

const process = fc.nat({ max: 1 });

function post(which: number, author: number, series: number, both: boolean): Command {
  return command(
    `post(${which}, author ${author}, series ${series}, ${both ? 'both lists' : 'one list'})`,
    async (life) => {
      const { model } = life;
      const earlier = model.postings.filter((p) => p.series === series);
      const version = earlier.length + 1;
      const through = both ? lists : [lists[series % 2] ?? ''];
      const who = earlier[0]?.author ?? `a${author}@example.org`;
      const posting = {
        id: `p${series}v${version}`,
        author: who,
        series,
        version,
        at: model.now,
        tick: model.tick++,
        lists: through,
      };
      model.postings.push(posting);
      for (const list of through) {
        const subject =
          version === 1 ? `[PATCH] drv${series}: sleep less` : `[PATCH v${version}] drv${series}: sleep less`;
        const body = patchBody(`drivers/d/${series}.c`, 'msleep(100);', `usleep_range(${version}000, 9000);`);
        await life.take(which, mailText({ id: posting.id, subject, body, list, from: `A <${who}>`, date: model.now }));
      }
    },
  );
}

function stop(which: number, nth: number): Command {
  return command(`stop(${which}, reply ${nth})`, async (life) => {
    const told = life.sent[nth % Math.max(1, life.sent.length)];
    const posting = life.model.postings.find((p) => `<${p.id}@example.org>` === told?.reply.parent);
    if (told === undefined || posting === undefined || policies[life.model.policy]?.kind !== 'policy') return;
    const headers = [`In-Reply-To: ${told.reply.messageId}`];
    await life.take(
      which,
      mailText({
        id: `stop${life.model.tick++}`,
        from: posting.author,
        subject: 'Re: x',
        body: 'reveille: stop\n',
        headers,
      }),
    );
    life.model.stops.push({ author: posting.author, tick: life.model.tick++ });
  });
}

const commands = [
  fc.tuple(process, fc.nat({ max: 4 }), fc.nat({ max: 9 }), fc.boolean()).map((args) => post(...args)),
  fc.tuple(process, fc.nat({ max: 4 }), fc.nat({ max: 9 }), fc.boolean()).map((args) => post(...args)),
  fc.tuple(process, fc.integer({ min: 1, max: 90 })).map(([which, by]) =>
    command(`pass ${by} min on ${which}`, async (life) => {
      life.model.now += minutes(by);
      await life.work(which);
    }),
  ),
  fc.integer({ min: 10, max: 60 }).map((by) =>
    command(`pass ${by} min on both`, async (life) => {
      life.model.now += minutes(by);
      await Promise.all([life.work(0), life.work(1)]);
    }),
  ),
  fc.constantFrom(-120, -30, 600, 1500).map((by) =>
    command(`jump ${by} min`, (life) => {
      life.model.now += minutes(by);
      return Promise.resolve();
    }),
  ),
  fc.nat({ max: policies.length - 1 }).map((n) =>
    command(`policy ${n}`, (life) => {
      life.model.policy = n;
      return Promise.resolve();
    }),
  ),
  process.map((which) => command(`restart ${which}`, (life) => life.start(which))),
  fc.boolean().map((killed) =>
    command(`kill file ${killed}`, (life) => {
      life.model.killed = killed;
      return Promise.resolve();
    }),
  ),
  fc
    .constantFrom<SendOutcome>(
      { kind: 'sent' },
      { kind: 'ambiguous', why: 'dropped' },
      { kind: 'refused', retry: 'later', why: '451' },
    )
    .map((outcome) =>
      command(`server: ${outcome.kind}`, (life) => {
        life.outcome = outcome;
        return Promise.resolve();
      }),
    ),
  fc.tuple(process, fc.nat({ max: 9 })).map((args) => stop(...args)),
];

describe('a life of random arrivals, restarts, clock jumps and policy edits on one store with two processes', () => {
  const long = globalThis.process.env.REVEILLE_LONG === '1';
  test(
    'never speaks twice, late, outside the policy or over the caps, and forgets nothing that is due',
    { timeout: long ? 7_200_000 : 600_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'reveille-life-'));
      let number = 0;
      let spoke = 0;
      try {
        await fc.assert(
          fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (sequence) => {
            const model: Model = {
              now: Date.UTC(2026, 0, 5, 9),
              policy: 0,
              killed: false,
              postings: [],
              stops: [],
              tick: 0,
            };
            const life = new Life(`sqlite:${join(folder, `${number++}.db`)}`, model);
            await life.start(0);
            await life.start(1);
            const approvals = lists.map((list) => ({ list, count: 20 }));
            await life.store(0).write((tx) => tx.insertInto('approvals').values(approvals).execute());
            try {
              await fc.asyncModelRun(() => ({ model, real: life }), sequence);
              await settle(life);
              spoke += life.sent.length;
            } finally {
              for (const store of life.stores) await store.close();
            }
          }),
          { numRuns: long ? 300 : 12 },
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      expect(spoke).toBeGreaterThan(0);
    },
  );
});

/** Everything comes to an end: a day later nothing is due, and every posting has its decision. */
async function settle(life: Life): Promise<void> {
  for (let i = 0; i < 4; i++) {
    life.model.now += hours(10);
    await life.work(i % 2);
    life.check();
  }
  const store = life.store(0);
  expect(await store.read((db) => findNextDue(db))).toBeUndefined();
  const decided = new Set((await store.read((db) => readDecisions(db))).map((d) => d.mail));
  expect(life.model.postings.filter((p) => !decided.has(`<${p.id}@example.org>`))).toEqual([]);
  const queue = await store.read((db) => listQueue(db, ['due', 'sending', 'held']));
  expect(queue.map((q) => [q.id, q.state])).toEqual([]);
}

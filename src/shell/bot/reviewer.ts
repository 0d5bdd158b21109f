import { parseMessage } from '../../core/mail/index.js';
import { renderReply, replyToMail } from '../../core/reply/index.js';
import {
  read,
  review,
  threadMailOf,
  type Candidate,
  type Kit,
  type Knowledge,
  type ListPolicy,
  type Point,
  type PostedThread,
  type Reading,
  type Review,
} from '../../core/review/index.js';
import type { Kept } from '../store/index.js';
import type { Composed, ComposeInput, Reader } from './deps.js';

/** Reads with the product's own `read`, and keeps beside it what decisions over time need. */
export function readerOf(kit: Kit): Reader {
  return async (bytes) => {
    const reading = await read(bytes, kit);
    const posts = reading.kind === 'patch' || reading.kind === 'cover';
    // A Reading has no text: what people answered is taken from the mail itself.
    const message = posts ? reading.message : await parseMessage(bytes);
    const { kind, kindReason, patches, head } = reading;
    const mail = threadMailOf(message, { kind, kindReason, patches, ...(head === undefined ? {} : { head }) });
    return { mail, lists: reading.message.lists, reading };
  };
}

/** A candidate with the review behind it, and what is needed to make it again once it is known what may be said. */
export type ReviewedCandidate = Candidate & {
  readonly about: Review;
  readonly again: (knowledge: Partial<Knowledge>) => Review;
};

/** Reviews every patch of a posting that has come; the first that deserves an answer is the one that gets it. */
export function reviewerOf(
  knowledge: Knowledge,
  seed: number,
): (thread: PostedThread, mails: readonly Kept[]) => ReviewedCandidate {
  return (thread, mails) => {
    const readings = new Map(mails.map((kept) => [kept.key, JSON.parse(kept.reading) as Reading])); // written by `arrive` only
    const inThread = thread.mails.flatMap(({ mail }) => readings.get(mail.id ?? '') ?? []);
    const earlier = inThread.filter((r) => r.changes.length > 0 || r.logs.length > 0 || r.claims.length > 0);
    let first: ReviewedCandidate | undefined;
    const { members, cover } = thread.posting;
    // A cover whose patches went to other lists is all that there is of its posting: it is judged, and found to be no patch.
    for (const id of cover === undefined ? members : [...members, cover]) {
      const about = readings.get(id);
      if (about === undefined) continue;
      const others = earlier.filter((r) => r.message.id !== id).slice(-40);
      const again = (more: Partial<Knowledge>): Review =>
        review({ about, source: { path: '' }, earlier: others }, { ...knowledge, ...more }, seed);
      const made = again({});
      const candidate = {
        target: id,
        worth: made.decision.worth,
        points: pointsOf(made),
        about: made,
        again,
        why: made.decision.reasons.join(' '),
      };
      if (candidate.worth) return candidate;
      first ??= candidate;
    }
    if (first === undefined) throw new Error('a posting without a reading');
    return first;
  };
}

/** What a review would say, each thing with a fingerprint that survives new versions. */
function pointsOf(made: Review): Point[] {
  const reasons: readonly string[] = made.decision.reasons;
  const changes = made.estimates.flatMap((estimate) => {
    const change = made.changes[estimate.change];
    const matters =
      change !== undefined && change.effect !== 'moved' && estimate.model !== 'timeout' && estimate.bootPath !== 'off';
    if (!matters || !reasons.includes('boot-path-change')) return [];
    const print = [
      'boot-path-change',
      change.file,
      change.function ?? '',
      change.before?.text ?? '',
      change.after?.text ?? '',
    ];
    return [
      {
        fingerprint: print.join('|'),
        rule: 'boot-path-change',
        nit: false,
        reason: 'boot-path-change',
        quote: change.quote,
      },
    ];
  });
  const findings = made.findings
    .filter((finding) => finding.state === 'sent')
    .map((finding): Point => {
      const reason = finding.nit || finding.level === 'note' ? undefined : reasonOf(finding.rule);
      const quote = finding.change === undefined ? [] : (made.changes[finding.change]?.quote ?? []);
      const { fingerprint, rule, nit } = finding;
      return { fingerprint, rule, nit, ...(reason === undefined ? {} : { reason }), quote };
    });
  const points = [...changes, ...findings];
  return points.filter((point, at) => points.findIndex((other) => other.fingerprint === point.fingerprint) === at);
}

function reasonOf(rule: string): string {
  if (rule.startsWith('claim-')) return 'claim-does-not-follow';
  if (rule.startsWith('measurement-')) return 'measurement-missed-wait';
  return rule.startsWith('devices-') ? 'many-devices-cost' : 'risk';
}

/** Words the reply with only what may be said, and addresses it as the channel wants. */
export function composerOf(identity: {
  readonly secret: string;
  readonly domain: string;
}): (input: ComposeInput<ReviewedCandidate>) => Composed {
  return ({ candidate, speak, policy, now }) => {
    const keep = new Set(speak.keep);
    const dropped = candidate.points.filter((point) => !keep.has(point.fingerprint)).map((point) => point.fingerprint);
    const lists = policy.lists.filter((list) => speak.lists.includes(list.listId));
    const home = lists.find((list) => list.listId === speak.home);
    const made = candidate.again({
      said: new Set(dropped),
      nitLimit: home?.nits.limit ?? 0,
      rulesOff: offRules(lists),
    });
    const shown = { ...made, estimates: keptEstimates(made, keep) };
    const toList = speak.channel === 'list' || speak.channel === 'dry-run' || speak.channel === 'drafts';
    const reply = renderReply(shown, {
      from: policy.self,
      operator: policy.operator ?? policy.self.address,
      lists: toList ? lists.map((list) => list.address) : [],
      own: [policy.self.address, ...policy.aliases],
      ...identity,
    });
    if (reply === undefined) throw new Error('nothing is left to say, or nobody to say it to');
    const listed = new Set([...reply.to, ...reply.cc].map((person) => person.address.toLowerCase()));
    // Mailing lists that the policy names are written to even where the mail names them by another address.
    const also = toList ? lists.map((list) => ({ name: '', address: list.address })) : [];
    const copies = [...also, ...lists.flatMap((list) => (speak.channel === 'operator' ? [] : list.copy))];
    const cc = [...reply.cc, ...copies.filter((person) => !listed.has(person.address.toLowerCase()))];
    const bytes = replyToMail({ ...reply, cc }, new Date(now).toISOString());
    const to =
      speak.channel === 'operator'
        ? [policy.operator ?? policy.self.address]
        : [...reply.to, ...cc].map((person) => person.address);
    return { bytes, envelope: { from: policy.self.address, to: [...new Set(to)] } };
  };
}

function offRules(lists: readonly ListPolicy[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => [...list.nits.off, ...list.rulesOff]));
}

/** A change that was told before, or by somebody else, is not told again beside a new finding. */
function keptEstimates(made: Review, keep: ReadonlySet<string>): Review['estimates'] {
  if (![...keep].some((print) => print.startsWith('boot-path-change|'))) return [];
  return made.estimates.filter((estimate) => {
    const change = made.changes[estimate.change];
    if (change === undefined) return false;
    const print = [
      'boot-path-change',
      change.file,
      change.function ?? '',
      change.before?.text ?? '',
      change.after?.text ?? '',
    ].join('|');
    return keep.has(print) || estimate.model === 'timeout' || estimate.bootPath === 'off';
  });
}

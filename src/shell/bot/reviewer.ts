import { renderReply, renderSeriesReply, replyToMail } from '../../core/reply/index.js';
import {
  mattersAtBoot,
  readForThread,
  review,
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
    const { reading, mail } = await readForThread(bytes, kit);
    return { mail, lists: reading.message.lists, reading };
  };
}

/** A patch that deserves an answer, and its review made again once it is known what may be said. */
type Part = { readonly made: Review; readonly again: (knowledge: Partial<Knowledge>) => Review };

/** What a posting deserves to be told, by patch. `about` is the mail that would be answered. */
export type ReviewedCandidate = Candidate & { readonly about: Review; readonly parts: readonly Part[] };

// A reply about more patches than this is one that nobody reads.
const mostParts = 3;

/**
 * Reviews every patch of a posting that has come. One that deserves an answer gets it itself; several get one answer together, on
 * their cover letter where there is one.
 */
export function reviewerOf(
  knowledge: Knowledge,
  seed: number,
): (thread: PostedThread, mails: readonly Kept[], lists: readonly ListPolicy[]) => ReviewedCandidate {
  return (thread, mails, lists) => {
    const readings = new Map(mails.map((kept) => [kept.key, JSON.parse(kept.reading) as Reading])); // written by `arrive` only
    const inThread = thread.mails.flatMap(({ mail }) => readings.get(mail.id ?? '') ?? []);
    const earlier = inThread.filter((r) => r.changes.length > 0 || r.logs.length > 0 || r.claims.length > 0);
    const subjectLimit = lists[0]?.subjectLimit;
    const { members, cover } = thread.posting;
    const reviewed = new Map<string, Part>();
    // A cover whose patches went to other lists is all that there is of its posting: it is judged, and found to be no patch.
    for (const id of cover === undefined ? members : [...members, cover]) {
      const about = readings.get(id);
      if (about === undefined) continue;
      const later = members
        .slice(members.indexOf(id) + 1)
        .flatMap((one) => (id === cover ? [] : (readings.get(one) ?? [])));
      const others = earlier.filter((r) => r.message.id !== id).slice(-40);
      const again = (more: Partial<Knowledge>): Review =>
        review(
          { about, source: { path: '' }, earlier: others, later, hasCover: cover !== undefined },
          { ...knowledge, ...(subjectLimit === undefined ? {} : { subjectLimit }), ...more },
          seed,
        );
      reviewed.set(id, { made: again({}), again });
    }
    const worthy = [...reviewed].filter(([, { made }]) => made.decision.worth).slice(0, mostParts);
    const alone = worthy[0]?.[0] ?? [...reviewed.keys()][0];
    const place = worthy.length > 1 && cover !== undefined && reviewed.has(cover) ? cover : alone;
    const about = place === undefined ? undefined : reviewed.get(place)?.made;
    if (place === undefined || about === undefined) throw new Error('a posting without a reading');
    return {
      target: place,
      worth: worthy.length > 0,
      points: uniquePoints(worthy.flatMap(([, { made }]) => pointsOf(made))),
      about,
      parts: worthy.map(([, part]) => part),
      why: about.decision.reasons.join(' '),
    };
  };
}

/** What a review would say, each thing with a fingerprint that survives new versions. */
function pointsOf(made: Review): Point[] {
  const changes = made.estimates.flatMap(({ change: index, model, bootPath }): Point[] => {
    const change = made.changes[index];
    if (change === undefined || change.effect === 'moved' || model === 'timeout' || bootPath === 'off') return [];
    const causes = mattersAtBoot(change, index, made);
    const point = { fingerprint: printOf(change), rule: 'boot-path-change', nit: false, quote: change.quote };
    return [{ ...point, ...(causes ? { reason: 'boot-path-change' } : {}) }];
  });
  const findings = made.findings
    .filter((finding) => finding.state === 'sent')
    .map((finding): Point => {
      const reason = finding.nit || finding.level === 'note' ? undefined : reasonOf(finding.rule);
      const quote = finding.change === undefined ? linesOf(finding) : (made.changes[finding.change]?.quote ?? []);
      const { fingerprint, rule, nit } = finding;
      return { fingerprint, rule, nit, ...(reason === undefined ? {} : { reason }), quote };
    });
  return [...changes, ...findings];
}

/** One point a fingerprint: the one that may cause a mail, if one of them may. */
function uniquePoints(points: readonly Point[]): Point[] {
  const best = new Map<string, Point>();
  for (const point of points) {
    const known = best.get(point.fingerprint);
    if (known === undefined || (known.reason === undefined && point.reason !== undefined))
      best.set(point.fingerprint, point);
  }
  return [...best.values()];
}

/** A change over all versions of its patch: no line numbers. */
function printOf(change: Review['changes'][number]): string {
  const { file, function: within = '', before, after } = change;
  return ['boot-path-change', file, within, before?.text ?? '', after?.text ?? ''].join('|');
}

function linesOf({ quote }: { readonly quote?: string }): string[] {
  return quote === undefined ? [] : [quote];
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
    const shown = candidate.parts.map(({ again }) => {
      const made = again({ said: new Set(dropped), nitLimit: home?.nits.limit ?? 0, rulesOff: offRules(lists) });
      return { ...made, estimates: keptEstimates(made, keep) };
    });
    const toList = speak.channel === 'list' || speak.channel === 'dry-run' || speak.channel === 'drafts';
    const who = {
      from: policy.self,
      operator: policy.operator ?? policy.self.address,
      lists: toList ? lists.map((list) => list.address) : [],
      own: [policy.self.address, ...policy.aliases],
      ...identity,
    };
    const [only, ...more] = shown;
    const alone = only !== undefined && more.length === 0;
    const reply = alone ? renderReply(only, who) : renderSeriesReply(candidate.about, shown, who);
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
    const print = printOf(change);
    // A poll that is gone has no limit any more: its interval says all.
    const isLimit = estimate.model === 'timeout' && change.effect !== 'removed';
    return keep.has(print) || isLimit || estimate.bootPath === 'off';
  });
}

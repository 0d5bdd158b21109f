import type { Activity, ActivityRow } from '../../core/report/index.js';
import { readActivityRows, readMutes, readWrongs, type ActivityOf, type Db } from '../store/index.js';

type Ask = { readonly from: number; readonly until: number; readonly list?: string };

/** What the bot did over a period, by list and month; for one list, nothing of the others is in it. */
export async function readActivity(db: Db, { from, until, list }: Ask): Promise<Activity> {
  const rows = new Map<string, Counts>();
  const countsOf = (home: string, at: number): Counts => {
    const month = new Date(at).toISOString().slice(0, 7);
    const key = `${home} ${month}`;
    const counts = rows.get(key) ?? { ...nothing, list: home, month };
    rows.set(key, counts);
    return counts;
  };
  const isAsked = (home: string): boolean => list === undefined || home === list;
  for (const reply of await readActivityRows(db, from, until)) {
    if (isAsked(reply.home)) count(countsOf(reply.home, reply.createdAt), reply);
  }
  const wrong = (await readWrongs(db)).filter((mark) => mark.at >= from && mark.at < until && isAsked(mark.list));
  for (const mark of wrong) countsOf(mark.list, mark.at).wrong++;
  const mutes = await readMutes(db);
  return {
    rows: [...rows.values()].sort((a, b) => (`${a.list} ${a.month}` < `${b.list} ${b.month}` ? -1 : 1)),
    // An author's wish to be left alone is nobody's business but the operator's.
    mutes: mutes
      .filter((mute) =>
        list === undefined ? true : mute.scope === 'rule' || (mute.scope === 'list' && mute.key === list),
      )
      .map(({ scope, key, at, by, why }) => ({ scope, key, at: new Date(at).toISOString(), by, why })),
    wrong: wrong.map(({ rule, by, at, list: home }) => ({ rule, by, at: new Date(at).toISOString(), list: home })),
  };
}

type Counts = { -readonly [Key in keyof ActivityRow]: ActivityRow[Key] };

const nothing = {
  sent: 0,
  dryRun: 0,
  approved: 0,
  waiting: 0,
  rejected: 0,
  expired: 0,
  failed: 0,
  parked: 0,
  wrong: 0,
};

function count(counts: Counts, reply: ActivityOf): void {
  if (reply.heldBy !== undefined && reply.state !== 'held' && reply.state !== 'cancelled') counts.approved++;
  switch (reply.state) {
    case 'sent':
      if (reply.live) counts.sent++;
      else counts.dryRun++;
      return;
    case 'held':
    case 'due':
    case 'sending':
      counts.waiting++;
      return;
    case 'cancelled':
      if (reply.why.startsWith('operator-rejected')) counts.rejected++;
      else counts.expired++;
      return;
    case 'failed':
      counts.failed++;
      return;
    case 'uncertain':
      counts.parked++;
      return;
    default:
      reply.state satisfies never;
  }
}

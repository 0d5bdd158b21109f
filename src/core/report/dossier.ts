import type { Made } from '../review/index.js';
import type { Summary, SummarySeries } from './summary.js';

/** A reply that would have been sent, whole. */
export type DossierReply = {
  /** When it would have left, ISO 8601. */
  readonly at: string;
  readonly list: string;
  /** Message-id of the mail it answers. */
  readonly parent: string;
  readonly subject: string;
  readonly to: readonly string[];
  readonly rules: readonly string[];
  readonly body: string;
};

/** What a list gets to see before it opts in: what the bot would have sent to it, and what not. */
export type Dossier = {
  readonly made: Made;
  /** Names of the archives, as they were given. */
  readonly archive: string;
  /** First and last mail, ISO 8601; absent for an archive without mail. */
  readonly first?: string;
  readonly last?: string;
  readonly mails: number;
  readonly patches: number;
  readonly replies: number;
  readonly byMonth: readonly { readonly month: string; readonly replies: number }[];
  readonly byRule: Readonly<Record<string, number>>;
  readonly samples: readonly DossierReply[];
  /** Series that change a wait and would have got no answer, largest effect first. */
  readonly quiet: readonly SummarySeries[];
  readonly silent: Readonly<Record<string, number>>;
};

export type DossierInput = Omit<Dossier, 'byMonth' | 'byRule' | 'samples' | 'replies' | 'quiet'> & {
  readonly sent: readonly DossierReply[];
  readonly summary: Summary;
  /** How many samples of each kind are shown whole. */
  readonly shown: number;
};

/** Puts a dossier together. Pure: the same archive, policy and seed give the same bytes. */
export function dossierOf({ sent, summary, shown, silent, ...given }: DossierInput): Dossier {
  const quiet = summary.series.filter(({ state, changes }) => state.kind !== 'would-reply' && changes.length > 0);
  return {
    ...given,
    replies: sent.length,
    byMonth: monthsOf(given.first, given.last, sent),
    byRule: countRules(sent),
    samples: spread(sent, shown),
    quiet: quiet.slice(0, shown),
    silent: Object.fromEntries(Object.entries(silent).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
  };
}

/** Months between the first mail and the last, of 30.44 days. */
export function monthCount({ first, last }: Pick<Dossier, 'first' | 'last'>): number {
  if (first === undefined || last === undefined) return 0;
  return Math.round(((Date.parse(last) - Date.parse(first)) / (30.44 * 86_400_000)) * 100) / 100;
}

/** Less than a month of mail says nothing about a month: it counts as a whole one. */
export function repliesPerMonth(dossier: Pick<Dossier, 'first' | 'last' | 'replies'>): number {
  return Math.round((dossier.replies / Math.max(1, monthCount(dossier))) * 100) / 100;
}

function monthsOf(
  first: string | undefined,
  last: string | undefined,
  sent: readonly DossierReply[],
): Dossier['byMonth'] {
  if (first === undefined || last === undefined) return [];
  const months: { month: string; replies: number }[] = [];
  const end = last.slice(0, 7);
  for (
    let at = new Date(`${first.slice(0, 7)}-01T00:00:00Z`);
    months.length < 600;
    at.setUTCMonth(at.getUTCMonth() + 1)
  ) {
    const month = at.toISOString().slice(0, 7);
    if (month > end) break;
    months.push({ month, replies: sent.filter((reply) => reply.at.startsWith(month)).length });
  }
  return months;
}

function countRules(sent: readonly DossierReply[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { rules } of sent) for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/** Spread over the whole time, not the first ones only. */
function spread(sent: readonly DossierReply[], count: number): DossierReply[] {
  const most = Math.min(count, sent.length);
  return Array.from({ length: most }, (_, i) => sent[Math.floor((i * sent.length) / most)]).filter(
    (one) => one !== undefined,
  );
}

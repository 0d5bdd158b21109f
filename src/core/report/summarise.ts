import type { DelayChange } from '../delay/index.js';
import type { Estimate } from '../estimate/index.js';
import type { Address } from '../mail/index.js';
import type { Made, Review } from '../review/index.js';
import { evidenceOf, measuredOf, questionsOf, risksOf } from './summary-evidence.js';
import type {
  Activity,
  Need,
  PredictedSaving,
  Summary,
  SummaryAnswers,
  SummaryChange,
  SummaryPeriod,
  SummarySeries,
  SummaryState,
  SummaryTotals,
  SummaryWeek,
  TreeMaintainer,
} from './summary.js';

/** A posting with the reviews of its mails, in order of their index, and what became of it. */
export type SummaryPosting = {
  readonly id: string;
  readonly title: string;
  readonly author?: Address;
  /** When its first mail came, ISO 8601. */
  readonly date: string;
  readonly version: number;
  readonly total: number;
  readonly complete: boolean;
  readonly lists: readonly string[];
  readonly subsystem?: string;
  readonly subsystems?: readonly string[];
  readonly maintainers?: readonly TreeMaintainer[];
  readonly reviews: readonly Review[];
  /** Reviews of what people answered, for the measurements in them. */
  readonly answersWithEvidence: readonly Review[];
  readonly answers: SummaryAnswers;
  readonly state: SummaryState;
  readonly supersededBy?: string;
};

export type SummaryInput = {
  readonly period: SummaryPeriod;
  readonly list?: string;
  readonly subsystem?: string;
  readonly made: Made;
  readonly mails: number;
  readonly patches: number;
  readonly postings: readonly SummaryPosting[];
  /** Postings without any wait, claim or finding to show, by the reason for saying nothing. */
  readonly quiet: Readonly<Record<string, number>>;
  readonly activity?: Activity;
};

/** What changed in waits over a period: a row a series, sorted by what needs a maintainer. Pure: same input, same value. */
export function summarise(input: SummaryInput): Summary {
  const silent = new Map(Object.entries(input.quiet));
  const series: SummarySeries[] = [];
  for (const posting of input.postings) {
    const row = rowOf(posting);
    if (isWorthARow(row)) series.push(row);
    else silent.set(reasonOf(row.state), (silent.get(reasonOf(row.state)) ?? 0) + 1);
  }
  series.sort(byNeed);
  const { period, list, subsystem, made, mails, patches, activity } = input;
  return {
    period,
    ...(list === undefined ? {} : { list }),
    ...(subsystem === undefined ? {} : { subsystem }),
    made,
    mails,
    patches,
    postings: input.postings.length + sum(Object.values(input.quiet)),
    series,
    totals: totalsOf(series),
    weeks: weeksOf(series, period),
    silent: Object.fromEntries([...silent].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))),
    ...(activity === undefined ? {} : { activity }),
  };
}

function reasonOf(state: SummaryState): string {
  return state.kind === 'silent' ? state.reason : state.kind;
}

/** A changed wait, a risk, a claim, or a word of ours: everything else is counted only. */
function isWorthARow(row: SummarySeries): boolean {
  return row.changes.length > 0 || row.risks.length > 0 || !['silent', 'undecided'].includes(row.state.kind);
}

function rowOf(posting: SummaryPosting): SummarySeries {
  const { reviews, state, answers } = posting;
  const changes = reviews.flatMap(changesOf);
  const predicted = predictedOf(changes);
  const risks = reviews.flatMap(risksOf);
  const measured = measuredOf(posting);
  const questions = questionsOf(posting, { predicted, measured });
  const row = {
    id: posting.id,
    title: posting.title,
    ...(posting.author === undefined ? {} : { author: posting.author }),
    date: posting.date,
    version: posting.version,
    total: posting.total,
    complete: posting.complete,
    lists: posting.lists,
    ...(posting.subsystem === undefined ? {} : { subsystem: posting.subsystem }),
    subsystems: posting.subsystems ?? [],
    maintainers: posting.maintainers ?? [],
    files: [...new Set(reviews.flatMap((review) => review.patches.flatMap((patch) => patch.files.map((f) => f.path))))],
    changes,
    ...(predicted === undefined ? {} : { predicted }),
    measured,
    evidence: evidenceOf(posting, measured),
    risks,
    questions,
    answers,
    state,
    ...(posting.supersededBy === undefined ? {} : { supersededBy: posting.supersededBy }),
  };
  return { ...row, need: needOf(row) };
}

/** The changed waits of one mail, as rows show them. */
export function changesOf(review: Review): SummaryChange[] {
  const patch = review.patches[0]?.title ?? review.message.subject;
  return review.changes.flatMap((change, index) => {
    if (change.effect === 'moved') return [];
    const estimate = review.estimates.find((one) => one.change === index && one.model !== 'timeout');
    return [changeOf(change, estimate, review.patches[change.patch]?.title ?? patch)];
  });
}

function changeOf(change: DelayChange, estimate: Estimate | undefined, patch: string): SummaryChange {
  const line = change.newLine ?? change.oldLine;
  return {
    patch,
    file: change.file,
    ...(change.function === undefined ? {} : { function: change.function }),
    ...(line === undefined ? {} : { line }),
    effect: change.effect,
    kind: change.kind,
    role: change.role.is,
    path: change.path.is,
    ...(change.before === undefined ? {} : { before: change.before.text }),
    ...(change.after === undefined ? {} : { after: change.after.text }),
    ...(estimate === undefined
      ? {}
      : {
          predicted: { saved: estimate.saved, bootPath: estimate.bootPath, bootPathBy: estimate.bootPathBy },
        }),
    curve: estimate?.curve ?? [],
    alternatives: estimate?.alternatives ?? [],
  };
}

/**
 * What one boot is said to gain. Waits of one file follow each other and are added; other files are other hardware as a rule,
 * of which the one with most to gain stands for the series.
 */
function predictedOf(changes: readonly SummaryChange[]): PredictedSaving | undefined {
  const paths = ['on', 'unknown', 'off'] as const;
  for (const bootPath of paths) {
    const files = new Map<string, PredictedSaving>();
    for (const { file, predicted } of changes) {
      if (predicted?.bootPath !== bootPath) continue;
      const sofar = files.get(file);
      files.set(file, sofar === undefined ? predicted : { ...sofar, saved: added(sofar.saved, predicted.saved) });
    }
    const most = [...files.values()].sort((a, b) => size(b) - size(a))[0];
    if (most !== undefined) return most;
  }
  return undefined;
}

type Saved = PredictedSaving['saved'];

function added(a: Saved, b: Saved): Saved {
  return { min: a.min + b.min, likely: a.likely + b.likely, max: a.max + b.max };
}

function size({ saved }: PredictedSaving): number {
  return Math.max(Math.abs(saved.min), Math.abs(saved.likely), Math.abs(saved.max));
}

function needOf(row: Omit<SummarySeries, 'need'>): Need {
  const { state, answers, risks, questions } = row;
  if (state.kind === 'waiting' || state.kind === 'parked') return 'waits-for-you';
  if (row.supersededBy !== undefined) return 'superseded';
  if (answers.verdict !== undefined) return 'settled';
  if (state.kind === 'replied' && state.wrong.length > 0) return 'marked-wrong';
  const nobody = answers.by.length === 0;
  if (risks.length > 0) return nobody ? 'risk-unanswered' : 'open-question';
  if (['replied', 'would-reply', 'leaving'].includes(state.kind) || matters(row))
    return nobody ? 'unanswered' : questions.length > 0 ? 'open-question' : 'answered';
  return nobody ? 'small' : 'answered';
}

const worthALook = 10e6; // 10 ms, as a reply's own threshold

function matters({ predicted, measured }: Omit<SummarySeries, 'need'>): boolean {
  if (measured.some(({ saved }) => Math.abs(saved ?? 0) >= worthALook)) return true;
  return predicted !== undefined && predicted.bootPath !== 'off' && size(predicted) >= worthALook;
}

const order: readonly Need[] = [
  'waits-for-you',
  'marked-wrong',
  'risk-unanswered',
  'unanswered',
  'open-question',
  'answered',
  'small',
  'settled',
  'superseded',
];

function byNeed(a: SummarySeries, b: SummarySeries): number {
  const weight = (row: SummarySeries): number => (row.predicted === undefined ? 0 : size(row.predicted));
  return (
    order.indexOf(a.need) - order.indexOf(b.need) ||
    weight(b) - weight(a) ||
    compareText(b.date, a.date) ||
    compareText(a.id, b.id)
  );
}

function isCounted(row: SummarySeries): boolean {
  return row.need !== 'superseded' && row.answers.verdict !== 'rejected';
}

function totalsOf(rows: readonly SummarySeries[]): SummaryTotals {
  const counted = rows.filter(isCounted);
  const predicted = counted.flatMap((row) => (row.predicted?.bootPath === 'on' ? [row.predicted.saved] : []));
  const measured = counted.flatMap(
    (row) => row.measured.find((one) => one.saved !== undefined && isBoot(one.what))?.saved ?? [],
  );
  return {
    ...(predicted.length === 0 ? {} : { predicted: { series: predicted.length, saved: predicted.reduce(added) } }),
    ...(measured.length === 0 ? {} : { measured: { series: measured.length, saved: sum(measured) } }),
  };
}

/** A measurement that reaches to the end of the kernel's own boot. */
function isBoot(what: string): boolean {
  return /Run \S+ as init process|VFS: Mounted root/.test(what);
}

const day = 86_400_000;

/** Every week of the period by its Monday, empty ones too, so that a gap is seen. */
function weeksOf(rows: readonly SummarySeries[], period: SummaryPeriod): SummaryWeek[] {
  const from = mondayOf(Date.parse(period.from));
  const until = Date.parse(period.until);
  const weeks: SummaryWeek[] = [];
  const counted = rows.filter((row) => isCounted(row) && row.predicted?.bootPath === 'on');
  for (let monday = from; monday < until && weeks.length < 520; monday += 7 * day) {
    const own = counted.filter((row) => mondayOf(Date.parse(row.date)) === monday);
    const saved = own.flatMap((row) => row.predicted?.saved ?? []).reduce(added, { min: 0, likely: 0, max: 0 });
    weeks.push({ monday: new Date(monday).toISOString().slice(0, 10), series: own.length, saved });
  }
  return weeks;
}

/** ISO 8601 weeks begin on Monday; 1970-01-05 was one. */
function mondayOf(at: number): number {
  return Math.floor((at - 4 * day) / (7 * day)) * 7 * day + 4 * day;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

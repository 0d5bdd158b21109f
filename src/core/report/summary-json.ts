import { toUs, type Ns } from '../kernel/index.js';
import { measurementToJson } from './measurement-json.js';
import { measuredWords } from './summary-evidence.js';
import type { PredictedSaving, Summary, SummaryChange, SummarySeries } from './summary.js';

/** The contract `reveille.summary.v1` (config/schema): microseconds, `null` for absent. Within v1 fields may be added. */
export function summaryToJson(summary: Summary): Record<string, unknown> {
  const { made, totals, weeks, activity } = summary;
  return {
    schema: 'reveille.summary.v1',
    made: { ...made, policy: made.policy ?? null, tree: made.tree ?? null },
    period: summary.period,
    list: summary.list ?? null,
    subsystem: summary.subsystem ?? null,
    mails: summary.mails,
    patches: summary.patches,
    postings: summary.postings,
    series: summary.series.map(seriesToJson),
    totals: {
      predicted:
        totals.predicted === undefined
          ? null
          : { series: totals.predicted.series, savedUs: savedToJson(totals.predicted.saved) },
      measured:
        totals.measured === undefined
          ? null
          : { series: totals.measured.series, savedUs: tenths(totals.measured.saved) },
    },
    weeks: weeks.map(({ monday, series, saved }) => ({ monday, series, savedUs: savedToJson(saved) })),
    silent: summary.silent,
    activity: activity ?? null,
  };
}

/** One row of a summary, as the contract has it. */
export function seriesToJson(row: SummarySeries): Record<string, unknown> {
  return {
    id: row.id,
    title: row.title,
    author: row.author ?? null,
    date: row.date,
    version: row.version,
    total: row.total,
    complete: row.complete,
    lists: row.lists,
    subsystem: row.subsystem ?? null,
    subsystems: row.subsystems,
    maintainers: row.maintainers,
    files: row.files,
    changes: row.changes.map(changeToJson),
    predicted: predictedToJson(row.predicted),
    measured: row.measured.map((m) => ({ ...measurementToJson(m), byAuthor: m.byAuthor, by: m.by })),
    measuredWords: measuredWords(row) ?? null,
    evidence: row.evidence,
    risks: row.risks,
    questions: row.questions,
    answers: { by: row.answers.by, verdict: row.answers.verdict ?? null },
    state: row.state,
    supersededBy: row.supersededBy ?? null,
    need: row.need,
  };
}

function changeToJson(change: SummaryChange): Record<string, unknown> {
  return {
    patch: change.patch,
    file: change.file,
    function: change.function ?? null,
    line: change.line ?? null,
    effect: change.effect,
    kind: change.kind,
    role: change.role,
    path: change.path,
    before: change.before ?? null,
    after: change.after ?? null,
    predicted: predictedToJson(change.predicted),
  };
}

function predictedToJson(predicted: PredictedSaving | undefined): Record<string, unknown> | null {
  if (predicted === undefined) return null;
  return { savedUs: savedToJson(predicted.saved), bootPath: predicted.bootPath, bootPathBy: predicted.bootPathBy };
}

function savedToJson({ min, likely, max }: PredictedSaving['saved']): Record<string, number> {
  return { min: tenths(min), likely: tenths(likely), max: tenths(max) };
}

function tenths(value: Ns): number {
  return Math.round(toUs(value) * 10) / 10;
}

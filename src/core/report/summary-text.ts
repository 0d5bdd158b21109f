import { activityToText } from './activity-text.js';
import { bars } from './bars.js';
import { counted, entry, plainLine, reportWidth, wrapped } from './lines.js';
import { measuredWords, predictedWords } from './summary-evidence.js';
import {
  answerWords,
  changeWords,
  momentWords,
  nameOf,
  placeWords,
  predictionWords,
  silenceWords,
  stateWords,
} from './summary-words.js';
import { needs, type Summary, type SummarySeries } from './summary.js';
import { sayMeasured } from '../reply/index.js';

// A digest is read in a minute; the page and the JSON have all of them.
const shownChanges = 6;

/** The summary for pasting into a mail: 72 columns, plain text, what needs a maintainer first. */
export function summaryToText(summary: Summary): string {
  const { series, period } = summary;
  const scope = [summary.list, summary.subsystem].filter((name) => name !== undefined).join(', ');
  const lines = [
    `Waits in patches, ${momentWords(period.from)} to ${momentWords(period.until)} UTC`,
    ...(scope === '' ? [] : wrapped(plainLine(scope))),
    ...wrapped(countWords(summary)),
    ...totalLines(summary),
  ];
  let need: string | undefined;
  for (const [at, row] of series.entries()) {
    if (row.need !== need) lines.push('', heading(row));
    need = row.need;
    lines.push('', ...rowLines(row, at + 1));
  }
  if (summary.weeks.length > 1 && summary.weeks.some((week) => week.series > 0)) lines.push('', ...weekLines(summary));
  const silent = Object.entries(summary.silent);
  if (silent.length > 0) {
    lines.push('', 'Postings without a row, by the reason for silence:');
    for (const [reason, count] of silent)
      lines.push(...entry(`${String(count).padStart(5)}  `, silenceWords(reason), 0, 7));
  }
  if (summary.activity !== undefined) lines.push('', ...activityToText(summary.activity));
  return `${lines.join('\n')}\n`;
}

export function countWords({ mails, patches, postings, series }: Summary): string {
  const rows = series.length === 1 ? 'one has' : `${series.length} have`;
  return `${counted(mails, 'mail')}, ${counted(patches, 'patch', 'patches')}, ${counted(postings, 'posting')}; ${rows} something about waits.`;
}

function totalLines({ totals }: Summary): string[] {
  const parts: string[] = [];
  if (totals.predicted !== undefined)
    parts.push(
      `predicted ${predictedWords(totals.predicted)} over ${counted(totals.predicted.series, 'series', 'series')}`,
    );
  if (totals.measured !== undefined)
    parts.push(`measured ${sayMeasured(totals.measured.saved)} over ${totals.measured.series}`);
  if (parts.length === 0) return [];
  const note = (totals.predicted?.series ?? 0) > 1 ? ' Other machines each: nobody gains the sum.' : '';
  return ['', ...wrapped(`On the boot path: ${parts.join('; ')}.${note}`)];
}

function heading(row: SummarySeries): string {
  const words = needs[row.need].toUpperCase();
  return `== ${words} ${'='.repeat(Math.max(3, reportWidth - words.length - 4))}`;
}

function rowLines(row: SummarySeries, number: number): string[] {
  const version = row.version > 1 ? ` (v${row.version})` : '';
  const series =
    row.total > 1 ? `, ${counted(row.total, 'patch', 'patches')}${row.complete ? '' : ', not all seen'}` : '';
  const measured = measuredWords(row);
  return [
    ...entry(`${number}.`, `${row.title}${version}`, 0, Math.max(3, `${number}. `.length)),
    ...entry('', `${nameOf(row.author)}, ${row.date.slice(0, 10)}${series}`, 3, 0),
    ...changeLines(row),
    ...entry('predicted', predictionWords(row.predicted)),
    ...(measured === undefined ? [] : entry('measured', measured)),
    ...entry('evidence', row.evidence.words),
    ...row.risks.slice(0, 3).flatMap((risk) => entry('risk', `${risk.text} [${risk.rule}]`)),
    ...row.questions.slice(0, 3).flatMap((question) => entry('open', question)),
    ...entry('state', stateWords(row.state)),
    ...(row.supersededBy === undefined ? [] : entry('newer', row.supersededBy)),
    ...entry('answered', answerWords(row)),
    ...maintainerLines(row),
    ...entry('', row.id, 3, 0),
  ];
}

function changeLines({ changes }: SummarySeries): string[] {
  const lines: string[] = [];
  let place = '';
  for (const change of changes.slice(0, shownChanges)) {
    const here = placeWords(change);
    if (here !== place) lines.push(...entry('', here, 3, 0));
    place = here;
    lines.push(...entry('', changeWords(change), 5, 0));
  }
  const more = changes.length - shownChanges;
  return more > 0 ? [...lines, ...entry('', `and ${counted(more, 'more change')}`, 5, 0)] : lines;
}

function maintainerLines({ subsystems, maintainers }: SummarySeries): string[] {
  return [
    ...(subsystems.length === 0 ? [] : entry('subsystem', subsystems.slice(0, 4).join(', '))),
    ...(maintainers.length === 0 ? [] : entry('for', maintainers.slice(0, 6).map(nameOf).join(', '))),
  ];
}

function weekLines({ weeks }: Summary): string[] {
  const plot = bars(
    weeks.map(({ monday, series, saved }) => ({
      name: monday,
      value: Math.max(0, saved.likely),
      words: series === 0 ? '' : `${predictedWords({ saved })} (${series})`,
    })),
    reportWidth,
  );
  return ['Predicted saving on the boot path, by week (series):', ...plot];
}

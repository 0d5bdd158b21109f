import { sayMeasured } from '../reply/index.js';
import { activityColumns } from './activity-text.js';
import { curvePicture } from './curve-picture.js';
import { counted } from './lines.js';
import { markup, type Markup } from './markup.js';
import { factRow, page, table } from './page.js';
import { runsPicture } from './runs-picture.js';
import { measuredWords, predictedWords } from './summary-evidence.js';
import { countWords } from './summary-text.js';
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
import { needs, type Activity, type Need, type Summary, type SummarySeries } from './summary.js';
import { weeksPicture } from './weeks-picture.js';

/** The summary as a page in one file. Mail readers drop pictures: `pictures: false` leaves them out. */
export function summaryToHtml(summary: Summary, { pictures = true }: { readonly pictures?: boolean } = {}): string {
  const { period, made } = summary;
  const scope = [summary.list, summary.subsystem].filter((name) => name !== undefined).join(', ');
  const body = markup`<p class="soft">${momentWords(period.from)} to ${momentWords(period.until)} UTC${scope === '' ? '' : `, ${scope}`}</p>
${factRow(factsOf(summary))}
<p>${countWords(summary)}</p>
${pictures ? weeksPicture(summary.weeks) : undefined}${groupsOf(summary, pictures)}
${silentTable(summary)}${summary.activity === undefined ? undefined : activityHtml(summary.activity)}`;
  return page('Waits in patches', body, {
    foot: markup`Predicted is by simulation, measured is from logs in the mails; neither is the other. Reveille ${made.program}, catalogue ${made.catalogue}, seed ${made.seed}.`,
  });
}

function factsOf({ series, totals }: Summary): [string, string][] {
  const open = series.filter((row) => ['risk-unanswered', 'unanswered', 'open-question'].includes(row.need)).length;
  return [
    ['series with changed waits', String(series.length)],
    ['of them open', String(open)],
    ...(totals.predicted === undefined
      ? []
      : ([[`predicted on the boot path (${totals.predicted.series})`, predictedWords(totals.predicted)]] as const).map(
          ([name, value]): [string, string] => [name, value],
        )),
    ...(totals.measured === undefined
      ? []
      : [[`measured to init (${totals.measured.series})`, sayMeasured(totals.measured.saved)] as [string, string]]),
  ];
}

function groupsOf({ series }: Summary, pictures: boolean): Markup[] {
  const found: Markup[] = [];
  let need: Need | undefined;
  for (const row of series) {
    if (row.need !== need) found.push(markup`<h2>${capital(needs[row.need])}</h2>\n`);
    need = row.need;
    found.push(card(row, pictures));
  }
  return found;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function card(row: SummarySeries, pictures: boolean): Markup {
  const version = row.version > 1 ? ` (v${row.version})` : '';
  const parts =
    row.total > 1 ? `, ${counted(row.total, 'patch', 'patches')}${row.complete ? '' : ', not all seen'}` : '';
  const measured = measuredWords(row);
  const rows: [string, string | Markup][] = [
    ['predicted', predictionWords(row.predicted)],
    ...(measured === undefined ? [] : [['measured', measured] as [string, string]]),
    ['evidence', row.evidence.words],
    ...row.risks.map((risk): [string, Markup] => [
      'risk',
      markup`<span class="bad">${risk.text}</span> <code>${risk.rule}</code>`,
    ]),
    ...row.questions.map((question): [string, string] => ['open', question]),
    ['state', stateWords(row.state)],
    ...(row.supersededBy === undefined ? [] : [['newer', row.supersededBy] as [string, string]]),
    ['answered', answerWords(row)],
    ...(row.subsystems.length === 0 ? [] : [['subsystem', row.subsystems.join(', ')] as [string, string]]),
    ...(row.maintainers.length === 0 ? [] : [['for', row.maintainers.map(nameOf).join(', ')] as [string, string]]),
  ];
  return markup`<section class="card">
<h3>${row.title}${version}</h3>
<p class="soft small">${nameOf(row.author)}, ${row.date.slice(0, 10)}${parts} <code>${row.id}</code></p>
${changesTable(row)}
${table(
  ['', ''],
  rows.map(([name, value]) => [markup`<span class="soft">${name}</span>`, value]),
  ['', 'words'],
  { head: false },
)}
${pictures ? picturesOf(row) : undefined}</section>
`;
}

function changesTable({ changes }: SummarySeries): Markup {
  return table(
    ['where', 'old to new', 'predicted'],
    changes.map((change) => [
      markup`<code>${placeWords(change)}</code>`,
      markup`<code>${changeWords(change)}</code>`,
      change.predicted === undefined ? '' : predictedWords(change.predicted),
    ]),
    ['words', 'words', ''],
  );
}

/** At most one of each kind a series: the change with most to say, the measurement that reaches farthest. */
function picturesOf(row: SummarySeries): Markup[] {
  const curve = row.changes.find((change) => change.curve.length > 1 && change.predicted?.bootPath !== 'off');
  const measured = row.measured.find((one) => one.before.length > 0 && one.after.length > 0);
  return [
    ...(measured === undefined
      ? []
      : [
          markup`<p class="small soft">Measured to "${measured.what}", from "${measured.anchor}", by ${measured.by}:</p>\n`,
          runsPicture(measured.before, measured.after),
        ]),
    ...(curve === undefined ? [] : [curvePicture(curve.curve)]),
  ];
}

function silentTable({ silent }: Summary): Markup | undefined {
  const rows = Object.entries(silent).map(([reason, count]) => [count, silenceWords(reason)]);
  if (rows.length === 0) return undefined;
  return markup`<h2>Postings without a row</h2>\n${table(['postings', 'why nothing is said'], rows, ['n', 'words'])}\n`;
}

/** What the bot did, as a part of a page. */
export function activityHtml({ rows, mutes, wrong }: Activity): Markup {
  const shown = activityColumns.filter(([key]) => rows.some((row) => row[key] > 0));
  return markup`<h2>What Reveille did</h2>
${rows.length === 0 ? markup`<p>Nothing.</p>` : undefined}${table(
    ['list', 'month', ...shown.map(([, head]) => head)],
    rows.map((row) => [row.list, row.month, ...shown.map(([key]) => row[key])]),
    ['words', '', ...shown.map(() => 'n' as const)],
  )}
${
  wrong.length === 0
    ? undefined
    : markup`<h3>Marked wrong</h3>\n${table(
        ['rule', 'by', 'on', 'list'],
        wrong.map((mark) => [mark.rule, mark.by, mark.at.slice(0, 10), mark.list]),
      )}`
}
${
  mutes.length === 0
    ? undefined
    : markup`<h3>Muted</h3>\n${table(
        ['what', 'by', 'on', 'why'],
        mutes.map((mute) => [`${mute.scope} ${mute.key}`, mute.by, mute.at.slice(0, 10), mute.why]),
        ['words', '', '', 'words'],
      )}`
}
`;
}

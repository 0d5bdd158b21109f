import { bars } from './bars.js';
import { counted, entry, plainLine, reportWidth, wrapped } from './lines.js';
import { monthCount, repliesPerMonth, type Dossier, type DossierReply } from './dossier.js';
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
import type { SummarySeries } from './summary.js';

/** The dossier for reading in a terminal or a mail: figures, rules, silences, then the samples whole. */
export function dossierToText(dossier: Dossier): string {
  const { first, last, samples, quiet } = dossier;
  const lines = [
    ...wrapped(plainLine(`What Reveille would have sent: ${dossier.archive}`)),
    first === undefined || last === undefined ? 'no mail' : `${momentWords(first)} to ${momentWords(last)} UTC`,
    ...wrapped(figureWords(dossier)),
    '',
    'Replies, by month:',
    ...bars(
      dossier.byMonth.map(({ month, replies }) => ({
        name: month,
        value: replies,
        words: replies === 0 ? '' : String(replies),
      })),
      reportWidth,
    ),
    '',
    'Said, by rule:',
    ...countLines(Object.entries(dossier.byRule), (rule) => rule),
    '',
    'Postings without an answer, by reason:',
    ...countLines(silentByWords(dossier), (words) => words),
  ];
  for (const [index, sample] of samples.entries()) lines.push('', ...sampleLines(sample, index + 1, samples.length));
  for (const [index, row] of quiet.entries()) lines.push('', ...quietLines(row, index + 1, quiet.length));
  return `${lines.join('\n')}\n`;
}

export function figureWords(dossier: Dossier): string {
  const { mails, patches, replies } = dossier;
  return `${counted(mails, 'mail')}, ${counted(patches, 'patch', 'patches')}, ${monthCount(dossier)} months: ${counted(replies, 'reply', 'replies')}, ${repliesPerMonth(dossier)} a month.`;
}

/** Postings without an answer by the words for it: reasons that a reader cannot tell apart are counted together. */
export function silentByWords({ silent }: Pick<Dossier, 'silent'>): [string, number][] {
  const counts = new Map<string, number>();
  for (const [reason, count] of Object.entries(silent)) {
    const words = reasonWords(reason);
    counts.set(words, (counts.get(words) ?? 0) + count);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** A reason as replay counts it, in words: content reasons stand behind `nothing-to-say: `. */
function reasonWords(reason: string): string {
  const [kind = '', detail] = reason.split(': ');
  return silenceWords(kind, detail);
}

function countLines(entries: readonly (readonly [string, number])[], words: (name: string) => string): string[] {
  if (entries.length === 0) return ['  none'];
  return entries.flatMap(([name, count]) => entry(`${String(count).padStart(6)}  `, words(name), 0, 8));
}

function rule(title: string): string {
  return `---- ${title} ${'-'.repeat(Math.max(3, reportWidth - title.length - 6))}`;
}

function sampleLines(sample: DossierReply, number: number, of: number): string[] {
  return [
    rule(`reply ${number} of ${of}, ${momentWords(sample.at)} UTC`),
    ...entry('to', sample.to.join(', '), 0, 9),
    ...entry('answers', sample.parent, 0, 9),
    ...entry('rules', sample.rules.join(', '), 0, 9),
    ...entry('subject', sample.subject, 0, 9),
    '',
    ...sample.body.trimEnd().split('\n').map(plainKeepingTabs),
    '',
    'mark:  [ ] right   [ ] wrong',
  ];
}

/** Quoted lines of a patch keep their tabs. */
function plainKeepingTabs(line: string): string {
  return line.split('\t').map(plainLine).join('\t').trimEnd();
}

function quietLines(row: SummarySeries, number: number, of: number): string[] {
  return [
    rule(`silence ${number} of ${of}, ${row.date.slice(0, 10)}`),
    ...wrapped(plainLine(`${row.title}${row.version > 1 ? ` (v${row.version})` : ''}`)),
    ...wrapped(plainLine(`${nameOf(row.author)}, ${row.id}`)),
    ...row.changes
      .slice(0, 4)
      .flatMap((change) => [...entry('', placeWords(change), 2, 0), ...entry('', changeWords(change), 4, 0)]),
    ...entry('predicted', predictionWords(row.predicted), 2),
    ...entry('why', stateWords(row.state), 2),
    ...entry('answered', answerWords(row), 2),
    'mark:  [ ] right   [ ] wrong',
  ];
}

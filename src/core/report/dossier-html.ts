import { counted } from './lines.js';
import { monthCount, repliesPerMonth, type Dossier, type DossierReply } from './dossier.js';
import { figureWords, silentByWords } from './dossier-text.js';
import { markup, type Markup } from './markup.js';
import { factRow, page, table } from './page.js';
import { monthsPicture } from './months-picture.js';
import { marksScript } from './marks-script.js';
import {
  answerWords,
  changeWords,
  momentWords,
  nameOf,
  placeWords,
  predictionWords,
  stateWords,
} from './summary-words.js';
import type { SummarySeries } from './summary.js';

/** The dossier as a page in one file, with a form that marks each sample and saves the marks; it works without a network. */
export function dossierToHtml(dossier: Dossier): string {
  const { first, last, samples, quiet, made } = dossier;
  const period =
    first === undefined || last === undefined ? 'no mail' : `${momentWords(first)} to ${momentWords(last)} UTC`;
  const body = markup`<p class="soft">${dossier.archive}, ${period}</p>
${factRow([
  ['replies', String(dossier.replies)],
  ['replies a month', String(repliesPerMonth(dossier))],
  ['mails', String(dossier.mails)],
  ['patches', String(dossier.patches)],
  ['months', String(monthCount(dossier))],
])}
<p>${figureWords(dossier)} Each reply would have gone out once, in the thread, as plain text. Nothing was sent: this was a run over the archive, in which a decision knew only what had come by then.</p>
${monthsPicture(dossier.byMonth)}<h2>What would have been said</h2>
${table(
  ['replies', 'rule'],
  Object.entries(dossier.byRule).map(([rule, count]) => [count, markup`<code>${rule}</code>`]),
  ['n', 'words'],
)}
<h2>What stayed silent, and why</h2>
${table(
  ['postings', 'reason'],
  silentByWords(dossier).map(([words, count]) => [count, words]),
  ['n', 'words'],
)}
<form id="marks" data-archive="${dossier.archive}" data-program="${made.program}" data-catalogue="${made.catalogue}" data-seed="${made.seed}">
<h2>${counted(samples.length, 'reply', 'replies')} in full</h2>
${samples.length === 0 ? markup`<p>None would have been sent.</p>\n` : undefined}${samples.map((sample, index) => replyCard(sample, index + 1))}
<h2>${counted(quiet.length, 'changed wait')} that would have got no answer</h2>
${quiet.length === 0 ? markup`<p>None.</p>\n` : undefined}${quiet.map((row, index) => quietCard(row, index + 1))}
<h2>Your marks</h2>
<p><label>Your name, if you like: <input type="text" name="name" autocomplete="off"></label></p>
<p><button type="button" id="save">Save the marks as a file</button> <span id="count" class="soft">nothing is marked</span></p>
<p class="small soft">The file is JSON and stays on your machine: send it to whoever asked you. Nothing leaves this page by itself.</p>
<pre id="shown" hidden></pre>
</form>
<noscript><p class="warn">Marks are saved by a script; without it, answer by the numbers of the samples.</p></noscript>
`;
  return page('What Reveille would have sent', body, {
    script: marksScript,
    foot: markup`Predicted is by simulation, measured is from logs in the mails; neither is the other. Reveille ${made.program}, catalogue ${made.catalogue}, policy ${made.policy ?? 'none'}, seed ${made.seed}.`,
  });
}

function replyCard(sample: DossierReply, number: number): Markup {
  return markup`<section class="card">
<h3>${sample.subject}</h3>
<p class="soft small">reply ${number}, ${momentWords(sample.at)} UTC, to ${sample.to.join(', ')}, answers <code>${sample.parent}</code></p>
<p>${sample.rules.map((rule) => markup`<span class="tag">${rule}</span>`)}</p>
<pre>${sample.body.trimEnd()}</pre>
${marksOf('reply', number, sample.parent)}
</section>
`;
}

function quietCard(row: SummarySeries, number: number): Markup {
  return markup`<section class="card">
<h3>${row.title}${row.version > 1 ? ` (v${row.version})` : ''}</h3>
<p class="soft small">silence ${number}, ${nameOf(row.author)}, ${row.date.slice(0, 10)} <code>${row.id}</code></p>
${table(
  ['where', 'old to new'],
  row.changes
    .slice(0, 6)
    .map((change) => [markup`<code>${placeWords(change)}</code>`, markup`<code>${changeWords(change)}</code>`]),
  ['words', 'words'],
)}
<p>Predicted: ${predictionWords(row.predicted)}. ${stateWords(row.state)}; answered: ${answerWords(row)}.</p>
${marksOf('silence', number, row.id)}
</section>
`;
}

/** Two choices and a remark; what is marked is named by the message-id, so that marks of several readers can be put together. */
function marksOf(kind: 'reply' | 'silence', number: number, id: string): Markup {
  const name = `${kind}-${number}`;
  return markup`<fieldset data-kind="${kind}" data-id="${id}">
<legend class="soft">Was that right?</legend>
<label><input type="radio" name="${name}" value="right"> right</label>
<label><input type="radio" name="${name}" value="wrong"> wrong</label>
<p><input type="text" name="${name}-why" aria-label="why" placeholder="why, in a few words" autocomplete="off"></p>
</fieldset>`;
}

import type { Reply } from '../reply/index.js';
import type { Review } from '../review/index.js';
import { estimateParts } from './estimate-html.js';
import { markup, type Markup } from './markup.js';
import { page, table } from './page.js';
import { verdictLine } from './review-text.js';
import { runsPicture } from './runs-picture.js';
import { nameOf } from './summary-words.js';

export type ReviewWithReply = { readonly review: Review; readonly reply: Reply | undefined };

/** Reviews as a page in one file: what changed, what is predicted and measured, what would be written, one verdict each. */
export function reviewsToHtml(reviews: readonly ReviewWithReply[]): string {
  const worth = reviews.filter(({ review }) => review.decision.worth).length;
  const parts = reviews.map(reviewPart);
  return page(
    'Reviews',
    markup`<p>${reviews.length} ${reviews.length === 1 ? 'mail' : 'mails'}, ${worth} worth a reply.</p>\n${parts}`,
    { foot: markup`Predicted is by simulation, measured is from logs in the mails; neither is the other.` },
  );
}

function reviewPart({ review, reply }: ReviewWithReply): Markup {
  const { message } = review;
  const problems = [...message.problems, ...review.patches.flatMap((patch) => patch.problems)];
  return markup`<section class="card">
<h3>${message.subject === '' ? '(no subject)' : message.subject}</h3>
<p class="soft small">${nameOf(message.from)}, ${message.date?.slice(0, 10) ?? 'no date'}, ${review.source.path} ${message.id === undefined ? undefined : markup`<code>${message.id}</code>`}</p>
${problems.map((problem) => markup`<p class="warn">problem: ${problem.text}</p>\n`)}${changesTable(review)}
${review.evidence.measurements.map((m) => markup`<p class="small">Measured to "${m.what}", from "${m.anchor}": ${m.verdict}</p>\n${runsPicture(m.before, m.after)}`)}
${review.estimates.map((estimate) => markup`<h3>Predicted for <code>${review.changes[estimate.change]?.before?.text ?? 'no wait'} -&gt; ${review.changes[estimate.change]?.after?.text ?? 'no wait'}</code></h3>\n${estimateParts(estimate)}`)}
${findingsTable(review)}
${reply === undefined ? undefined : markup`<p>Would write to ${[...reply.to, ...reply.cc].map((person) => person.address).join(', ')}:</p>\n<pre>${reply.body}</pre>\n`}
<p><strong>${verdictLine(review, reply).trim()}</strong></p>
</section>
`;
}

function changesTable(review: Review): Markup {
  return table(
    ['where', 'old to new', 'kind', 'role', 'path'],
    review.changes.map((change) => [
      markup`<code>${change.file}:${change.newLine ?? change.oldLine}${change.function === undefined ? undefined : ` ${change.function}()`}</code>`,
      markup`<code>${change.before?.text ?? 'no wait'} -&gt; ${change.after?.text ?? 'no wait'}</code>`,
      change.kind,
      change.role.is,
      change.path.is,
    ]),
    ['words', 'words', '', '', ''],
  );
}

function findingsTable(review: Review): Markup {
  return table(
    ['level', 'rule', 'what', 'instead', ''],
    review.findings.map((finding) => [
      finding.nit ? 'nit' : finding.level,
      markup`<code>${finding.rule}</code>`,
      finding.text,
      finding.instead,
      finding.heldBy === undefined ? 'said' : `held: ${finding.heldBy}`,
    ]),
    ['', '', 'words', 'words', ''],
  );
}

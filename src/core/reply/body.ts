import type { Review } from '../review/index.js';
import { attribution } from './attribution.js';
import { estimateLines } from './estimate-words.js';
import { measurementWords } from './measurement-words.js';
import { siblingWords } from './sibling-words.js';
import { pickTopics, type Topic } from './topic.js';
import { wrap } from './wrap.js';

/** The text of one reply: quoted lines with what is to be said about each under them, then findings, nits, signature. */
export function composeBody(review: Review, operator: string): string {
  return textOf(attribution(review.message), blocksOf(review), operator);
}

/** The text of one reply about several patches of a series: each under its name, since their lines are not in the mail answered. */
export function composeSeriesBody(reviews: readonly Review[], operator: string): string {
  const blocks = reviews.flatMap((review) => [wrap(`${patchName(review)}:`), ...blocksOf(review)]);
  return textOf([], blocks, operator);
}

function textOf(head: readonly string[], blocks: readonly (readonly string[])[], operator: string): string {
  const text = blocks.map((block) => block.join('\n')).join('\n\n');
  return `${head.map((line) => `${line}\n`).join('')}${text}\n\n${signature(operator)}`;
}

/** `Patch 2/5, "wake: poll more often"`, or its subject where it has no number. */
function patchName({ patches, message }: Review): string {
  const patch = patches[0];
  const title = (patch?.title ?? message.subject).replace(/\s+/g, ' ').slice(0, 150);
  const place =
    patch?.index === undefined ? '' : ` ${patch.index}${patch.total === undefined ? '' : `/${patch.total}`}`;
  return `Patch${place}, "${title}"`;
}

function blocksOf(review: Review): string[][] {
  const blocks: string[][] = [];
  const topics = pickTopics(review);
  const measured = measurementWords(review.evidence.measurements);
  for (const [index, topic] of topics.entries())
    blocks.push(...topicBlocks(topic, review, index === 0 ? measured : ''));
  const left = review.findings.filter((f) => f.state === 'sent' && !topics.some((t) => t.findings.includes(f)));
  for (const finding of left.filter((f) => !f.nit)) blocks.push(wrap(`${finding.text} ${finding.instead}`));
  const nits = left.filter((f) => f.nit);
  if (nits.length > 0) blocks.push(nits.flatMap((f) => wrap(`Nit: ${f.text} (${f.rule})`)));
  return blocks;
}

/** A topic: its quoted lines, then each remark as a paragraph of its own. */
function topicBlocks(topic: Topic, review: Review, measured: string): string[][] {
  const blocks: string[][] = [];
  if (topic.quote.length > 0) blocks.push(topic.quote.map((line) => `> ${line}`));
  if (topic.estimate !== undefined) blocks.push(...estimateLines(topic.estimate, topic, review, measured));
  else if (measured !== '') blocks.push(wrap(measured));
  const siblings = siblingWords(topic.changes);
  if (siblings !== '') blocks.push(wrap(siblings));
  for (const finding of topic.findings) blocks.push(wrap(`${finding.text} ${finding.instead}`));
  return blocks;
}

/** RFC 3676 section 4.3: two dashes and a blank, which mail programs cut off when they quote. */
function signature(operator: string): string {
  return [
    '-- ',
    'Reveille, a bot, can be wrong. No need to answer or resend.',
    `Reply "reveille: wrong" or "reveille: stop". Human: ${operator}`,
    '',
  ].join('\n');
}

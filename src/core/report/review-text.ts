import type { DelayChange, Sibling, Wait } from '../delay/index.js';
import type { JudgedFinding, Review } from '../review/index.js';
import type { Reply } from '../reply/index.js';
import type { CheckpatchSaid } from './checkpatch-said.js';

/** How the terminal wants its words: identity functions where there is no colour. */
export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
};

export const plainPaint: Paint = { bold: same, dim: same, good: same, warn: same };

function same(text: string): string {
  return text;
}

export type TextOptions = { readonly paint?: Paint; readonly checkpatch?: CheckpatchSaid };

/** One mail's review for a person at a terminal: what changed, what would be sent, its nits, and one verdict line last. */
export function reviewToText(review: Review, reply: Reply | undefined, options: TextOptions = {}): string {
  const { paint = plainPaint, checkpatch } = options;
  const lines: string[] = [];
  const { message } = review;
  lines.push(paint.bold(clean(message.subject) || '(no subject)'));
  const from = message.from === undefined ? '(no author)' : `${message.from.name} <${message.from.address}>`.trim();
  lines.push(paint.dim(`  ${clean(from)}, ${message.date?.slice(0, 10) ?? 'no date'}, ${clean(review.source.path)}`));
  for (const problem of [...message.problems, ...review.patches.flatMap((p) => p.problems)]) {
    lines.push(paint.warn(`  problem: ${clean(problem.text)}${at(problem.mailLine)}`));
  }
  for (const change of review.changes) lines.push(...changeLines(change, paint));
  if (reply !== undefined) {
    lines.push('', `  would write to ${addresses(reply)}:`);
    lines.push(
      ...reply.body
        .trimEnd()
        .split('\n')
        .map((line) => `  | ${clean(line)}`.trimEnd()),
      '',
    );
  }
  for (const finding of review.findings) {
    if (reply === undefined || finding.state === 'held') lines.push(...findingLines(finding, paint));
  }
  if (checkpatch !== undefined) lines.push(...checkpatchLines(checkpatch, paint));
  lines.push(verdictLine(review, reply, paint));
  return `${lines.join('\n')}\n`;
}

function addresses(reply: Reply): string {
  return clean([...reply.to, ...reply.cc].map((a) => a.address).join(', '));
}

function changeLines(change: DelayChange, paint: Paint): string[] {
  const line = change.newLine ?? change.oldLine;
  const place = `${change.file}${line === undefined ? '' : `:${line}`}`;
  const what = [change.kind, change.role.is === 'unknown' ? '' : change.role.is, onPath(change)].filter(
    (w) => w !== '',
  );
  return [
    `  ${clean(place)}${change.function === undefined ? '' : ` ${clean(change.function)}()`}`,
    `    ${side(change.before, 'no wait')} -> ${side(change.after, 'no wait')}  ${paint.dim(`(${what.join(', ')})`)}`,
    ...change.siblings.map((s) => paint.dim(`    polls alike: ${sibling(s)}`)),
  ];
}

function sibling(s: Sibling): string {
  const place = `${s.file}${s.line === undefined ? '' : `:${s.line}`}`;
  return clean(`${place}${s.function === undefined ? '' : ` ${s.function}()`} ${s.text}`);
}

function onPath(change: DelayChange): string {
  return change.path.is === 'unknown' ? 'path unknown' : change.path.is;
}

function side(wait: Wait | undefined, none: string): string {
  return wait === undefined ? none : clean(wait.text);
}

function findingLines(finding: JudgedFinding, paint: Paint): string[] {
  const kind = finding.nit ? 'nit' : finding.level;
  const held = finding.heldBy === undefined ? '' : paint.dim(` (held: ${finding.heldBy})`);
  return [`  ${paint.warn(kind)} ${finding.rule}: ${clean(finding.text)}${at(finding.mailLine)}${held}`];
}

function checkpatchLines(said: CheckpatchSaid, paint: Paint): string[] {
  if (!said.ok) return [paint.warn(`  checkpatch.pl did not run: ${clean(said.reason.text)}`)];
  if (said.messages.length === 0) return [paint.dim('  checkpatch.pl: no message')];
  return said.messages.map(
    ({ level, type, text, mailLine }) =>
      `  ${paint.warn(`checkpatch.pl ${level}`)} ${type}: ${clean(text)}${at(mailLine)}`,
  );
}

function at(mailLine: number | undefined): string {
  return mailLine === undefined ? '' : `, line ${mailLine} of the mail`;
}

/** The one line that ends each mail. */
export function verdictLine(review: Review, reply: Reply | undefined, paint: Paint = plainPaint): string {
  const { worth, reasons, delivery } = review.decision;
  const why = reasons.join(', ');
  if (!worth) return `  verdict: ${paint.dim('silent')} (${why})`;
  const sent = delivery.allowed ? `goes out by ${delivery.channel}` : `nothing is sent: ${delivery.why}`;
  const place = reply === undefined ? '; no reply can be made' : '';
  return `  verdict: ${paint.good('worth a reply')} (${why}); ${sent}${place}`;
}

/** Strangers' text on a terminal: control characters (escape sequences) shown, not obeyed. */
function clean(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u00b7');
}

import type { JudgedFinding, Review } from '../review/index.js';
import { plainLine } from './lines.js';
import { changeWords, placeWords } from './summary-words.js';
import { changesOf } from './summarise.js';
import { predictedWords } from './summary-evidence.js';

/** One result of b4's check protocol (`b4.review-perpatch-check-cmd`, b4 0.15, docs/maintainer/review.rst). */
export type B4Result = {
  readonly tool: 'reveille';
  readonly status: 'pass' | 'warn' | 'fail';
  readonly summary: string;
  readonly details: string;
};

/** A patch as b4's review table shows it: `fail` where something is wrong with the waits, `warn` where there is something to say. */
export function reviewToB4(review: Review): B4Result {
  const found = review.findings.filter(isShown);
  const { worth, reasons } = review.decision;
  const grave = worth && reasons.some((reason) => reason !== 'boot-path-change');
  const status =
    grave || found.some((one) => one.level === 'error') ? 'fail' : worth || found.length > 0 ? 'warn' : 'pass';
  const details = [
    ...changesOf(review).map((change) => {
      const predicted = change.predicted === undefined ? '' : `, predicted: ${predictedWords(change.predicted)}`;
      return `${placeWords(change)}: ${changeWords(change)}${predicted}`;
    }),
    ...found.map((one) => `${one.nit ? 'nit' : one.level} ${one.rule}: ${one.text}`),
  ];
  const count = review.changes.length;
  const waits = count === 0 ? 'changes no wait' : count === 1 ? 'changes one wait' : `changes ${count} waits`;
  const remarks = found.length === 0 ? '' : `; ${found.length === 1 ? 'one remark' : `${found.length} remarks`}`;
  return {
    tool: 'reveille',
    status,
    summary: `${waits}${worth ? `, worth a word (${reasons.join(', ')})` : ''}${remarks}`,
    details: details.map(plainLine).join('\n'),
  };
}

/** One line a remark, as compilers and `checkpatch --terse` write them; `b4 prep --check` reads them too. */
export function reviewToTerse(review: Review): string {
  const path = plainLine(review.source.path);
  const lines = review.findings.filter(isShown).map((one) => {
    const word = one.level === 'error' ? 'ERROR' : one.nit || one.level === 'note' ? 'CHECK' : 'WARNING';
    return `${path}:${one.mailLine ?? 1}: ${word}:${one.rule}: ${plainLine(one.text)}`;
  });
  const { worth, reasons } = review.decision;
  const about = review.changes[0]?.mailLine ?? 1;
  if (worth && reasons.includes('boot-path-change'))
    lines.push(
      `${path}:${about}: WARNING:boot-path-change: changes a wait that a boot may stand still for; see reveille review`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

function isShown(finding: JudgedFinding): boolean {
  return finding.heldBy !== 'off' && finding.confidence !== 'low';
}

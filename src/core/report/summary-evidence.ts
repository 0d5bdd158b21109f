import type { Ns } from '../kernel/index.js';
import { sayMeasured, sayPredicted } from '../reply/index.js';
import type { Review } from '../review/index.js';
import type { SummaryPosting } from './summarise.js';
import type { EvidenceGrade, PredictedSaving, SummaryMeasurement, SummarySeries } from './summary.js';

/** Measurements of the posting's own mails and of the answers, each once; those of the boot's end first. */
export function measuredOf(posting: SummaryPosting): SummaryMeasurement[] {
  const seen = new Set<string>();
  const found: SummaryMeasurement[] = [];
  for (const review of [...posting.reviews, ...posting.answersWithEvidence]) {
    for (const m of review.evidence.measurements) {
      const print = JSON.stringify([m.what, m.anchor, m.before, m.after]);
      if (seen.has(print)) continue;
      seen.add(print);
      const { what, anchor, before, after, saved, verdict, reached } = m;
      const writer = review.message.from?.address.toLowerCase();
      const by = review.message.from?.name.trim() || (writer ?? 'somebody');
      const byAuthor = m.byAuthor ?? writer === posting.author?.address.toLowerCase();
      found.push({
        what,
        anchor,
        before,
        after,
        ...(saved === undefined ? {} : { saved }),
        verdict,
        reached,
        byAuthor,
        by,
      });
    }
  }
  return found.sort((a, b) => rank(a) - rank(b) || Math.abs(b.saved ?? 0) - Math.abs(a.saved ?? 0));
}

function rank({ what }: SummaryMeasurement): number {
  return /Run \S+ as init process|VFS: Mounted root/.test(what) ? 0 : 1;
}

/** How good the evidence in the thread is, and in words. */
export function evidenceOf(
  posting: SummaryPosting,
  measured: readonly SummaryMeasurement[],
): { readonly grade: EvidenceGrade; readonly words: string } {
  const met = measured.filter(({ reached }) => reached !== 'no');
  const runs = Math.max(0, ...met.map(({ before, after }) => Math.min(before.length, after.length)));
  if (runs >= 4) return { grade: 'runs', words: `${runs} runs a side` };
  if (runs >= 2) return { grade: 'one-boot', words: `${runs} runs a side: too few for a verdict` };
  if (runs === 1) return { grade: 'one-boot', words: 'logs of one boot a side' };
  if (measured.length > 0) return { grade: 'none', words: 'runs that cannot have met the changed wait' };
  const all = [...posting.reviews, ...posting.answersWithEvidence];
  const logs = all.flatMap((review) => review.evidence.logs);
  const [log] = logs;
  if (log !== undefined)
    return { grade: 'one-side', words: `a log of one side${log.label === 'unknown' ? '' : ` (${log.label})`}` };
  if (all.some((review) => review.evidence.claims.some((claim) => claim.kind !== 'not-a-claim')))
    return { grade: 'claim', words: 'a claim without a log' };
  return { grade: 'none', words: 'none' };
}

/** Findings that are more than form, as sure as a reply would need them. */
export function risksOf(review: Review): { rule: string; text: string }[] {
  return review.findings
    .filter(
      (finding) => !finding.nit && finding.level !== 'note' && finding.confidence !== 'low' && finding.heldBy !== 'off',
    )
    .map(({ rule, text }) => ({ rule, text }));
}

/** What a maintainer might still want to know, each as one sentence. */
export function questionsOf(
  posting: SummaryPosting,
  known: { readonly predicted: PredictedSaving | undefined; readonly measured: readonly SummaryMeasurement[] },
): string[] {
  const questions: string[] = [];
  for (const review of [...posting.reviews, ...posting.answersWithEvidence]) {
    for (const claim of review.evidence.claims) {
      for (const check of claim.checks) {
        if (check.holds === 'no') questions.push(`"${claim.text}": ${check.why}`);
      }
    }
  }
  const missed = known.measured.filter(({ reached }) => reached === 'no');
  for (const by of new Set(missed.map((one) => one.by))) {
    questions.push(`Did the runs of ${by} meet the changed wait at all? They are too short for it.`);
  }
  const { predicted, measured } = known;
  if (predicted !== undefined && measured.length === 0 && matters(predicted)) {
    questions.push(
      predicted.bootPath === 'on'
        ? 'Has anybody measured it?'
        : `Does a boot wait for it? ${predicted.bootPath === 'unknown' ? 'Nothing in the thread tells.' : ''}`.trim(),
    );
  }
  const unread = posting.reviews.flatMap((review) =>
    review.changes.flatMap((change) => [change.before, change.after].flatMap((wait) => wait?.unknown ?? [])),
  );
  if (unread.length > 0)
    questions.push(`What is ${[...new Set(unread)].slice(0, 3).join(', ')}? The patch does not say.`);
  return [...new Set(questions)];
}

const worthAQuestion: Ns = 10e6;

function matters({ saved, bootPath }: PredictedSaving): boolean {
  return bootPath !== 'off' && Math.max(Math.abs(saved.min), Math.abs(saved.max)) >= worthAQuestion;
}

/** A prediction with its range: `208-212 ms`; a loss is called one. */
export function predictedWords({ saved }: Pick<PredictedSaving, 'saved'>): string {
  if (saved.min === 0 && saved.max === 0) return 'nothing';
  if (saved.max <= 0) return `costs ${sayPredicted({ min: -saved.max, max: -saved.min })}`;
  return sayPredicted({ min: saved.min, max: saved.max });
}

/** The first measured saving of a row in words; undefined where nothing was measured that met the wait. */
export function measuredWords(row: Pick<SummarySeries, 'measured'>): string | undefined {
  const best = row.measured.find((one) => one.saved !== undefined && one.reached !== 'no');
  if (best?.saved === undefined) return undefined;
  const runs = Math.min(best.before.length, best.after.length);
  return `${sayMeasured(best.saved)} to "${short(best.what)}" (${runs === 1 ? 'one boot' : `${runs} runs`} a side)`;
}

function short(text: string): string {
  return text.length > 44 ? `${text.slice(0, 43)}…` : text;
}

import { resolveChanges, type DelayChange, type TreeAnswer } from '../delay/index.js';
import { estimateChanges, type Profile } from '../estimate/index.js';
import { relateEvidence, type ThreadMail } from '../evidence/index.js';
import type { Series } from '../patch/index.js';
import { checkRules, pickNits, rules, type Finding } from '../rules/index.js';
import { placeByLog } from './place.js';
import type { Reading, Source } from './reading.js';
import { isSettled } from './settled.js';
import { limitSubject } from './subject-limit.js';
import type { Decision, Delivery, JudgedFinding, Made, Review } from './verdict.js';
import { defaultThresholds, judgeWorth, type Thresholds } from './worth.js';

/** A mail in its thread: what had arrived by then, oldest first, and the series it belongs to. */
export type Thread = {
  readonly about: Reading;
  readonly source: Source;
  readonly earlier: readonly Reading[];
  /** Patches of the same posting that come after this one, where they are there: what they settle is no nit. */
  readonly later?: readonly Reading[];
  readonly series?: Series;
  /** A cover letter of the posting has come; absent: what `series` says. */
  readonly hasCover?: boolean;
  /** What a kernel tree says about each change of the mail. */
  readonly tree?: readonly (TreeAnswer | undefined)[];
  /** For each patch of the mail, summaries of the last commits to its files, newest first. */
  readonly history?: readonly (readonly string[] | undefined)[];
};

/** What a review may know beside the mail: plain, frozen, and named in `made`. */
export type Knowledge = {
  readonly made: Omit<Made, 'seed'>;
  readonly profiles: readonly Profile[];
  readonly hz?: number;
  readonly kernel?: string;
  /** Fingerprints that earlier replies already said. */
  readonly said: ReadonlySet<string>;
  /** Rules switched off, and those switched on beside the defaults. */
  readonly rulesOff: ReadonlySet<string>;
  readonly rulesOn: ReadonlySet<string>;
  readonly nitLimit: number;
  /** Most characters of a summary on the list that is answered; absent: the kernel's own 75. */
  readonly subjectLimit?: number;
  readonly thresholds: Thresholds;
  /** Show every finding, held back by nothing. */
  readonly allFindings: boolean;
  readonly delivery: Delivery;
};

/** Knowledge of a user without policy, tree or history. */
export function plainKnowledge(made: Omit<Made, 'seed'>, profiles: readonly Profile[]): Knowledge {
  return {
    made,
    profiles,
    said: new Set(),
    rulesOff: new Set(),
    rulesOn: new Set(),
    nitLimit: 3,
    thresholds: defaultThresholds,
    allFindings: false,
    delivery: { channel: 'none', allowed: false, why: 'no policy' },
  };
}

/** Reviews one mail in its thread. Same thread, same knowledge, same seed: the same Review. */
export function review(thread: Thread, knowledge: Knowledge, seed: number): Review {
  const { about } = thread;
  const read = resolveChanges(about.changes, thread.tree ?? []);
  const evidence = relateEvidence(evidenceMails(thread), read.length > 0 ? read : ancestorChanges(thread));
  const changes = placeByLog(read, evidence);
  const estimates = estimateChanges(changes, evidence, {
    hz: knowledge.hz,
    kernel: knowledge.kernel,
    profiles: knowledge.profiles,
    seed,
    streamName: about.message.id ?? about.message.subject,
    date: about.message.date,
  });
  const found = knowledge.subjectLimit === undefined ? about.findings : limitSubject(about, knowledge.subjectLimit);
  const hasCover = thread.hasCover ?? thread.series?.cover !== undefined;
  const all = [...found, ...historyFindings(thread)].filter((f) => !hasCover || f.rule !== 'missing-cover-letter');
  const findings = all.filter((f) => knowledge.allFindings || isOn(f, knowledge));
  const later = thread.later ?? [];
  const sendable = findings.filter(
    (f) => f.confidence !== 'low' && isOn(f, knowledge) && !knowledge.said.has(f.fingerprint) && !isSettled(f, later),
  );
  const content = { kind: about.kind, patches: about.patches, changes, estimates, evidence, findings: sendable };
  const { worth, reasons } = judgeWorth(content, knowledge.thresholds);
  const decision: Decision = { worth, reasons, delivery: knowledge.delivery };
  return {
    made: { ...knowledge.made, seed },
    message: about.message,
    source: thread.source,
    kind: about.kind,
    kindReason: about.kindReason,
    patches: about.patches,
    series: thread.series,
    changes,
    estimates,
    evidence,
    findings: judgeFindings(findings, sendable, worth, knowledge).map((f) =>
      isSettled(f, later) ? { ...f, state: 'held', heldBy: 'settled by a later patch' } : f,
    ),
    decision,
  };
}

/** What a tree's history says about the patches: it is asked after the mail was read. */
function historyFindings({ about, history = [] }: Thread): Finding[] {
  const evidence = { logs: [], claims: [], measurements: [] };
  return about.patches.flatMap((patch, patchIndex) =>
    history[patchIndex] === undefined
      ? []
      : checkRules(
          { message: about.message, patch, patchIndex, changes: [], evidence, history: history[patchIndex] },
          { only: ['subject-prefix'] },
        ),
  );
}

const defaultRules = new Set(rules.filter((rule) => rule.default).map((rule) => rule.id));

function isOn(finding: Finding, knowledge: Knowledge): boolean {
  if (knowledge.rulesOff.has(finding.rule)) return false;
  return knowledge.rulesOn.has(finding.rule) || defaultRules.has(finding.rule);
}

function judgeFindings(
  findings: readonly Finding[],
  sendable: readonly Finding[],
  worth: boolean,
  knowledge: Knowledge,
): JudgedFinding[] {
  const nits = new Set(
    pickNits(sendable, knowledge.nitLimit, { on: [...knowledge.rulesOn], off: [...knowledge.rulesOff] }),
  );
  return findings.map((finding) => {
    const heldBy = heldReason(finding, nits, worth, knowledge);
    return heldBy === undefined ? { ...finding, state: 'sent' } : { ...finding, state: 'held', heldBy };
  });
}

function heldReason(
  finding: Finding,
  nits: ReadonlySet<Finding>,
  worth: boolean,
  knowledge: Knowledge,
): string | undefined {
  if (!isOn(finding, knowledge)) return 'off';
  if (knowledge.said.has(finding.fingerprint)) return 'said before';
  if (finding.confidence === 'low') return 'low confidence';
  if (!worth) return finding.nit ? 'a nit causes no mail' : 'not worth a mail';
  if (finding.nit && !nits.has(finding)) return 'more than the limit';
  return undefined;
}

/** The mail itself, and what its thread had shown before it. Boots with an earlier version that changed other waits are not this one's. */
function evidenceMails(thread: Thread): ThreadMail[] {
  const { about } = thread;
  const author = about.message.from?.address;
  const asked = valuesOf(about.changes);
  let spoken = '';
  const mails: ThreadMail[] = [];
  for (const r of [...thread.earlier, about]) {
    if (r.changes.length > 0) spoken = valuesOf(r.changes);
    if (r !== about && r.logs.length === 0 && r.claims.length === 0) continue;
    const other = about.changes.length > 0 && spoken !== '' && spoken !== asked;
    mails.push({
      id: r.message.id ?? '',
      logs: other ? r.logs.filter((log) => log.label !== 'after') : r.logs,
      claims: r.claims,
      byAuthor: r.message.from?.address === author,
      from: r.message.from?.address,
    });
  }
  return mails;
}

function valuesOf(changes: readonly DelayChange[]): string {
  const texts = changes.map((c) => [c.file, c.before?.text, c.after?.text].join(' '));
  return texts.sort().join('\n');
}

/** For a reply: the changes it talks about, so that a measurement in it can be held against them. */
function ancestorChanges(thread: Thread): readonly DelayChange[] {
  return thread.earlier.findLast((r) => r.changes.length > 0)?.changes ?? [];
}

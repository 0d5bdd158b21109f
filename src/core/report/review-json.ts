import type { DelayChange, Wait } from '../delay/index.js';
import { estimateToJson } from '../estimate/index.js';
import type { BootLog, Claim } from '../evidence/index.js';
import { toUs, type Ns, type Span } from '../kernel/index.js';
import type { Message } from '../mail/index.js';
import type { Patch, Series } from '../patch/index.js';
import type { Reply } from '../reply/index.js';
import type { JudgedFinding, Review } from '../review/index.js';
import { checkpatchToJson, type CheckpatchSaid } from './checkpatch-said.js';
import { measurementToJson } from './measurement-json.js';

/** The contract `reveille.review.v1` (config/schema): microseconds, `null` for absent. Within v1 fields may be added. */
export function reviewToJson(
  review: Review,
  reply: Reply | undefined,
  checkpatch?: CheckpatchSaid,
): Record<string, unknown> {
  const { made } = review;
  return {
    schema: 'reveille.review.v1',
    made: { ...made, policy: made.policy ?? null, tree: made.tree ?? null },
    message: messageToJson(review),
    patches: review.patches.map(patchToJson),
    series: review.series === undefined ? null : seriesToJson(review.series, review.message.id),
    changes: review.changes.map(changeToJson),
    estimates: review.estimates.map(estimateToJson),
    evidence: {
      logs: review.evidence.logs.map(logToJson),
      claims: review.evidence.claims.map(claimToJson),
      measurements: review.evidence.measurements.map((m) => ({
        ...measurementToJson(m),
        reachedBy: m.reachedBy ?? null,
        stats: m.stats,
      })),
    },
    findings: review.findings.map(findingToJson),
    checkpatch: checkpatchToJson(checkpatch),
    decision: review.decision,
    reply: reply ?? null,
  };
}

function messageToJson(review: Review): Record<string, unknown> {
  const message: Message = review.message;
  const { path, offset, commit } = review.source;
  return {
    id: message.id ?? null,
    from: message.from ?? null,
    date: message.date ?? null,
    subject: message.subject,
    lists: message.lists,
    kind: review.kind,
    kindReason: review.kindReason,
    source: { path, offset: offset ?? null, commit: commit ?? null },
    problems: message.problems.map((p) => ({ kind: p.kind, mailLine: p.mailLine ?? null, text: p.text })),
  };
}

function patchToJson(patch: Patch): Record<string, unknown> {
  return {
    title: patch.title,
    prefix: patch.prefix,
    tags: patch.tags,
    version: patch.version,
    index: patch.index ?? null,
    total: patch.total ?? null,
    author: patch.author ?? null,
    files: patch.files.map((f) => ({
      path: f.path,
      oldPath: f.oldPath ?? null,
      status: f.status,
      binary: f.binary,
      added: f.added,
      removed: f.removed,
    })),
    problems: patch.problems.map((p) => ({ kind: p.kind, mailLine: p.mailLine ?? null, text: p.text })),
  };
}

function seriesToJson(series: Series, id: string | undefined): Record<string, unknown> {
  const resent = series.resent ?? [];
  return {
    id: series.id,
    title: series.title,
    version: series.version,
    total: series.total,
    seen: series.seen,
    complete: series.complete,
    replaces: series.replaces ?? null,
    supersededBy: series.supersededBy ?? resent.find((one) => one.id === id)?.by ?? null,
    partial: series.partial ?? false,
    partlySupersededBy: resent.at(-1)?.by ?? null,
  };
}

function changeToJson(change: DelayChange): Record<string, unknown> {
  return {
    patch: change.patch,
    effect: change.effect,
    kind: change.kind,
    file: change.file,
    function: change.function ?? null,
    oldLine: change.oldLine ?? null,
    newLine: change.newLine ?? null,
    mailLine: change.mailLine ?? null,
    before: waitToJson(change.before),
    after: waitToJson(change.after),
    via: change.via ?? null,
    uses: change.uses.map((u) => ({ ...u, function: u.function ?? null, line: u.line ?? null })),
    role: change.role,
    path: change.path,
    inLoop: change.inLoop ?? null,
    bound: change.bound,
    rounds: { before: change.rounds.before ?? null, after: change.rounds.after ?? null },
    budgetUs: { before: spanToJson(change.budget.before), after: spanToJson(change.budget.after) },
    siblings: change.siblings.map((s) => ({ ...s, function: s.function ?? null, line: s.line ?? null })),
  };
}

function waitToJson(wait: Wait | undefined): Record<string, unknown> | null {
  if (wait === undefined) return null;
  return {
    text: wait.text,
    api: wait.api ?? null,
    minUs: wait.span === undefined ? null : toUs(wait.span.min),
    maxUs: wait.span === undefined ? null : toUs(wait.span.max),
    count: wait.count ?? null,
    resolved: wait.resolved,
  };
}

/** A budget is one number in the contract: the upper end, what a caller may have to wait for. */
function spanToJson(span: Span | undefined): number | null {
  return span === undefined ? null : toUs(span.max);
}

function usOrNull(value: Ns | undefined): number | null {
  return value === undefined ? null : toUs(value);
}

function logToJson(log: BootLog): Record<string, unknown> {
  return {
    label: log.label,
    mailLine: log.mailLine,
    format: log.format,
    unitNs: log.unitNs ?? null,
    milestones: log.milestones.map((m) => ({ name: m.name, atUs: toUs(m.at) })),
    initcalls: log.initcalls.map((i) => ({ name: i.name, us: toUs(i.took), logged: i.logged, kind: i.kind })),
  };
}

function claimToJson(claim: Claim): Record<string, unknown> {
  return {
    text: claim.text,
    mailLine: claim.mailLine,
    what: claim.what,
    kind: claim.kind,
    beforeUs: usOrNull(claim.before),
    afterUs: usOrNull(claim.after),
    factor: claim.factor ?? null,
    percent: claim.percent ?? null,
    deltaUs: usOrNull(claim.delta),
    checks: claim.checks,
  };
}

function findingToJson(finding: JudgedFinding): Record<string, unknown> {
  return {
    rule: finding.rule,
    nit: finding.nit,
    level: finding.level,
    confidence: finding.confidence,
    patch: finding.patch,
    change: finding.change ?? null,
    file: finding.file ?? null,
    line: finding.line ?? null,
    mailLine: finding.mailLine ?? null,
    text: finding.text,
    instead: finding.instead,
    fingerprint: finding.fingerprint,
    state: finding.state,
    heldBy: finding.heldBy ?? null,
  };
}

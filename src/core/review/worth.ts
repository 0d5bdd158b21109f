import type { DelayChange } from '../delay/index.js';
import type { Estimate } from '../estimate/index.js';
import type { Evidence } from '../evidence/index.js';
import { ms, type Ns } from '../kernel/index.js';
import type { MailKind } from '../mail/index.js';
import type { Patch } from '../patch/index.js';
import type { Finding } from '../rules/index.js';
import type { SilentReason, WorthReason } from './verdict.js';

/** What counts as an effect that matters. A policy may say otherwise for its list. */
export type Thresholds = {
  /** The likely saving or loss of one boot, from which on a change is worth a mail. */
  readonly likely: Ns;
  /** The largest possible one, where nothing says which is likely. */
  readonly most: Ns;
  /** A wait that is new in old code: the hardware mostly needs it, so only long ones are worth a word. */
  readonly added: Ns;
};

export const defaultThresholds: Thresholds = { likely: ms(10), most: ms(20), added: ms(100) };

export type Content = {
  readonly kind: MailKind;
  readonly patches: readonly Patch[];
  readonly changes: readonly DelayChange[];
  readonly estimates: readonly Estimate[];
  readonly evidence: Evidence;
  /** Those that may be sent: not of low confidence, not switched off. */
  readonly findings: readonly Finding[];
};

/** Whether the content of a mail deserves an answer, and why or why not. Nits never make it so. */
export function judgeWorth(
  content: Content,
  thresholds: Thresholds = defaultThresholds,
): { worth: boolean; reasons: (WorthReason | SilentReason)[] } {
  if (content.kind === 'bot' || content.kind === 'stable' || content.kind === 'notification') {
    return { worth: false, reasons: ['not-for-us'] };
  }
  if (content.kind !== 'patch') return { worth: false, reasons: ['not-a-patch'] };
  const reasons = new Set<WorthReason>();
  for (const finding of content.findings) {
    const reason = causes[finding.rule];
    if (reason !== undefined) reasons.add(reason);
  }
  if (content.changes.some((change, index) => mattersAtBoot(change, index, content, thresholds))) {
    reasons.add('boot-path-change');
  }
  if (reasons.size > 0) return { worth: true, reasons: [...reasons].sort() };
  return { worth: false, reasons: [whySilent(content)] };
}

/** Rules whose finding alone is worth a mail; what the others find rides on one that is due anyway. */
const causes: Readonly<Record<string, WorthReason>> = {
  'backoff-wraps': 'risk',
  'backoff-wrap-mended': 'risk',
  'budget-with-interval': 'risk',
  'replaced-call-left': 'risk',
  'sleep-in-atomic': 'risk',
  'unit-slip': 'risk',
  'usleep-range-reversed': 'risk',
  'claim-does-not-follow': 'claim-does-not-follow',
  'message-differs-from-diff': 'claim-does-not-follow',
};

/** On the boot, probe, reset or resume path as far as anybody can tell, and large enough. `index` is the change's among all. */
export function mattersAtBoot(
  change: DelayChange,
  index: number,
  content: Omit<Content, 'kind' | 'findings'>,
  thresholds: Thresholds = defaultThresholds,
): boolean {
  if (change.effect === 'moved') return false;
  const file = content.patches[change.patch]?.files.find((f) => f.path === change.file);
  if (file?.status === 'added') return false;
  if (!isBootPath(change, content.evidence)) return false;
  const own = content.estimates.filter((e) => e.change === index && e.model !== 'timeout' && e.bootPath !== 'off');
  // New code is in nobody's boot yet, unless the mail shows that it is.
  const isShown = content.evidence.logs.length > 0 || content.evidence.claims.length > 0;
  if (change.inNewFunction === true && !isShown) return false;
  // Somebody put it there for the hardware; only a boot that surely waits for it makes it a matter for a mail.
  if (change.effect === 'added') return own.some((e) => e.bootPath === 'on' && -e.saved.likely >= thresholds.added);
  return own.some((e) => Math.abs(e.saved.likely) >= thresholds.likely || e.saved.max >= thresholds.most);
}

/** By the code's own names, or because the mail says so: its log or its claim is about boot, probe, init or resume. */
export function isBootPath(change: DelayChange, evidence: Evidence): boolean {
  const { is, sure } = change.path;
  if (is === 'runtime' && sure >= 0.7) return false;
  if (is !== 'unknown' && is !== 'runtime' && sure >= 0.5) return true;
  return evidence.logs.some((log) => log.initcalls.length > 0) || evidence.claims.some((c) => saysBoot(c.text));
}

const bootWords = /\b(?:boot|probe|probing|initiali[sz]\w*|init|resume|reset|startup|load) ?(?:-|time|\b)/i;

function saysBoot(text: string): boolean {
  return bootWords.test(text.slice(0, 2000));
}

function whySilent(content: Content): SilentReason {
  if (content.changes.length === 0) return content.findings.some((f) => f.nit) ? 'nits-only' : 'no-wait-changed';
  if (content.changes.every((c) => isNewCode(c, content.patches))) return 'added-in-new-code';
  if (content.changes.every((c) => c.path.is === 'runtime')) return 'runtime-only';
  return content.estimates.length === 0 ? 'unknown-effect' : 'small-effect';
}

function isNewCode(change: DelayChange, patches: readonly Patch[]): boolean {
  if (change.inNewFunction === true) return true;
  return patches[change.patch]?.files.find((f) => f.path === change.file)?.status === 'added';
}

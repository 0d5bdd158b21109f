import { createHash } from 'node:crypto';
import { rules } from './catalogue.js';
import { linesOf } from './log-lines.js';
import type { Confidence, Finding, Remark, Rule, RuleInput } from './finding.js';

export type CheckOptions = {
  /** Ids of the rules to run; absent: all. */
  readonly only?: readonly string[];
  readonly nitsOnly?: boolean;
  /** Leave out rules that are off by default. */
  readonly defaultsOnly?: boolean;
  /** Kernel version whose rules count, such as `6.12`; the input's own where absent, else the newest. */
  readonly kernel?: string;
};

/** Runs the rules over one patch: every finding, nothing suppressed, rule by rule in the catalogue's order. */
export function checkRules(input: RuleInput, options: CheckOptions = {}): Finding[] {
  const asked = options.kernel === undefined ? input : { ...input, kernel: options.kernel };
  const found: Finding[] = [];
  for (const rule of rules) {
    if (options.only !== undefined && !options.only.includes(rule.id)) continue;
    if (options.nitsOnly === true && !rule.nit) continue;
    if (options.defaultsOnly === true && !rule.default) continue;
    for (const remark of rule.check(asked)) found.push(finding(rule, remark, asked));
  }
  return found;
}

function finding(rule: Rule, remark: Remark, input: RuleInput): Finding {
  const { file, line, mailLine, change } = remark;
  return {
    rule: rule.id,
    nit: rule.nit,
    level: remark.level ?? rule.level,
    confidence: remark.confidence ?? rule.confidence,
    patch: input.patchIndex,
    ...(change === undefined ? {} : { change }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(mailLine === undefined ? {} : { mailLine }),
    ...(rule.nit && mailLine !== undefined ? { quote: quoteOf(input, mailLine) } : {}),
    text: remark.text,
    instead: remark.instead ?? rule.instead,
    fingerprint: fingerprint(rule.id, remark, input),
  };
}

function quoteOf({ message }: RuleInput, mailLine: number): string {
  return (linesOf(message)[mailLine - 1] ?? '').slice(0, 200);
}

// JSON keeps the parts apart whatever they hold. Line numbers stay out: they move from version to version.
function fingerprint(rule: string, remark: Remark, input: RuleInput): string {
  const change = remark.change === undefined ? undefined : input.changes[remark.change];
  const parts = [
    rule,
    remark.file ?? change?.file ?? '',
    remark.function ?? change?.function ?? '',
    change?.before?.text ?? '',
    change?.after?.text ?? '',
    remark.key ?? (change === undefined ? remark.text : ''),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** What a list or an author has switched on or off, by rule id. */
export type NitPolicy = { readonly on?: readonly string[]; readonly off?: readonly string[] };

const sureness: Readonly<Record<Confidence, number>> = { high: 0, medium: 1, low: 2 };

/** The nits that may ride on a mail: at most `limit`, one a rule, most certain and then most useful (catalogue order) first. */
export function pickNits(findings: readonly Finding[], limit = 3, policy: NitPolicy = {}): Finding[] {
  const order = new Map(rules.map((rule, at) => [rule.id, at]));
  const seen = new Set<string>();
  const worth = findings.filter((nit) => {
    if (!nit.nit || nit.confidence === 'low' || nit.level === 'note' || seen.has(nit.rule)) return false;
    if (!isOn(nit.rule, policy)) return false;
    seen.add(nit.rule);
    return true;
  });
  const place = (nit: Finding): number => sureness[nit.confidence] * rules.length + (order.get(nit.rule) ?? 0);
  return worth.sort((a, b) => place(a) - place(b)).slice(0, Math.max(0, limit));
}

function isOn(id: string, policy: NitPolicy): boolean {
  if (policy.off?.includes(id) === true) return false;
  if (policy.on?.includes(id) === true) return true;
  return rules.find((rule) => rule.id === id)?.default === true;
}

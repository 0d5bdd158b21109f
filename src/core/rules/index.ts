export type { Confidence, Finding, Level, Remark, Rule, RuleInput } from './finding.js';

export { rules } from './catalogue.js';
export { checkRules, pickNits, type CheckOptions, type NitPolicy } from './engine.js';
export type { Confidence, Finding, Level, Remark, Rule, RuleInput } from './finding.js';

import type { DelayChange, Wait } from './change.js';
import { inUnit } from './quantity.js';
import { evaluate, type Lookup } from './value.js';

/** Fills in values from a kernel tree's answers: constant name to its text there. Changes without an open question stay as they are. */
export function resolveChanges(
  changes: readonly DelayChange[],
  answers: Readonly<Record<string, string>>,
): DelayChange[] {
  return changes.map((change) => ({
    ...change,
    ...(change.before === undefined ? {} : { before: filled(change.before, answers) }),
    ...(change.after === undefined ? {} : { after: filled(change.after, answers) }),
  }));
}

function filled(wait: Wait, answers: Readonly<Record<string, string>>): Wait {
  const question = wait.question;
  if (wait.unknown.length === 0 || question === undefined) return wait;
  const lookup: Lookup = (name) => {
    const known = Object.hasOwn(question.known, name) ? question.known[name] : undefined;
    if (known !== undefined) return { text: known, from: 'define' };
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    return answer === undefined ? undefined : { text: answer, from: 'tree' };
  };
  const ends = question.expressions.map((text) => evaluate(text, lookup));
  const unknown = [...new Set(ends.flatMap((e) => e.unknown))];
  if (question.unit === 'count') {
    const value = ends[0]?.value;
    return value === undefined || value.time
      ? { ...wait, unknown }
      : { ...wait, count: value.max, resolved: 'tree', unknown };
  }
  const unit = question.unit;
  const spans = ends.map((e) => e.value && inUnit(e.value, unit));
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return { ...wait, unknown };
  return { ...wait, span: { min: first.min, max: last.max }, resolved: unknown.length === 0 ? 'tree' : 'no', unknown };
}

import type { ArgumentUnit } from './catalogue.js';
import type { DelayChange, Question, Sibling, Wait } from './change.js';
import { inUnit } from './quantity.js';
import { evaluate, type Lookup } from './value.js';

/** What to look up for one change: names that stand in its file and have no value in the mail, constants without a unit. */
export type Asked = { readonly file: string; readonly names: readonly string[]; readonly units: readonly string[] };

/** What a kernel tree knows about one change. */
export type TreeAnswer = {
  /** Constant or member name to its text in the tree. */
  readonly constants: Readonly<Record<string, string>>;
  /** Constant name to the unit that its uses give it. */
  readonly units: Readonly<Record<string, ArgumentUnit>>;
  readonly siblings: readonly Sibling[];
};

/** What one change leaves open that a kernel tree may answer. */
export function askedOf(change: DelayChange): Asked {
  const waits = [change.before, change.after].flatMap((w) => w ?? []);
  const open = waits.filter((w) => w.question !== undefined);
  return {
    file: change.file,
    names: [...new Set(open.flatMap((w) => [...w.unknown, ...Object.keys(w.question?.assumed ?? {})]))],
    units: [...new Set(open.flatMap((w) => (w.question?.unit === 'by-use' ? (w.question.of ?? []) : [])))],
  };
}

/** Fills in values from a kernel tree's answers, one a change. Changes without an open question stay as they are. */
export function resolveChanges(
  changes: readonly DelayChange[],
  answers: readonly (TreeAnswer | undefined)[],
): DelayChange[] {
  return changes.map((change, i) => {
    const answer = answers[i];
    if (answer === undefined) return change;
    const before = change.before && resolveWait(change.before, answer);
    const after = change.after && resolveWait(change.after, answer);
    return {
      ...change,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      budget: {
        ...change.budget,
        ...budgetOf('before', change, before),
        ...budgetOf('after', change, after),
      },
      siblings: answer.siblings,
    };
  });
}

function budgetOf(side: 'before' | 'after', change: DelayChange, wait: Wait | undefined): DelayChange['budget'] {
  const rounds = change.rounds[side];
  const was = change[side]?.span;
  if (wait?.span === undefined || rounds === undefined) return {};
  if (change.budget[side] !== undefined && was?.min === wait.span.min && was.max === wait.span.max) return {};
  return { [side]: { min: wait.span.min * rounds, max: wait.span.max * rounds } };
}

/** One wait with what a tree knows filled in; as it is where nothing is open. */
export function resolveWait(wait: Wait, answer: Pick<TreeAnswer, 'constants' | 'units'>): Wait {
  const question = wait.question;
  if (question === undefined) return wait;
  const lookup: Lookup = (name) => {
    const known = own(question.known, name);
    if (known !== undefined) return { text: known, from: 'define' };
    const text = own(answer.constants, name);
    if (text !== undefined) return { text, from: 'tree' };
    const assumed = own(question.assumed ?? {}, name);
    return assumed === undefined ? undefined : { text: assumed, from: 'header' };
  };
  const ends = question.expressions.map((text) => evaluate(text, lookup));
  const unknown = [...new Set(ends.flatMap((e) => e.unknown))];
  // Of what has a value already the tree knows nothing better.
  const isKnown = wait.span !== undefined || wait.count !== undefined;
  if (isKnown && question.assumed !== undefined && ends.every((e) => e.resolved !== 'tree')) return wait;
  if (question.unit === 'count') {
    const value = ends[0]?.value;
    return value === undefined || value.time
      ? { ...wait, unknown }
      : { ...wait, count: value.max, resolved: 'tree', unknown };
  }
  const unit = unitOf(question, answer);
  const spans = ends.map((e) => (e.value?.time ? inUnit(e.value, 'ns') : unit && e.value && inUnit(e.value, unit)));
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return { ...wait, unknown };
  return { ...wait, span: { min: first.min, max: last.max }, resolved: unknown.length === 0 ? 'tree' : 'no', unknown };
}

function unitOf(question: Question, answer: Pick<TreeAnswer, 'units'>): ArgumentUnit | undefined {
  if (question.unit === 'count') return undefined;
  return question.unit === 'by-use' ? own(answer.units, question.of ?? '') : question.unit;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

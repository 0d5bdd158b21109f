import type { DelayChange, Wait } from '../delay/index.js';
import type { Call } from '../kernel/index.js';
import { callOf, callOfUse, constantOf } from './wait-call.js';

/** One thing to estimate: changes that are the same change, made at one or more places. */
export type Subject = {
  /** The change to which the estimate is attached: the place nearest to the boot. */
  readonly change: DelayChange;
  readonly index: number;
  readonly places: readonly number[];
  readonly model: 'poll' | 'settle' | 'timeout' | 'backoff';
  /** Absent: no wait on that side. */
  readonly before?: Call;
  readonly after?: Call;
};

/** What of a mail's changes can be estimated; a change reached through one constant, or twice the same, counts once. */
export function findSubjects(changes: readonly DelayChange[], together: boolean): Subject[] {
  const groups = new Map<string, Subject[]>();
  for (const [index, change] of changes.entries()) {
    const subject = subjectOf(change, index);
    if (subject === undefined || isHelperOf(change, changes)) continue;
    const what = `${change.patch} ${change.file} ${subject.model} ${JSON.stringify([subject.before, subject.after])}`;
    const alone = change.via === undefined && change.kind !== 'constant' && !together;
    const key = alone ? `${what} ${index}` : what;
    groups.set(key, [...(groups.get(key) ?? []), subject]);
  }
  return [...groups.values()].flatMap((group) => merge(group)).sort((a, b) => a.index - b.index);
}

/** A sleep inside a helper that other changed waits call: they are it, counted where they wait. */
function isHelperOf(change: DelayChange, changes: readonly DelayChange[]): boolean {
  const { file, function: helper } = change;
  if (helper === undefined) return false;
  return changes.some((c) => c !== change && c.file === file && (c.after?.api === helper || c.before?.api === helper));
}

function merge(group: readonly Subject[]): Subject[] {
  // The constant is its call sites once more.
  const sites = group.filter((s) => s.change.kind !== 'constant');
  const kept = sites.length > 0 ? sites : group;
  const [best] = [...kept].sort((a, b) => distance(a.change) - distance(b.change) || a.index - b.index);
  return best === undefined ? [] : [{ ...best, places: kept.map((s) => s.index) }];
}

/** How near to the boot a change is. */
function distance(change: DelayChange): number {
  switch (change.path.is) {
    case 'init':
    case 'probe':
      return 0;
    case 'reset':
      return 1;
    case 'resume':
      return 2;
    case 'unknown':
      return 3;
    case 'runtime':
      return 4;
    default:
      return change.path.is satisfies never;
  }
}

function subjectOf(change: DelayChange, index: number): Subject | undefined {
  if (change.effect === 'moved' || change.path.is === 'runtime') return undefined;
  const model = modelOf(change);
  if (model === undefined) return undefined;
  const before = sideOf(change, change.before, 'before');
  const after = sideOf(change, change.after, 'after');
  // A side that is there but cannot be read leaves nothing to compare with.
  if ((change.before !== undefined && before === undefined) || (change.after !== undefined && after === undefined)) {
    return undefined;
  }
  if (before === undefined && after === undefined) return undefined;
  const grows = before?.kind === 'growing' || after?.kind === 'growing';
  return {
    change,
    index,
    places: [index],
    model: model === 'poll' && grows ? 'backoff' : model,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Which model a change asks for; none for what has no boot to cost: periodic work, autosuspend, rounds without a wait. */
function modelOf(change: DelayChange): 'poll' | 'settle' | 'timeout' | undefined {
  if (change.kind === 'retry-count') return undefined;
  switch (change.role.is) {
    case 'poll-interval':
      return 'poll';
    case 'settle':
      return 'settle';
    case 'timeout':
      return 'timeout';
    case 'retry':
      return change.inLoop === true ? 'poll' : undefined;
    case 'periodic':
    case 'autosuspend':
      return undefined;
    case 'unknown':
      if (change.kind === 'poll-interval') return 'poll';
      if (change.kind === 'poll-timeout') return 'timeout';
      return change.inLoop === false && (change.kind === 'sleep' || change.kind === 'busy') ? 'settle' : undefined;
    default:
      return change.role.is satisfies never;
  }
}

function sideOf(change: DelayChange, wait: Wait | undefined, side: 'before' | 'after'): Call | undefined {
  if (wait === undefined) return undefined;
  const direct = callOf(wait, change.backoff[side]);
  if (direct !== undefined || change.kind !== 'constant') return direct;
  const constant = constantOf(change, wait);
  if (constant === undefined) return undefined;
  for (const use of change.uses) {
    const call = callOfUse(use, constant.name, constant.value);
    if (call !== undefined) return call;
  }
  return undefined;
}

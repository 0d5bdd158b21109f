import type { Assumption, CurvePoint, Estimate } from '../estimate/index.js';
import type { Ns } from '../kernel/index.js';
import type { Review } from '../review/index.js';
import { sayCount, sayNominal, sayNumber, sayPredicted, sayPredictedIn } from './say.js';
import type { Topic } from './topic.js';
import { table, wrap } from './wrap.js';

/** What is predicted for one change, as blocks of lines: the saving, what it rests on, a table over ready times, the cost. */
export function estimateLines(estimate: Estimate, topic: Topic, review: Review, measured: string): string[][] {
  const first = [predicted(estimate, topic), measured, inferred(estimate, review), bootPath(estimate)];
  const blocks = [wrap(first.filter((s) => s !== '').join(' '))];
  const last = [backoff(estimate), devices(estimate), bound(topic)].filter((s) => s !== '').join(' ');
  const rows = curve(estimate.curve);
  if (rows.length + last.length > 0) blocks.push([...rows, ...wrap(last)]);
  return blocks;
}

function predicted(estimate: Estimate, topic: Topic): string {
  const { saved, model } = estimate;
  const over = overWaits(estimate, topic);
  if (model === 'timeout') return timeoutWords(estimate.before.max, estimate.after.max);
  const unmet = find(estimate, 'waits')?.value;
  if (typeof unmet === 'string' && unmet.startsWith('0:')) {
    return `Predicted: no difference on the machine that was measured: ${unmet.slice(2).trim()}.`;
  }
  if (saved.min === 0 && saved.max === 0) return 'Predicted: no difference.';
  const nothing = topic.changes.some((c) => c.looksFirst === true) ? '; nothing where the first look succeeds' : '';
  if (saved.max <= 0) {
    return `Predicted: costs ${sayPredicted({ min: -saved.max, max: -saved.min })} more${over}${condition(estimate)}.`;
  }
  // What rounding cannot show is no loss.
  if (saved.min < -0.01 * saved.max) {
    const ends = `from ${sayLength(-saved.min)} lost to ${sayLength(saved.max)} saved`;
    return `Predicted: ${ends}${over}, ${sayLikely(saved.likely)}${condition(estimate)}${nothing}.`;
  }
  if (saved.min < 0.05 * saved.max) {
    return `Predicted: saves up to ${sayLength(saved.max)}${over}, ${sayLikely(saved.likely)}${condition(estimate)}${nothing}.`;
  }
  return `Predicted: saves ${sayPredicted(saved)}${over}${condition(estimate)}${nothing}.`;
}

/** A changed, new or dropped limit of a wait that ends when the device answers; 0 where a side has none. */
export function timeoutWords(before: Ns, after: Ns): string {
  const answered = 'Predicted: nothing while the device answers.';
  if (before === 0) return `${answered} If it never does, the new wait gives up after about ${sayLength(after)}.`;
  if (after === 0) return `${answered} The wait that gave up after about ${sayLength(before)} is gone.`;
  return `${answered} If it never does, it gives up after about ${sayLength(after)}, not ${sayLength(before)}.`;
}

function sayLikely(likely: number): string {
  return likely >= 0 ? `${sayLength(likely)} saved is likely` : `${sayLength(-likely)} lost is likely`;
}

function sayLength(value: number): string {
  return sayPredicted({ min: value, max: value }).replace('about ', '');
}

function overWaits(estimate: Estimate, topic: Topic): string {
  const waits = waitsOf(estimate);
  if (waits !== undefined && waits > 1) return ` over ${sayNumber(waits)} waits`;
  return topic.changes.length > 1 ? ` at each of ${sayNumber(topic.changes.length)} places` : '';
}

/** The ready time that the figures hold for. */
function condition(estimate: Estimate): string {
  const ready = find(estimate, 'ready');
  if (ready === undefined) return '';
  const text = String(ready.value);
  switch (ready.from) {
    case 'log':
      return ` if the device is ready ${text.split(':')[0] ?? ''}, with which the log after the change agrees`;
    case 'swept': {
      const upTo = /up to ([\d.]+ [mun]?s)/.exec(text)?.[1];
      return upTo === undefined ? '' : ` for a device that is ready at any time up to ${upTo}`;
    }
    case 'profile':
      return ` with ready times ${text}`;
    case 'flag':
      return ` if the device is ready after ${text}`;
    case 'tree':
    case 'default':
      return '';
    default:
      return ready.from satisfies never;
  }
}

/** `2`, or `1 + 10` where the log has them in two stretches. */
function waitsOf(estimate: Estimate): number | undefined {
  const value = find(estimate, 'waits')?.value;
  if (typeof value === 'number') return value;
  const parts = (value ?? '').split(' + ').map(Number);
  const sum = parts.reduce((a, b) => a + b, 0);
  return Number.isFinite(sum) && sum > 0 ? sum : estimate.fits[0]?.waits;
}

function find(estimate: Estimate, name: string): Assumption | undefined {
  return estimate.assumptions.find((a) => a.name === name);
}

function inferred(estimate: Estimate, review: Review): string {
  const hz = find(estimate, 'hz');
  if (hz === undefined) return '';
  if (find(estimate, 'log') !== undefined)
    return 'The log shows the changed waits of this driver together; it was not divided between them.';
  const range = find(estimate, 'hz range');
  if (range !== undefined) return `HZ is not known; the range covers ${range.value}.`;
  if (hz.from !== 'log') return hz.from === 'flag' ? '' : `Assumed: HZ=${hz.value} (${hz.from}).`;
  const waits = waitsOf(estimate);
  const what = waits === undefined ? '' : ` and the ${waits === 1 ? 'one wait' : `${sayNumber(waits)} waits`}`;
  const both = review.evidence.logs.some((l) => l.label === 'after');
  const from = both ? 'these logs: consistent, not proof' : 'the log before the change';
  return `HZ=${hz.value}${what} were inferred from ${from}.`;
}

function bootPath(estimate: Estimate): string {
  switch (estimate.bootPath) {
    case 'on':
      return estimate.bootPathBy === '' ? '' : `On the boot path (${estimate.bootPathBy}).`;
    case 'off':
      return `Not on the boot path (${estimate.bootPathBy}).`;
    case 'unknown':
      return 'Whether a boot waits for it cannot be told from the patch.';
    default:
      return estimate.bootPath satisfies never;
  }
}

/** Three rows of the sweep: ready soon, within the old interval, long after. */
function curve(points: readonly CurvePoint[]): string[] {
  const late = points.filter((p) => p.ready > 0 && p.pollsBefore > 1);
  const picked = [late[0], late[Math.floor(late.length / 2)], late.at(-1)].filter((p) => p !== undefined);
  const distinct = [...new Set(picked)];
  if (distinct.length < 2) return [];
  const rows = distinct.map((p) => [
    `${sayPredictedIn({ min: p.ready, max: p.ready }, 'ms').replace('~', '')} ms`,
    sayPredictedIn(p.before, 'ms'),
    sayPredictedIn(p.after, 'ms'),
    sayPredictedIn(p.saved, 'ms'),
    `${sayCount(p.pollsBefore)} -> ${sayCount(p.pollsAfter)}`,
  ]);
  return table([['one wait, ready after', 'before', 'after', 'saved', 'looks'], ...rows]);
}

const manyLooks = 5_000;

function devices(estimate: Estimate): string {
  const many = estimate.devices.at(-1);
  if (many === undefined || many.looks < manyLooks || many.looks < 2 * many.looksBefore) return '';
  const { min, max } = many.cpuPercent;
  const cpu =
    max > 150 ? `${percent(min / 100)}-${percent(max / 100)} CPUs` : `${percent(min)}-${percent(max)} % of one CPU`;
  return `${sayCount(many.count)} devices that take ${sayNominal({ min: many.ready, max: many.ready })} each: about ${sayCount(many.looks)} looks, not ${sayCount(many.looksBefore)}; together ${cpu} while waiting (estimated).`;
}

function percent(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(1)));
}

/** The backoff that a reviewer may ask for, where the new interval looks much more often than the old. */
function backoff(estimate: Estimate): string {
  const growing = estimate.alternatives.find((a) => a.policy.startsWith('exponential'));
  const many = estimate.devices.at(-1);
  if (growing === undefined || many === undefined || many.looks < 20 * many.looksBefore) return '';
  if (growing.polls > 0.8 * estimate.after.polls) return '';
  const cost = `about ${sayLength(growing.likely)} and ${sayCount(growing.polls)} looks`;
  const now = `${sayLength(estimate.after.likely)} and ${sayCount(estimate.after.polls)}`;
  return `A backoff (${growing.policy}) is predicted to take ${cost} for the same; this patch ${now}.`;
}

/** What becomes of the timeout. */
function bound(topic: Topic): string {
  const [change] = topic.changes;
  if (change === undefined) return '';
  const { before, after } = change.bound;
  if (before === 'deadline' && after === 'deadline') return 'The timeout is a deadline and stays as it was.';
  if (before === 'count' && after === 'deadline') return 'A count bounded the loop before, a deadline does now.';
  return '';
}

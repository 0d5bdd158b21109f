import type { Assumption, CurvePoint, Estimate } from '../estimate/index.js';
import type { Review } from '../review/index.js';
import { sayCount, sayNumber, sayPredicted, sayPredictedIn } from './say.js';
import type { Topic } from './topic.js';
import { table, wrap } from './wrap.js';

/** What is predicted for one change, as blocks of lines: the saving, what it rests on, a table over ready times, the cost. */
export function estimateLines(estimate: Estimate, topic: Topic, review: Review, measured: string): string[][] {
  const first = [predicted(estimate, topic), measured, inferred(estimate, review), bootPath(estimate)].filter(
    (s) => s !== '',
  );
  const blocks = [wrap(first.join(' '))];
  const last = [devices(estimate), alternatives(estimate), bound(topic)].filter((s) => s !== '').join(' ');
  if (estimate.curve.length > 1) blocks.push([...curve(estimate.curve), ...wrap(last)]);
  else if (last !== '') blocks.push(wrap(last));
  return blocks;
}

function predicted(estimate: Estimate, topic: Topic): string {
  const { saved, model } = estimate;
  const waits = waitsOf(estimate);
  const over = waits === undefined || waits === 1 ? '' : ` over ${sayNumber(waits)} waits`;
  const places =
    topic.changes.length > 1 && waits === undefined ? ` at each of ${sayNumber(topic.changes.length)} places` : '';
  if (model === 'timeout') {
    return `Predicted: nothing while the device answers; if it never does, ${sayCost(estimate.before)} become ${sayCost(estimate.after)}.`;
  }
  if (saved.min === 0 && saved.max === 0) return 'Predicted: no difference.';
  const nothing = topic.changes.some((c) => c.looksFirst === true) ? '; nothing where the first look succeeds' : '';
  if (saved.max <= 0) {
    return `Predicted: costs ${sayPredicted({ min: -saved.max, max: -saved.min })} more${over}${places}${condition(estimate)}.`;
  }
  if (saved.min < 0)
    return `Predicted: between ${sayPredicted({ min: 0, max: -saved.min })} lost and ${sayPredicted({ min: 0, max: saved.max })} saved${over}${places}${condition(estimate)}.`;
  const amount =
    saved.min === 0
      ? `up to ${sayPredicted({ min: saved.max, max: saved.max }).replace('about ', '')}`
      : sayPredicted(saved);
  return `Predicted: saves ${amount}${over}${places}${condition(estimate)}${nothing}.`;
}

function sayCost(cost: { readonly min: number; readonly max: number }): string {
  return sayPredicted({ min: cost.min, max: cost.max });
}

/** The ready time that the figures hold for. */
function condition(estimate: Estimate): string {
  const ready = find(estimate, 'ready');
  if (ready === undefined || typeof ready.value !== 'number')
    return ready === undefined ? '' : ` if the device is ready ${ready.value}`;
  return ` if the device is ready within ${sayPredicted({ min: ready.value, max: ready.value }).replace('about ', '')}`;
}

function waitsOf(estimate: Estimate): number | undefined {
  const value = find(estimate, 'waits')?.value;
  return typeof value === 'number' ? value : estimate.fits[0]?.waits;
}

function find(estimate: Estimate, name: string): Assumption | undefined {
  return estimate.assumptions.find((a) => a.name === name);
}

function inferred(estimate: Estimate, review: Review): string {
  const hz = find(estimate, 'hz');
  const waits = waitsOf(estimate);
  if (hz === undefined) return '';
  const both = review.evidence.logs.some((l) => l.label === 'after');
  switch (hz.from) {
    case 'log': {
      const what = waits === undefined ? '' : ` and the ${waits === 1 ? 'one wait' : `${sayNumber(waits)} waits`}`;
      return `HZ=${hz.value}${what} were inferred from ${both ? 'these logs: consistent, not proof' : 'the log before'}.`;
    }
    case 'swept':
      return `HZ is not known here; the range covers ${hz.value}.`;
    case 'flag':
    case 'profile':
    case 'tree':
    case 'default':
      return `Assumed: HZ=${hz.value} (${hz.from}).`;
    default:
      return hz.from satisfies never;
  }
}

function bootPath(estimate: Estimate): string {
  switch (estimate.bootPath) {
    case 'on':
      return estimate.bootPathBy === '' ? '' : `On the boot path: ${estimate.bootPathBy}.`;
    case 'off':
      return `Not on the boot path: ${estimate.bootPathBy}.`;
    case 'unknown':
      return 'Whether it is on the critical path of a boot cannot be told from here.';
    default:
      return estimate.bootPath satisfies never;
  }
}

const mostRows = 4;

/** Rows of the sweep over ready times; the first rows are the interesting ones. */
function curve(points: readonly CurvePoint[]): string[] {
  const rows = points
    .slice(0, mostRows)
    .map((p) => [
      sayPredictedIn({ min: p.ready, max: p.ready }, 'ms').replace('~', ''),
      sayPredictedIn(p.before, 'ms'),
      sayPredictedIn(p.after, 'ms'),
      sayPredictedIn(p.saved, 'ms'),
      `${sayCount(p.pollsBefore)} -> ${sayCount(p.pollsAfter)}`,
    ]);
  return table([['ready after ms', 'before', 'after', 'saved', 'looks'], ...rows]);
}

function devices(estimate: Estimate): string {
  const many = estimate.devices.at(-1);
  if (many === undefined || many.looks < 1000) return '';
  const cpu = many.cpuPercent;
  return `${sayCount(many.count)} devices waiting together: about ${sayCount(many.looks)} looks, ${percent(cpu.min)}-${percent(cpu.max)} % of one CPU while waiting (estimated).`;
}

function percent(value: number): string {
  return value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(1)));
}

function alternatives(estimate: Estimate): string {
  const said = estimate.alternatives.slice(0, 2).map((a) => {
    const likely = sayPredicted({ min: a.likely, max: a.likely });
    return `${a.policy}: ${likely}, ${sayCount(a.polls)} looks`;
  });
  return said.length === 0 ? '' : `In place of it, predicted: ${said.join('; ')}.`;
}

/** What becomes of the timeout. */
function bound(topic: Topic): string {
  const [change] = topic.changes;
  if (change === undefined) return '';
  const { before, after } = change.bound;
  if (before === 'deadline' && after === 'deadline') return 'Timeout unchanged.';
  if (before === 'count' && after === 'deadline') return 'Bounded by a count before, by a deadline now.';
  return '';
}

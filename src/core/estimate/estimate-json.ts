import { toUs, type Ns } from '../kernel/index.js';
import type { Cost, CurvePoint, Estimate } from './estimate.js';

/** An Estimate as the JSON contract has it: microseconds, units in the names. */
export function estimateToJson(estimate: Estimate): object {
  return {
    change: estimate.change,
    model: estimate.model,
    assumptions: estimate.assumptions.map(({ name, value, from }) => ({ name, value, from })),
    fits: estimate.fits.map(({ hz, era, waits, residual }) => ({ hz, era, waits, residualUs: round(residual) })),
    before: cost(estimate.before),
    after: cost(estimate.after),
    savedUs: range(estimate.saved),
    curve: estimate.curve.map(curvePoint),
    devices: estimate.devices.map(({ count, ready, looks, looksBefore, wakeUps, cpuPercent }) => ({
      count,
      readyUs: round(ready),
      looks,
      looksBefore,
      wakeUps,
      cpuPercent,
    })),
    bootPath: estimate.bootPath,
    bootPathBy: estimate.bootPathBy,
    bootSavedUs: estimate.bootSaved === undefined ? null : range(estimate.bootSaved),
    neverUs:
      estimate.never === undefined
        ? null
        : { before: round(estimate.never.before), after: round(estimate.never.after) },
    alternatives: estimate.alternatives.map(({ policy, likely, polls }) => ({
      policy,
      likelyUs: round(likely),
      polls,
    })),
  };
}

function range({ min, likely, max }: { readonly min: Ns; readonly likely: Ns; readonly max: Ns }): object {
  return { min: round(min), likely: round(likely), max: round(max) };
}

function cost(value: Cost): object {
  return {
    minUs: round(value.min),
    likelyUs: round(value.likely),
    maxUs: round(value.max),
    polls: value.polls,
    busyUs: round(value.busy),
  };
}

function curvePoint(point: CurvePoint): object {
  return {
    readyUs: round(point.ready),
    savedUs: round((point.saved.min + point.saved.max) / 2),
    savedMinUs: round(point.saved.min),
    savedMaxUs: round(point.saved.max),
    beforeUs: round((point.before.min + point.before.max) / 2),
    afterUs: round((point.after.min + point.after.max) / 2),
    pollsBefore: point.pollsBefore,
    pollsAfter: point.pollsAfter,
  };
}

/** Tenths of a microsecond are enough. */
function round(ns: number): number {
  return Math.round(toUs(ns) * 10) / 10;
}

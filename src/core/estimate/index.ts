export type {
  Alternative,
  Assumption,
  AssumptionFrom,
  Cost,
  CurvePoint,
  DevicesPoint,
  Estimate,
  Fit,
} from './estimate.js';
export { estimateCalls, estimateChanges, type CallsInQuestion, type EstimateOptions } from './estimate-changes.js';
export { estimateToJson } from './estimate-json.js';
export { curveInWords, estimateToText } from './estimate-text.js';
export { findProfile, readyAt, type Profile, type ReadyTime } from './profile.js';
export { turnsOf } from './turns.js';

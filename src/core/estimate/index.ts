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
export { estimateChanges, type EstimateOptions } from './estimate-changes.js';
export { estimateToJson } from './estimate-json.js';
export { findProfile, readyAt, type Profile, type ReadyTime } from './profile.js';

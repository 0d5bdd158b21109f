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

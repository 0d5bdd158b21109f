export { Failure, failureCodes, type FailureCode } from './failure.js';

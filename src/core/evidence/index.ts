export type { BootLog, Claim, ClaimCheck, Evidence, Initcall, Measurement, Milestone } from './evidence.js';

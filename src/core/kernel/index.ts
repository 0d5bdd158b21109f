export { consents, growthStep, jiffiesOf, type Call, type Growth, type Ticks } from './call.js';
export {
  formatLogged,
  formatNs,
  formatSpan,
  ms,
  parseNs,
  parseSpan,
  seconds,
  toUs,
  us,
  type Ns,
  type Span,
} from './duration.js';
export { evaluate } from './expression.js';
export { isHz, jiffiesAt, jiffiesDown, jiffiesUp, tickAt, tickLength, usualHz } from './hz.js';
export { createCpu, type Cpu } from './cpu.js';
export {
  busyMachine,
  idleMachine,
  isTickless,
  overheads,
  quietMachine,
  type Machine,
  type Preemption,
  type Rival,
} from './machine.js';
export {
  compareVersions,
  eraOf,
  eras,
  formatVersion,
  isAtLeast,
  newestEraAt,
  parseVersion,
  versionOf,
  type Era,
  type KernelVersion,
} from './version.js';
export { boundsOf, mechanismOf, pollMin, waitFor, wakesAt, type Mechanism } from './wait.js';
export { backToBack, firesAt, granularity, wheelLevel } from './wheel.js';
export { knownCalls, parseCall, parseTicks, type ParsedCall } from './parse-call.js';

export { runAlone } from './alone.js';
export { createEvent, createRun, happened, until, type Event, type Process, type Request, type Run } from './engine.js';
export { pollUntilReady, type LoopBound, type Poll, type PollEnd } from './poll.js';
export { namedStream, type Random } from './random.js';
export { chainStart, runChain, runDevices, type Chances, type Outcome } from './scenario.js';

export { ms, seconds, toUs, us, type Ns, type Span } from './duration.js';
